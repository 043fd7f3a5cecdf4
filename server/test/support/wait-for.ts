/** Ends a test that hangs; it does not measure speed. */
export const longestWaitMs = 180_000

/**
 * Polls until the predicate holds, every 20 ms by default. Use it for state that can only be polled. Throws
 * with the last result after the timeout.
 */
export const waitFor = async <T>(
  ask: () => Promise<T>,
  isThere: (answer: T) => boolean,
  timeoutMs = longestWaitMs,
  everyMs = 20,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (isThere(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(`not there after ${timeoutMs} ms; last: ${JSON.stringify(answer)?.slice(0, 2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

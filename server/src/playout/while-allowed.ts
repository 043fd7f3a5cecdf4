/** Passes bytes on as long as `check` does not throw, which is asked between them, at most once in so long. */
export async function* whileAllowed(
  bytes: AsyncIterable<Buffer>,
  check: () => Promise<unknown>,
  everyMs: number,
): AsyncGenerator<Buffer> {
  let checkedAtMs = performance.now()
  for await (const piece of bytes) {
    if (performance.now() - checkedAtMs >= everyMs) {
      await check()
      checkedAtMs = performance.now()
    }
    yield piece
  }
}

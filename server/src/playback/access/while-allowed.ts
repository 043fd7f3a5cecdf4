/** Yields bytes until `check` throws; it is called between pieces, at most once per `everyMs`. */
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

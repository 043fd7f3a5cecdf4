/** Yields the lines of a response in NDJSON. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let tail = ''
  for await (const chunk of bytes) {
    const lines = (tail + decoder.decode(chunk, { stream: true })).split('\n')
    tail = lines.pop() ?? ''
    // Empty lines only keep the connection open.
    yield* lines.filter((line) => line !== '')
  }
  if (tail !== '') yield tail
}

/** Yields the lines of a response in NDJSON. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let tail = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        if (tail !== '') yield tail
        return
      }
      const lines = (tail + decoder.decode(value, { stream: true })).split('\n')
      tail = lines.pop() ?? ''
      // Empty lines only keep the connection open.
      yield* lines.filter((line) => line !== '')
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

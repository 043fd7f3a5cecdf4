import { ConnectionError } from './errors.ts'

/**
 * Yields the bytes of a stream, and cancels it when the caller stops early. With `silenceMs`, it throws
 * ConnectionError when no byte arrives for that long, because a broken connection does not always report an error.
 * Only a ReadableStream supports `silenceMs`.
 */
export async function* bytesOf(
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  silenceMs?: number,
): AsyncGenerator<Uint8Array> {
  // Some browsers cannot iterate a ReadableStream.
  if (!('getReader' in stream)) {
    yield* stream
    return
  }
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await (silenceMs === undefined ? reader.read() : readWithin(reader, silenceMs))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

/** The server sends at least an empty line or a comment every 15 seconds. */
export const longestSilenceMs = 60_000

const readWithin = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): ReturnType<typeof reader.read> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new ConnectionError(`the server has sent nothing for ${silenceMs / 1000} s`))
    timer = setTimeout(fail, silenceMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}

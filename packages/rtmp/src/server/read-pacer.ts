import type { Readable } from 'node:stream'

/** Half of what Node.js reads from a socket at a time. */
const largeReadBytes = 32 * 2 ** 10

/**
 * Reads the sockets of all publishers together, once in each interval, because waking up for each packet costs more
 * than parsing it. After a large read, a socket is read again at once, because more may be waiting.
 */
export class ReadPacer {
  readonly #intervalMs: number
  #waiting: (() => void)[] = []

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** Not for TLS sockets, which split what they read into records. */
  add(socket: Readable): void {
    const push = socket.push.bind(socket)
    // oxlint-disable-next-line no-underscore-dangle
    const read = socket._read.bind(socket)
    let isLarge = false
    // A socket stops reading when `push` returns false, until `_read` is called.
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
      isLarge = chunk !== null && chunk.length >= largeReadBytes
      push(chunk, encoding)
      return false
    }
    const readNow = (sizeBytes: number): void => {
      if (!socket.destroyed) read(sizeBytes)
    }
    // oxlint-disable-next-line no-underscore-dangle
    socket._read = (sizeBytes) => {
      if (isLarge) readNow(sizeBytes)
      else this.#later(() => readNow(sizeBytes))
    }
  }

  #later(read: () => void): void {
    this.#waiting.push(read)
    if (this.#waiting.length === 1) setTimeout(() => this.#readAll(), this.#intervalMs)
  }

  #readAll(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const read of waiting) read()
  }
}

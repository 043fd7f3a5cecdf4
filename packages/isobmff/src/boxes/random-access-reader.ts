import { open } from 'node:fs/promises'
import { IsobmffError } from './isobmff-error.ts'

/** A byte source with random access, such as a file on disk or an object in S3. */
export interface RandomAccessReader {
  readonly sizeBytes: number
  /** Resolves with `length` bytes from `offset`, or with fewer at the end of the source. */
  readonly read: (offset: number, length: number) => Promise<Buffer>
}

/** Reads exactly `length` bytes or throws `truncated`. Checks the size before it allocates memory. */
export const readExactly = async (
  reader: RandomAccessReader,
  offset: number,
  length: number,
): Promise<Buffer> => {
  if (offset + length > reader.sizeBytes) throw endsEarly(offset + length, reader.sizeBytes)
  const bytes = await reader.read(offset, length)
  if (bytes.length < length) throw endsEarly(offset + length, offset + bytes.length)
  return bytes
}

const endsEarly = (neededBytes: number, sizeBytes: number) =>
  new IsobmffError('truncated', `The file ends at byte ${sizeBytes}, but byte ${neededBytes} is needed.`)

/** Opens a file for reading; `await using` closes it. Rejects with the errors of node:fs. */
export const openFileReader = async (path: string): Promise<RandomAccessReader & AsyncDisposable> => {
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  return {
    sizeBytes: size,
    read: async (offset, length) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
      let filled = 0
      while (filled < buffer.length) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/**
 * Caches the last read and reads at least `windowBytes` at a time. Each read is a request on S3, and box
 * headers without media in between are close together.
 */
export const withReadAhead = (reader: RandomAccessReader, windowBytes = 64 * 1024): RandomAccessReader => {
  let windowStart = 0
  let window: Buffer = Buffer.alloc(0)
  return {
    sizeBytes: reader.sizeBytes,
    read: async (offset, length) => {
      if (offset < windowStart || offset + length > windowStart + window.length) {
        window = await reader.read(offset, Math.min(Math.max(length, windowBytes), reader.sizeBytes - offset))
        windowStart = offset
      }
      return window.subarray(offset - windowStart, offset - windowStart + length)
    },
  }
}

import { open } from 'node:fs/promises'
import { IsobmffError } from './isobmff-error.ts'

/** Bytes that can be read anywhere: a file on disk, an object in S3. */
export interface RandomAccessReader {
  readonly sizeBytes: number
  /** Resolves with `length` bytes from `offset`, or with fewer where the end comes first. */
  readonly read: (offset: number, length: number) => Promise<Buffer>
}

/** Reads exactly `length` bytes or throws `truncated`; nothing is allocated for bytes that cannot be there. */
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

/** Opens a file for reading; `await using` closes it. Throws the errors of node:fs. */
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
 * Remembers the last read and reads at least `windowBytes` at a time: on S3 each read is a request, and box headers lie
 * close together where there is no media between them.
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

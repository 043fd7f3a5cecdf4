import { bytesOf } from './bytes-of.ts'

/** Source of an upload: a path (Node.js), a Blob or File, bytes, or a stream of unknown length. */
export type UploadInput = string | Blob | Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

export interface UploadPart {
  readonly bytes: Blob | Uint8Array
  readonly isLast: boolean
}

export interface UploadSource {
  /** File name of a path or a File; null for other sources. */
  readonly name: string | null
  /** Null for streams. */
  readonly sizeBytes: number | null
  /**
   * Reads the part at this offset. A stream continues from the previous part, whose end it can return again.
   */
  readonly read: (offset: number) => Promise<UploadPart>
  readonly close: () => Promise<void>
}

export const openSource = async (input: UploadInput, partBytes: number): Promise<UploadSource> => {
  if (typeof input === 'string') return openPath(input, partBytes)
  if (input instanceof Blob) return blobSource(input, partBytes)
  if (input instanceof Uint8Array) return blobSource(new Blob([input as Uint8Array<ArrayBuffer>]), partBytes)
  return streamSource(input, partBytes)
}

const blobSource = (blob: Blob, partBytes: number): UploadSource => ({
  name: 'name' in blob && typeof blob.name === 'string' ? blob.name : null,
  sizeBytes: blob.size,
  read: async (offset) => {
    const end = Math.min(offset + partBytes, blob.size)
    return { bytes: blob.slice(offset, end), isLast: end === blob.size }
  },
  close: async () => {},
})

const openPath = async (path: string, partBytes: number): Promise<UploadSource> => {
  const [{ open }, { basename }] = await Promise.all([import('node:fs/promises'), import('node:path')])
  const file = await open(path)
  const { size } = await file.stat()
  return {
    name: basename(path),
    sizeBytes: size,
    read: async (offset) => {
      const bytes = new Uint8Array(Math.min(partBytes, Math.max(0, size - offset)))
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled)
        if (bytesRead === 0) throw new Error(`${path} became shorter during the upload`)
        filled += bytesRead
      }
      return { bytes, isLast: offset + bytes.length === size }
    },
    close: () => file.close(),
  }
}

/** Keeps one part in memory: a stream can be read only once, but unacknowledged bytes must be sent again. */
const streamSource = (
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  partBytes: number,
): UploadSource => {
  const chunks = bytesOf(stream)
  let rest: Uint8Array = new Uint8Array()
  let part: UploadPart & { readonly bytes: Uint8Array } = { bytes: new Uint8Array(), isLast: false }
  let partStart = 0

  const nextPart = async (): Promise<typeof part> => {
    const bytes = new Uint8Array(partBytes)
    let filled = 0
    for (;;) {
      const taken = rest.subarray(0, partBytes - filled)
      bytes.set(taken, filled)
      filled += taken.length
      rest = rest.subarray(taken.length)
      // One byte beyond a full part shows that the part is not the last.
      if (rest.length > 0) return { bytes, isLast: false }
      const { done, value } = await chunks.next()
      if (done === true) return { bytes: bytes.subarray(0, filled), isLast: true }
      rest = value
    }
  }

  return {
    name: null,
    sizeBytes: null,
    read: async (offset) => {
      if (offset < partStart)
        throw new Error('a stream cannot be read again from the start; upload a path or a Blob to resume it')
      while (offset >= partStart + part.bytes.length && !part.isLast) {
        partStart += part.bytes.length
        part = await nextPart()
      }
      return { bytes: part.bytes.subarray(offset - partStart), isLast: part.isLast }
    },
    close: async () => {
      // A stream that sends nothing would keep the caller waiting.
      void chunks.return(undefined).catch(() => {})
    },
  }
}

import { createHash } from 'node:crypto'
import { BlobNotFoundError, type BlobStore } from './blob-store.ts'

const hashOf = async (store: BlobStore, key: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const bytes of (await store.stream(key)) as AsyncIterable<Buffer>) hash.update(bytes)
  return hash.digest('hex')
}

/**
 * Copies a blob to another store and returns its size. Reads the copy back, because the caller deletes the
 * source. Keeps an existing copy with the same content.
 */
export const copyBlob = async (from: BlobStore, to: BlobStore, key: string): Promise<number> => {
  const source = await from.stat(key)
  if (source === null) throw new BlobNotFoundError(key)
  const { sizeBytes } = source
  if ((await to.stat(key))?.sizeBytes === sizeBytes && (await hashOf(to, key)) === (await hashOf(from, key)))
    return sizeBytes

  const hash = createHash('sha256')
  // The generator opens the stream on the first read: a store that fails before then would leak an open
  // stream.
  const hashed = async function* (): AsyncGenerator<Buffer> {
    for await (const bytes of (await from.stream(key)) as AsyncIterable<Buffer>) {
      hash.update(bytes)
      yield bytes
    }
  }
  const copied = await to.put(key, hashed(), { sizeBytes })
  if (copied.sizeBytes !== sizeBytes || (await hashOf(to, key)) !== hash.digest('hex'))
    throw new Error(`The copy of ${key} differs from the original. The blob is not moved.`)
  return sizeBytes
}

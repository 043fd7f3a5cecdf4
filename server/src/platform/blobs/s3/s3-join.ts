import { forEachAtOnce } from '../../base/concurrency/for-each-at-once.ts'
import type { BlobPiece, BlobStore } from '../blob-store.ts'
import { sizeOfPiece, streamPieces } from '../join-pieces.ts'
import type { MultipartPart, MultipartStore } from './s3-multipart.ts'

/** Amazon S3 User Guide, "Multipart upload limits": all parts but the last have at least 5 MiB. */
const leastPartBytes = 5 * 2 ** 20
/** At most 10,000 parts are allowed. */
const mostParts = 9_000
const partsAtOnce = 4

/** Groups pieces into parts. A part of one piece can be copied; the others must be read. */
export const planParts = (pieces: readonly BlobPiece[]): BlobPiece[][] => {
  const totalBytes = pieces.reduce((sum, piece) => sum + sizeOfPiece(piece), 0)
  const partBytes = Math.max(leastPartBytes, Math.ceil(totalBytes / mostParts))
  const parts: BlobPiece[][] = []
  let openBytes = partBytes
  for (const piece of pieces) {
    if (sizeOfPiece(piece) === 0) continue
    if (openBytes >= partBytes) {
      parts.push([])
      openBytes = 0
    }
    parts.at(-1)!.push(piece)
    openBytes += sizeOfPiece(piece)
  }
  return parts
}

/** Joins by a multipart upload, in which the store copies the large pieces. */
export const joinInS3 = async (
  store: Pick<BlobStore, 'put' | 'stream'>,
  multipart: MultipartStore,
  key: string,
  pieces: readonly BlobPiece[],
): Promise<{ sizeBytes: number }> => {
  const plan = planParts(pieces)
  if (plan.length <= 1) return store.put(key, await bytesOf(store, pieces))
  const id = await multipart.create(key)
  try {
    const parts: MultipartPart[] = []
    const send = async ([index, part]: [number, BlobPiece[]]): Promise<void> => {
      const [first] = part
      const etag =
        part.length === 1 && first !== undefined && !Buffer.isBuffer(first)
          ? await multipart.copyPart(key, id, index + 1, first)
          : await multipart.putPart(key, id, index + 1, await bytesOf(store, part))
      parts.push({ number: index + 1, etag })
    }
    // A part that is still being sent must not follow the abort.
    await forEachAtOnce(plan.entries(), partsAtOnce, send)
    const inOrder = parts.toSorted((one, other) => one.number - other.number)
    if (!(await multipart.complete(key, id, inOrder)))
      throw new Error(`The multipart upload of ${key} is gone.`)
  } catch (error) {
    await multipart.abort(key, id).catch(() => {})
    throw error
  }
  return { sizeBytes: pieces.reduce((sum, piece) => sum + sizeOfPiece(piece), 0) }
}

const bytesOf = async (store: Pick<BlobStore, 'stream'>, pieces: readonly BlobPiece[]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(streamPieces(store, pieces)))

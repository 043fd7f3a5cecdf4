import type { BlobStore, ByteRange } from '../../../platform/blobs/blob-store.ts'
import { keepLocalFiles } from '../../../platform/blobs/keep-local-files.ts'
import { createLocalCopies } from '../../../platform/blobs/local-copies.ts'

/** The blobs as a worker on another machine has them. Counts the bytes that it fetches for local files. */
export const createRemoteBlobs = (
  blobs: BlobStore,
  folder: string,
  /** Changes what is fetched of a plan. */
  change: (ranges: readonly ByteRange[]) => readonly ByteRange[] = (ranges) => ranges,
) => {
  let fetchedBytes = 0
  /** Whether each user of a local file had the whole blob. */
  const uses: boolean[] = []
  const copies = createLocalCopies({
    folder,
    openRange: async ({ key }, range) => {
      fetchedBytes += range.end - range.start
      return blobs.stream(key, range)
    },
    toError: (error) => error,
  })
  const withLocalFile: BlobStore['withLocalFile'] = async (key, use, plan) => {
    const { sizeBytes } = (await blobs.stat(key))!
    return copies.lend(
      { key, etag: '', sizeBytes },
      (path, isWhole) => {
        uses.push(isWhole)
        return use(path, isWhole)
      },
      plan && (async (source) => change((await plan(source)) ?? [{ start: 0, end: sizeBytes }])),
    )
  }
  const kept = keepLocalFiles({ ...blobs, withLocalFile })
  return { ...kept, uses, fetchedBytes: () => fetchedBytes }
}

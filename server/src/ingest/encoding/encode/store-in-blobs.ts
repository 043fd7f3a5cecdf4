import { initBlob, segmentBlob } from '../../../library/files/media/media-blobs.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { SegmentStore } from './run-encode.ts'

/** Stores each output below its own key. `check` runs before each blob is written. */
export const storeInBlobs = (
  blobs: Pick<BlobStore, 'put'>,
  mediaBlobs: readonly string[],
  check: () => Promise<void> = async () => {},
): SegmentStore => {
  const blobOf = (output: number): string => {
    const mediaBlob = mediaBlobs[output]
    if (mediaBlob === undefined) throw new RangeError(`There is no output ${output}.`)
    return mediaBlob
  }
  return {
    putInit: async (output, data) => {
      await check()
      await blobs.put(initBlob(blobOf(output)), data)
    },
    putSegment: async (output, index, data) => {
      await check()
      await blobs.put(segmentBlob(blobOf(output), index), data)
    },
  }
}

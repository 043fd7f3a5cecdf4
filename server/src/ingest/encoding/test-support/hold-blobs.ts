import type { BlobStore } from '../../../platform/blobs/blob-store.ts'

export const holdBlobs = (blobs: BlobStore, key: RegExp) => {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const hold = async (wanted: string): Promise<void> => {
    if (!key.test(wanted)) return
    reached.resolve()
    await released.promise
  }
  const held: BlobStore = {
    ...blobs,
    put: async (wanted, ...rest) => {
      await hold(wanted)
      return blobs.put(wanted, ...rest)
    },
    adopt: async (path, wanted) => {
      await hold(wanted)
      return blobs.adopt(path, wanted)
    },
  }
  return { blobs: held, reached: reached.promise, release: released.resolve }
}

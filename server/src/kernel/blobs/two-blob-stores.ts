import { randomUUID } from 'node:crypto'
import { access, link, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { BlobNotFoundError, type BlobStore } from './blob-store.ts'
import { errorCodeOf } from './durable-files.ts'

export interface TwoBlobStoresOptions {
  readonly disk: BlobStore
  readonly s3: BlobStore
  /** Where new blobs go; what is in the other one is moved there meanwhile. */
  readonly present: 'disk' | 's3'
  /** On the file system of `disk`. */
  readonly lendingFolder: string
}

/** Nobody asked this one, or it has nothing under the key. */
const missing = Symbol('missing')

/**
 * One store while media moves from the one to the other: each blob lies in one of them, or the same in both. A look at the disk costs next to
 * nothing, so that comes first whichever way they move.
 */
export const createTwoBlobStores = (options: TwoBlobStoresOptions): BlobStore => {
  const { disk, s3, lendingFolder } = options
  const isDiskPresent = options.present === 'disk'
  const [former, present] = isDiskPresent ? [s3, disk] : [disk, s3]
  // What moves to the disk may get there, and leave S3, between the first two looks.
  const places = isDiskPresent ? [disk, s3, disk] : [disk, s3]

  const search = async <T>(
    key: string,
    look: (store: BlobStore) => Promise<T | typeof missing>,
  ): Promise<T> => {
    for (const store of places) {
      const found = await look(store).catch((error: unknown) => {
        if (error instanceof BlobNotFoundError) return missing
        throw error
      })
      if (found !== missing) return found as T
    }
    throw new BlobNotFoundError(key)
  }

  const put: BlobStore['put'] = async (key, data, putOptions) => {
    const result = await present.put(key, data, putOptions)
    await former.delete(key)
    return result
  }

  const adopt: BlobStore['adopt'] = async (localPath, key) => {
    const isHere = await access(localPath).then(
      () => true,
      () => false,
    )
    // Adopted before the change of store, by a process that was killed before it could say so.
    const earlier = isHere ? null : await former.stat(key)
    if (earlier !== null) return { sizeBytes: earlier.sizeBytes }
    const result = await present.adopt(localPath, key)
    await former.delete(key)
    return result
  }

  const stat: BlobStore['stat'] = (key) =>
    search(key, async (store) => (await store.stat(key)) ?? missing).catch((error: unknown) => {
      if (error instanceof BlobNotFoundError) return null
      throw error
    })

  /** A link of its own holds the content while the blob is moved away; ffmpeg may open it again and again. */
  const lendFromDisk = <T>(key: string, use: (localPath: string) => Promise<T>): Promise<T> =>
    disk.withLocalFile(key, async (blobPath) => {
      const folder = path.join(lendingFolder, randomUUID())
      await mkdir(folder, { recursive: true })
      try {
        const lent = path.join(folder, path.basename(blobPath))
        await link(blobPath, lent).catch((error: unknown) => {
          throw errorCodeOf(error) === 'ENOENT' ? new BlobNotFoundError(key) : error
        })
        return await use(lent)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })

  return {
    put,
    adopt,
    stat,
    read: (key, range) => search(key, (store) => store.read(key, range)),
    stream: (key, range) => search(key, (store) => store.stream(key, range)),
    withLocalFile: (key, use) =>
      search(key, (store) => (store === disk ? lendFromDisk(key, use) : store.withLocalFile(key, use))),
    list: async (prefix) => [...new Set([...(await former.list(prefix)), ...(await present.list(prefix))])],
    // The former first: whoever copies looks there afterwards whether the blob is still wanted.
    delete: async (key) => {
      await former.delete(key)
      await present.delete(key)
    },
    deletePrefix: async (prefix) =>
      (await former.deletePrefix(prefix)) + (await present.deletePrefix(prefix)),
    checkHealth: async () => {
      await former.checkHealth()
      await present.checkHealth()
    },
    sweepTemporary: async (olderThanMs) =>
      (await former.sweepTemporary(olderThanMs)) + (await present.sweepTemporary(olderThanMs)),
  }
}

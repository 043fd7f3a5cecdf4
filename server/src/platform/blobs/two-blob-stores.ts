import { randomUUID } from 'node:crypto'
import { access, link, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { BlobNotFoundError, type BlobStore, type UseLocalFile } from './blob-store.ts'
import { errorCodeOf } from './durable-files.ts'
import { sizeOfPiece, streamPieces } from './join-pieces.ts'

export interface TwoBlobStoresOptions {
  readonly disk: BlobStore
  readonly s3: BlobStore
  /** Store for new blobs; the worker moves the blobs of the other one to it. */
  readonly present: 'disk' | 's3'
  /** Must be on the file system of `disk`. */
  readonly lendingFolder: string
}

/** The store was not queried, or has no blob under the key. */
const missing = Symbol('missing')

/**
 * Combines two stores while media moves from one to the other. Each blob is in one of them, or the same in
 * both. Reads try the disk first in either direction, because a lookup there is nearly free.
 */
export const createTwoBlobStores = (options: TwoBlobStoresOptions): BlobStore => {
  const { disk, s3, lendingFolder } = options
  const isDiskPresent = options.present === 'disk'
  const [former, present] = isDiskPresent ? [s3, disk] : [disk, s3]
  // When blobs move to the disk, a blob may move there between the first two lookups.
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
    // A process adopted the file before the change of store and was killed before it recorded that.
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

  /** A separate hard link keeps the content while the blob moves away, because ffmpeg may reopen it. */
  const lendFromDisk = <T>(key: string, use: UseLocalFile<T>): Promise<T> =>
    disk.withLocalFile(key, async (blobPath) => {
      const folder = path.join(lendingFolder, randomUUID())
      await mkdir(folder, { recursive: true })
      try {
        const lent = path.join(folder, path.basename(blobPath))
        await link(blobPath, lent).catch((error: unknown) => {
          throw errorCodeOf(error) === 'ENOENT' ? new BlobNotFoundError(key) : error
        })
        return await use(lent, true)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })

  const stream: BlobStore['stream'] = (key, range) => search(key, (store) => store.stream(key, range))

  return {
    put,
    adopt,
    join: (key, pieces) =>
      put(key, streamPieces({ stream }, pieces), {
        sizeBytes: pieces.reduce((sum, piece) => sum + sizeOfPiece(piece), 0),
      }),
    stat,
    read: (key, range) => search(key, (store) => store.read(key, range)),
    stream,
    withLocalFile: (key, use, plan) =>
      search(key, (store) => (store === disk ? lendFromDisk(key, use) : store.withLocalFile(key, use, plan))),
    list: async (prefix) => [...new Set([...(await former.list(prefix)), ...(await present.list(prefix))])],
    // Deletes from the former store first: the copying worker then looks there to see whether the blob is
    // still wanted.
    delete: async (key) => {
      await former.delete(key)
      await present.delete(key)
    },
    deleteAll: async (names) => {
      await former.deleteAll(names)
      await present.deleteAll(names)
    },
    deletePrefix: async (prefix) =>
      (await former.deletePrefix(prefix)) + (await present.deletePrefix(prefix)),
    checkHealth: async () => {
      await former.checkHealth()
      await present.checkHealth()
    },
    sweepTemporary: async (olderThanMs, usedMultiparts) =>
      (await former.sweepTemporary(olderThanMs, usedMultiparts)) +
      (await present.sweepTemporary(olderThanMs, usedMultiparts)),
  }
}

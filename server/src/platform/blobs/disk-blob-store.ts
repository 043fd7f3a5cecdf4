import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, open as openWithCallback, type Stats } from 'node:fs'
import { copyFile, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { forEachAtOnce } from '../base/concurrency/for-each-at-once.ts'
import {
  BlobNotFoundError,
  BlobStoreUnavailableError,
  checkBlobKey,
  checkBlobPrefix,
  checkByteRange,
  type BlobStore,
  type ByteRange,
} from './blob-store.ts'
import { streamPieces } from './join-pieces.ts'
import {
  errorCodeOf,
  makeFolder,
  readFully,
  sweepFolder,
  syncFolder,
  syncLocalFile,
  toStorageError,
  writeAll,
  writeData,
} from './durable-files.ts'

/** Size of one stream read: Node's default of 64 KiB costs more CPU per byte. */
const streamReadBytes = 256 * 1024

/** libuv runs four of them at a time. */
const deletionsAtOnce = 8

/** A concurrent deletion may remove an empty folder between its creation and the rename. */
const placeAttempts = 5

const missingCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

const isMissing = (error: unknown): boolean => missingCodes.has(errorCodeOf(error))

/** A folder that a concurrent deletion removed contains no name to make durable. */
const ignoreMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error
}

interface Part {
  readonly start: number
  readonly end: number
}

const openDescriptor = promisify(openWithCallback)

/**
 * Stores blobs as files below `<folder>/blobs`, named by their keys. Writes them below `<folder>/temporary`,
 * on the same file system, and renames them. Several processes may share the folder.
 */
export const createDiskBlobStore = ({ folder }: { readonly folder: string }): BlobStore => {
  const blobsFolder = path.join(folder, 'blobs')
  const temporaryFolder = path.join(folder, 'temporary')

  const pathOf = (key: string): string => {
    checkBlobKey(key)
    return path.join(blobsFolder, key)
  }

  const newTemporaryPath = async (): Promise<string> => {
    await makeFolder(temporaryFolder)
    return path.join(temporaryFolder, randomUUID())
  }

  const place = async (from: string, to: string): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await rename(from, to)
        break
      } catch (error) {
        if (errorCodeOf(error) !== 'ENOENT' || attempt === placeAttempts) throw error
        await makeFolder(path.dirname(to))
      }
    }
    await syncFolder(path.dirname(to)).catch(ignoreMissing)
  }

  /**
   * Lets `fill` write a temporary file and renames it to its destination. Removes the temporary file in any
   * case.
   */
  const replace = async <T>(to: string, fill: (path: string) => Promise<T>): Promise<T> => {
    const temporaryPath = await newTemporaryPath()
    try {
      const result = await fill(temporaryPath)
      await place(temporaryPath, to)
      return result
    } catch (error) {
      await rm(temporaryPath, { force: true })
      throw toStorageError(error)
    }
  }

  const put: BlobStore['put'] = async (key, data) =>
    await replace(pathOf(key), async (temporaryPath) => {
      await using handle = await open(temporaryPath, 'wx')
      const sizeBytes = await writeData(handle, data)
      await handle.datasync()
      return { sizeBytes }
    })

  const adopt: BlobStore['adopt'] = async (localPath, key) => {
    const to = pathOf(key)
    const sizeBytes = await syncLocalFile(localPath)
    if (sizeBytes === null) {
      const blob = await statBlob(key)
      if (blob === null) throw new Error(`Neither ${localPath} nor the blob ${key} exists.`)
      return { sizeBytes: blob.sizeBytes }
    }
    try {
      await place(localPath, to)
    } catch (error) {
      if (errorCodeOf(error) !== 'EXDEV') throw toStorageError(error)
      await replace(to, async (temporaryPath) => {
        await copyFile(localPath, temporaryPath, constants.COPYFILE_EXCL)
        await using handle = await open(temporaryPath, 'r+')
        await handle.datasync()
      })
      await rm(localPath, { force: true })
    }
    return { sizeBytes }
  }

  const statBlob: BlobStore['stat'] = async (key) => {
    try {
      const stats = await stat(pathOf(key))
      return stats.isFile() ? { sizeBytes: stats.size, modifiedAt: stats.mtime } : null
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  const toNotFound = (key: string) => (error: unknown) => {
    throw isMissing(error) ? new BlobNotFoundError(key) : error
  }

  const partOf = (key: string, stats: Stats, range: ByteRange | undefined): Part => {
    if (!stats.isFile()) throw new BlobNotFoundError(key)
    const start = Math.min(range?.start ?? 0, stats.size)
    return { start, end: Math.min(range?.end ?? stats.size, stats.size) }
  }

  /**
   * Uses the thread pool as little as possible, because each of its calls costs as much as copying 100 KB:
   * `fstat` of a file that was just opened, and `close` of one that was only read, do not wait for the disk.
   */
  const read: BlobStore['read'] = async (key, range) => {
    checkByteRange(range)
    const descriptor = await openDescriptor(pathOf(key), 'r').catch(toNotFound(key))
    try {
      const { start, end } = partOf(key, fstatSync(descriptor), range)
      return await readFully(descriptor, start, end - start)
    } finally {
      closeSync(descriptor)
    }
  }

  const stream: BlobStore['stream'] = async (key, range) => {
    checkByteRange(range)
    const handle = await open(pathOf(key), 'r').catch(toNotFound(key))
    try {
      const { start, end } = partOf(key, await handle.stat(), range)
      if (start < end) return handle.createReadStream({ start, end: end - 1, highWaterMark: streamReadBytes })
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return Readable.from([])
  }

  const withLocalFile: BlobStore['withLocalFile'] = async (key, use) => {
    if ((await statBlob(key)) === null) throw new BlobNotFoundError(key)
    return await use(pathOf(key), true)
  }

  /** `rmdir` removes only empty folders, so a concurrent put loses no blob. */
  const removeEmptyFolders = async (from: string): Promise<void> => {
    let parent = from
    try {
      while (parent !== blobsFolder) {
        await rmdir(parent)
        parent = path.dirname(parent)
      }
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCodeOf(error) ?? '')) throw error
    }
  }

  const deleteBlob: BlobStore['delete'] = async (key) => {
    const blobPath = pathOf(key)
    if ((await statBlob(key)) === null) return
    await rm(blobPath, { force: true })
    await syncFolder(path.dirname(blobPath)).catch(ignoreMissing)
    await removeEmptyFolders(path.dirname(blobPath))
  }

  const list: BlobStore['list'] = async (prefix) => {
    checkBlobPrefix(prefix)
    const listedFolder = path.join(blobsFolder, prefix)
    const entries = await readdir(listedFolder, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (isMissing(error)) return []
        throw error
      },
    )
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(blobsFolder, path.join(entry.parentPath, entry.name)))
  }

  /**
   * One rename removes the whole prefix at once. The bytes are deleted afterwards, at the latest by
   * `sweepTemporary`.
   */
  const deletePrefix: BlobStore['deletePrefix'] = async (prefix) => {
    checkBlobPrefix(prefix)
    const prefixFolder = path.join(blobsFolder, prefix)
    const temporaryPath = await newTemporaryPath()
    try {
      await rename(prefixFolder, temporaryPath)
    } catch (error) {
      if (isMissing(error)) return 0
      throw error
    }
    await syncFolder(path.dirname(prefixFolder)).catch(ignoreMissing)
    await removeEmptyFolders(path.dirname(prefixFolder))
    const entries = await readdir(temporaryPath, { recursive: true, withFileTypes: true })
    await rm(temporaryPath, { recursive: true, force: true })
    return entries.filter((entry) => entry.isFile()).length
  }

  const deleteAll: BlobStore['deleteAll'] = async (names) => {
    const removed: string[] = []
    const folders = new Set<string>()
    const removeFolder = async (prefix: string): Promise<void> => {
      checkBlobPrefix(prefix)
      const prefixFolder = path.join(blobsFolder, prefix)
      const temporaryPath = await newTemporaryPath()
      await rename(prefixFolder, temporaryPath)
      removed.push(temporaryPath)
      folders.add(path.dirname(prefixFolder))
    }
    const removeBlob = async (key: string): Promise<void> => {
      if ((await statBlob(key)) === null) return
      await rm(pathOf(key), { force: true })
      folders.add(path.dirname(pathOf(key)))
    }
    await forEachAtOnce(names, deletionsAtOnce, (name) =>
      (name.endsWith('/') ? removeFolder(name) : removeBlob(name)).catch(ignoreMissing),
    )
    // One sync for all that were in the same folder.
    await forEachAtOnce(folders, deletionsAtOnce, async (changed) => {
      await syncFolder(changed).catch(ignoreMissing)
      await removeEmptyFolders(changed)
    })
    await forEachAtOnce(removed, deletionsAtOnce, (temporaryPath) =>
      rm(temporaryPath, { recursive: true, force: true }),
    )
  }

  const checkHealth: BlobStore['checkHealth'] = async () => {
    try {
      const temporaryPath = await newTemporaryPath()
      try {
        await using handle = await open(temporaryPath, 'wx')
        await writeAll(handle, [Buffer.from('healthy')])
        await handle.datasync()
      } finally {
        await rm(temporaryPath, { force: true })
      }
    } catch (error) {
      const known = toStorageError(error)
      if (known !== error) throw known
      throw new BlobStoreUnavailableError(
        `Cannot write to the media folder (${errorCodeOf(error) ?? 'unknown'}).`,
        error,
      )
    }
  }

  const sweepTemporary: BlobStore['sweepTemporary'] = async (olderThanMs) =>
    await sweepFolder(temporaryFolder, olderThanMs)

  return {
    put,
    adopt,
    join: (key, pieces) => put(key, streamPieces({ stream }, pieces)),
    stat: statBlob,
    read,
    stream,
    withLocalFile,
    list,
    deletePrefix,
    deleteAll,
    delete: deleteBlob,
    checkHealth,
    sweepTemporary,
  }
}

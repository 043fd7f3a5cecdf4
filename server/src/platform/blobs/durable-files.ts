import { read } from 'node:fs'
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StorageFullError, type BlobData } from './blob-store.ts'

export const errorCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const fullCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT'])

export const toStorageError = (error: unknown): unknown =>
  fullCodes.has(errorCodeOf(error)) ? new StorageFullError(error) : error

/** A new or removed name survives a power failure only after fsync of its folder (fsync(2), NOTES). */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** Creates `folder` and its missing parents; each new name is durable when the promise resolves. */
export const makeFolder = async (folder: string): Promise<void> => {
  const firstMade = await mkdir(folder, { recursive: true })
  if (firstMade === undefined) return
  let made = path.resolve(folder)
  const top = path.dirname(path.resolve(firstMade))
  while (made !== top) {
    made = path.dirname(made)
    await syncFolder(made)
  }
}

/**
 * Writes all bytes of all buffers, at `position` or after the last write. Repeats short writes, which a full
 * disk causes, until they complete or fail.
 */
export const writeAll = async (
  handle: FileHandle,
  buffers: readonly Buffer[],
  position?: number,
): Promise<number> => {
  const sizeBytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
  let rest = buffers
  let restBytes = sizeBytes
  while (restBytes > 0) {
    const at = position === undefined ? undefined : position + sizeBytes - restBytes
    const { bytesWritten } = await handle.writev([...rest], at)
    restBytes -= bytesWritten
    if (restBytes > 0) rest = withoutFirstBytes(rest, bytesWritten)
  }
  return sizeBytes
}

const withoutFirstBytes = (buffers: readonly Buffer[], count: number): Buffer[] => {
  const rest: Buffer[] = []
  let skip = count
  for (const buffer of buffers) {
    if (skip < buffer.length) rest.push(buffer.subarray(skip))
    skip = Math.max(0, skip - buffer.length)
  }
  return rest
}

export const writeData = async (handle: FileHandle, data: BlobData): Promise<number> => {
  if (Buffer.isBuffer(data)) return await writeAll(handle, [data])
  if (Array.isArray(data)) return await writeAll(handle, data)
  let sizeBytes = 0
  for await (const buffer of data) sizeBytes += await writeAll(handle, [buffer])
  return sizeBytes
}

const readDescriptor = promisify(read)

/** Reads `length` bytes from `position`, or fewer at the end of the file. */
export const readFully = async (descriptor: number, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await readDescriptor(descriptor, buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/**
 * Removes entries of `folder` that begin with `prefix` and were last modified more than `olderThanMs` ago, and returns their number. A
 * missing folder is no error.
 */
export const sweepFolder = async (folder: string, olderThanMs: number, prefix = ''): Promise<number> => {
  const latestMs = Date.now() - olderThanMs
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return []
    throw error
  })
  let removed = 0
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const entryPath = path.join(folder, name)
    const stats = await stat(entryPath).catch(() => null)
    // File times have fractions of a millisecond, Date.now() has none. Without rounding, a file written now
    // would lie in the future.
    if (stats === null || Math.floor(stats.mtimeMs) > latestMs) continue
    await rm(entryPath, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

/**
 * Makes the content of a finished file durable. Returns its size in bytes, or null when the file does not
 * exist.
 */
export const syncLocalFile = async (localPath: string): Promise<number | null> => {
  const handle = await open(localPath, 'r').catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw error
  })
  if (handle === null) return null
  try {
    await handle.datasync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

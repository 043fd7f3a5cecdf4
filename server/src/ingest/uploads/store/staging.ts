import { mkdir, open, readdir, rm, stat, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../../platform/base/problem.ts'

/** Large writes make an upload cheap: Node's 16 KiB writes cost twice the CPU. */
const writeBytes = 1024 * 1024
/** Flushes the bytes of a slow sender before a block is full, because received bytes may already play. */
const patienceMs = 250
/** Syncs while bytes arrive, so that little is left to sync after the last one. */
const syncBytes = 32 * 1024 * 1024

/** Bytes of uploads are in files named by a UUID; other files in the folder are remuxes of them. */
export const isStagingName = (name: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name)

export interface AppendResult {
  readonly sizeBytes: number
  /** False when the sender disconnected before the end of its body. */
  readonly isWhole: boolean
}

/** Append-only files of in-progress uploads; on the local disk, whichever blob store is used. */
export interface Staging {
  readonly path: (name: string) => string
  /** Returns 0 before the first byte. */
  readonly sizeOf: (name: string) => Promise<number>
  readonly exists: (name: string) => Promise<boolean>
  /**
   * Truncates the file to `offset`, skips the first `skipBytes` of the body, appends the rest and syncs. Ends
   * early without an error when the sender disconnects. Throws 'too_large' past `maxSizeBytes` and
   * 'storage_full'.
   */
  readonly append: (
    name: string,
    body: AsyncIterable<Buffer>,
    options: { readonly offset: number; readonly skipBytes?: number; readonly maxSizeBytes: number },
  ) => Promise<AppendResult>
  /** Truncates the file; does nothing when it is shorter. */
  readonly truncate: (name: string, sizeBytes: number) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  readonly list: () => Promise<{ name: string; modifiedAt: Date }[]>
}

export const isSenderGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ABORT_ERR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

interface Writer {
  readonly position: () => number
  /** Takes the chunk. Waits only when a block is full while the previous one is still being written. */
  readonly push: (chunk: Buffer) => Promise<void> | void
  /** Resolves when all bytes are on disk; throws the first write error. */
  readonly finish: () => Promise<void>
  /** Resolves, even after an error, when no operation uses the file. */
  readonly settle: () => Promise<void>
}

/** Writes blocks of about `writeBytes`: gathers the next one during each write. */
const createWriter = (handle: FileHandle, offset: number): Writer => {
  let position = offset
  let pending: Buffer[] = []
  let pendingBytes = 0
  let unsyncedBytes = 0
  let flushedAtMs = performance.now()
  let writing: Promise<void> = Promise.resolve()
  let syncing: Promise<void> = Promise.resolve()

  const write = async (chunks: Buffer[], length: number, start: number): Promise<void> => {
    let { bytesWritten } = await handle.writev(chunks, start)
    // A nearly full disk causes a short write before ENOSPC.
    while (bytesWritten < length) {
      const rest = Buffer.concat(chunks).subarray(bytesWritten)
      bytesWritten += (await handle.write(rest, 0, rest.length, start + bytesWritten)).bytesWritten
    }
    unsyncedBytes += length
    if (unsyncedBytes < syncBytes) return
    unsyncedBytes = 0
    // `finish` reports a disk error once: without this handler, the promise would count as unhandled.
    syncing = syncing.then(() => handle.datasync())
    syncing.catch(() => {})
  }

  const flush = async (): Promise<void> => {
    await writing
    if (pendingBytes === 0) return
    writing = write(pending, pendingBytes, position)
    writing.catch(() => {})
    position += pendingBytes
    flushedAtMs = performance.now()
    pending = []
    pendingBytes = 0
  }

  return {
    position: () => position + pendingBytes,
    push: (chunk) => {
      pending.push(chunk)
      pendingBytes += chunk.length
      return pendingBytes >= writeBytes || performance.now() - flushedAtMs > patienceMs ? flush() : undefined
    },
    finish: async () => {
      await flush()
      await writing
      await syncing
      await handle.datasync()
    },
    settle: async () => {
      await Promise.allSettled([writing])
      await Promise.allSettled([syncing])
    },
  }
}

/** Writes and syncs the body; if the sender disconnects, returns with `isWhole` false. */
const writeAll = async (
  writer: Writer,
  body: AsyncIterable<Buffer>,
  options: { skipBytes: number; maxSizeBytes: number },
): Promise<AppendResult> => {
  let toSkip = options.skipBytes
  let isWhole = true
  try {
    for await (const received of body) {
      const chunk = toSkip > 0 ? received.subarray(toSkip) : received
      toSkip = Math.max(0, toSkip - received.length)
      if (chunk.length === 0) continue
      if (writer.position() + chunk.length > options.maxSizeBytes)
        throw new Problem('upload_too_large', { maxBytes: options.maxSizeBytes })
      const waiting = writer.push(chunk)
      if (waiting !== undefined) await waiting
    }
  } catch (error) {
    if (!isSenderGone(error)) throw error
    isWhole = false
  }
  await writer.finish()
  return { sizeBytes: writer.position(), isWhole }
}

export const openStaging = async (folder: string): Promise<Staging> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = (name: string): string => join(folder, name)
  const statOrNull = (name: string) =>
    stat(path(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  return {
    path,
    sizeOf: async (name) => (await statOrNull(name))?.size ?? 0,
    exists: async (name) => (await statOrNull(name)) !== null,
    append: async (name, body, { offset, skipBytes = 0, maxSizeBytes }) => {
      const handle = await open(path(name), offset === 0 ? 'w' : 'r+', 0o600)
      const writer = createWriter(handle, offset)
      try {
        await handle.truncate(offset)
        return await writeAll(writer, body, { skipBytes, maxSizeBytes })
      } catch (error) {
        if (isDiskFull(error)) {
          // Drops unacknowledged bytes to free space for others.
          await writer.settle()
          await handle.truncate(offset)
          throw new Problem('upload_storage_full', {}, { cause: error })
        }
        throw error
      } finally {
        await writer.settle()
        await handle.close()
      }
    },
    truncate: async (name, sizeBytes) => {
      const found = await statOrNull(name)
      if (found !== null && found.size > sizeBytes) await truncate(path(name), sizeBytes)
    },
    remove: (name) => rm(path(name), { force: true }),
    list: async () => {
      const names = await readdir(folder)
      const stats = await Promise.all(names.map(async (name) => ({ name, found: await statOrNull(name) })))
      return stats.flatMap(({ name, found }) => (found === null ? [] : [{ name, modifiedAt: found.mtime }]))
    },
  }
}

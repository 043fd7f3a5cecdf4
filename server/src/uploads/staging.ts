import { mkdir, open, readdir, rm, stat, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../kernel/problem.ts'

/** Large writes are what makes an upload cheap: node's 16 KiB ones cost twice the CPU (design.md section 3). */
const writeBytes = 1024 * 1024
/** Bytes of a slow sender do not wait longer for a piece to become full: what has arrived may play already. */
const patienceMs = 250
/** The disk works while bytes come in: little is left to sync behind the last one. */
const syncBytes = 32 * 1024 * 1024

/** Bytes of uploads are in files named by a UUID; other files in the folder are remuxes of them. */
export const isStagingName = (name: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name)

export interface AppendResult {
  /** Bytes that are in the file and synced. */
  readonly sizeBytes: number
  /** False when the sender broke off before the end of its body. */
  readonly isWhole: boolean
}

/** Files that grow by appending until an upload is whole; on local disk, whatever the blob store is. */
export interface Staging {
  readonly path: (name: string) => string
  /** 0 when nothing has arrived yet. */
  readonly sizeOf: (name: string) => Promise<number>
  readonly exists: (name: string) => Promise<boolean>
  /**
   * Writes the body behind `offset` (what was there is cut off), after passing over its first `skipBytes`, and syncs before it answers.
   * Ends early without harm when the sender goes away. Throws 'too_large' past `maxSizeBytes` and 'storage_full'.
   */
  readonly append: (
    name: string,
    body: AsyncIterable<Buffer>,
    options: { readonly offset: number; readonly skipBytes?: number; readonly maxSizeBytes: number },
  ) => Promise<AppendResult>
  /** Cuts off what lies behind; nothing happens when there is less. */
  readonly truncate: (name: string, sizeBytes: number) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** Names with the time of their last change. */
  readonly list: () => Promise<{ name: string; modifiedAt: Date }[]>
}

export const isSenderGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ABORT_ERR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

interface Writer {
  /** Where the next byte goes. */
  readonly position: () => number
  /** Takes the chunk; waits only where a piece is full while the one before it is still being written. */
  readonly push: (chunk: Buffer) => Promise<void> | void
  /** When all is on disk; throws what went wrong on the way. */
  readonly finish: () => Promise<void>
  /** When nothing uses the file any more, whatever became of it. */
  readonly settle: () => Promise<void>
}

/** Writes pieces of about `writeBytes`: one while the next is gathered. */
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
    // A short write is how a nearly full disk answers before ENOSPC.
    while (bytesWritten < length) {
      const rest = Buffer.concat(chunks).subarray(bytesWritten)
      bytesWritten += (await handle.write(rest, 0, rest.length, start + bytesWritten)).bytesWritten
    }
    unsyncedBytes += length
    if (unsyncedBytes < syncBytes) return
    unsyncedBytes = 0
    // An error of the disk is told once: none of these promises may be lost.
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

/** Writes and syncs the body; a sender that goes away ends it, with `isWhole` false. */
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
        throw new Problem(
          'too_large',
          `The upload is larger than the ${options.maxSizeBytes} bytes that it may have.`,
        )
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
          // What no answer has acknowledged makes room for others.
          await writer.settle()
          await handle.truncate(offset)
          throw new Problem(
            'storage_full',
            'The storage is full; free some space, then go on with the upload.',
            { cause: error },
          )
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

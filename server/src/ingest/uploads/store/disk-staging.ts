import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat, truncate, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../../../platform/base/problem.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { syncFolder } from '../../../platform/blobs/durable-files.ts'
import type { Staging } from './staging.ts'
import { takeBody } from './take-body.ts'

/** Large writes make an upload cheap: Node's 16 KiB writes cost twice the CPU. */
const writeBytes = 1024 * 1024
/** Flushes the bytes of a slow sender before a block is full, because received bytes may already play. */
const patienceMs = 250
/** Syncs while bytes arrive, so that little is left to sync after the last one. */
const syncBytes = 8 * 1024 * 1024

/** Append-only files on the local disk, whichever blob store is used. */
export interface DiskStaging extends Staging {
  readonly path: (name: string) => string
  readonly list: () => Promise<{ name: string; modifiedAt: Date }[]>
}

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

/**
 * Frees the memory of written chunks at once. V8 would run a full garbage collection for every 64 MB of them,
 * which costs more than the rest of an upload.
 */
const freeChunks = (chunks: readonly Buffer[]): void => {
  // Small buffers share the memory of a pool.
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Writes blocks of about `writeBytes`: gathers the next one during each write. */
const createWriter = (handle: FileHandle, offset: number): Writer => {
  let position = offset
  let pending: Buffer[] = []
  let pendingBytes = 0
  let unsyncedBytes = 0
  let isSyncing = false
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
    freeChunks(chunks)
    unsyncedBytes += length
    if (unsyncedBytes < syncBytes || isSyncing) return
    unsyncedBytes = 0
    isSyncing = true
    // A failed sync stays: Linux reports a disk error once.
    syncing = syncing.then(() => handle.datasync()).finally(() => (isSyncing = false))
    // `finish` throws it: without this handler, the promise would count as unhandled.
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

async function* bytesOf(paths: readonly string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: writeBytes })
}

export const openDiskStaging = async (
  folder: string,
  blobs: Pick<BlobStore, 'adopt'>,
): Promise<DiskStaging> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await syncFolder(dirname(folder))
  const path = (name: string): string => join(folder, name)
  const statOrNull = (name: string) =>
    stat(path(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })

  const append: Staging['append'] = async (name, body, options) => {
    const { offset, isAccepted } = options
    const handle = await open(path(name), offset === 0 ? 'w' : 'r+', 0o600)
    const writer = createWriter(handle, offset)
    try {
      await handle.truncate(offset)
      const isWhole = await takeBody(body, options, writer.push)
      await writer.finish()
      if (offset === 0) await syncFolder(folder)
      if (isAccepted === undefined || (isWhole && isAccepted()))
        return { sizeBytes: writer.position(), isWhole, isAccepted: true }
      await handle.truncate(offset)
      return { sizeBytes: offset, isWhole, isAccepted: false }
    } catch (error) {
      await writer.settle()
      // Drops unacknowledged bytes to free space for others.
      if (isDiskFull(error) || isAccepted !== undefined) await handle.truncate(offset)
      throw isDiskFull(error) ? new Problem('upload_storage_full', {}, { cause: error }) : error
    } finally {
      await writer.settle()
      await handle.close()
    }
  }

  const moveToBlob: Staging['moveToBlob'] = ({ name, blob }) => blobs.adopt(path(name), blob)

  return {
    path,
    mayKeepUnverified: true,
    // All requests for these bytes reach this process, whose `UploadLocks` allow one writer.
    hold: (_bytes, _onWanted, work) => work(),
    sizeOf: async (name) => (await statOrNull(name))?.size ?? null,
    append,
    truncate: async (name, sizeBytes) => {
      const found = await statOrNull(name)
      if (found !== null && found.size > sizeBytes) await truncate(path(name), sizeBytes)
    },
    sha256: async (name) => {
      const hash = createHash('sha256')
      for await (const chunk of bytesOf([path(name)])) hash.update(chunk)
      return hash.digest('hex')
    },
    join: async (name, parts, maxSizeBytes) => {
      const body = bytesOf(parts.map((part) => path(part.name)))
      await append(name, body, { offset: 0, maxSizeBytes }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new Problem('upload_part_deleted') : error
      })
    },
    moveToBlob,
    settle: async () => {},
    remove: (name) => rm(path(name), { force: true }),
    list: async () => {
      const names = await readdir(folder)
      const stats = await Promise.all(names.map(async (name) => ({ name, found: await statOrNull(name) })))
      return stats.flatMap(({ name, found }) => (found === null ? [] : [{ name, modifiedAt: found.mtime }]))
    },
  }
}

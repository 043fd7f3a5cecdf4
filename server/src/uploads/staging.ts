import { mkdir, open, readdir, rm, stat, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../kernel/problem.ts'

/** Large writes are what makes an upload cheap: node's 16 KiB ones cost twice the CPU (design.md section 3). */
const writeBytes = 1024 * 1024

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

const isSenderGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ABORT_ERR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Hands the body on in pieces of about `writeBytes`; a sender that goes away ends it, with `isWhole` false. */
const writeAll = async (
  handle: FileHandle,
  body: AsyncIterable<Buffer>,
  options: { offset: number; skipBytes: number; maxSizeBytes: number },
): Promise<AppendResult> => {
  let position = options.offset
  let toSkip = options.skipBytes
  let pending: Buffer[] = []
  let pendingBytes = 0
  const flush = async (): Promise<void> => {
    if (pendingBytes === 0) return
    const chunks = pending
    const length = pendingBytes
    pending = []
    pendingBytes = 0
    let { bytesWritten } = await handle.writev(chunks, position)
    // A short write is how a nearly full disk answers before ENOSPC.
    while (bytesWritten < length) {
      const rest = Buffer.concat(chunks).subarray(bytesWritten)
      bytesWritten += (await handle.write(rest, 0, rest.length, position + bytesWritten)).bytesWritten
    }
    position += length
  }
  let isWhole = true
  try {
    for await (const received of body) {
      const chunk = toSkip > 0 ? received.subarray(toSkip) : received
      toSkip = Math.max(0, toSkip - received.length)
      if (chunk.length === 0) continue
      if (position + pendingBytes + chunk.length > options.maxSizeBytes)
        throw new Problem(
          'too_large',
          `The upload is larger than the ${options.maxSizeBytes} bytes that it may have.`,
        )
      pending.push(chunk)
      pendingBytes += chunk.length
      if (pendingBytes >= writeBytes) await flush()
    }
  } catch (error) {
    if (!isSenderGone(error)) throw error
    isWhole = false
  }
  await flush()
  return { sizeBytes: position, isWhole }
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
      try {
        await handle.truncate(offset)
        const result = await writeAll(handle, body, { offset, skipBytes, maxSizeBytes })
        await handle.datasync()
        return result
      } catch (error) {
        if (isDiskFull(error))
          throw new Problem(
            'storage_full',
            'The storage is full; free some space, then go on with the upload.',
            { cause: error },
          )
        throw error
      } finally {
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

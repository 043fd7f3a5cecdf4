import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ByteRange, PlanRanges, UseLocalFile } from './blob-store.ts'
import { mergeRanges, missingRanges } from './byte-ranges.ts'
import { makeFolder, readFully, toStorageError, writeAll } from './durable-files.ts'

/** One version of a blob that another machine stores. */
export interface RemoteBlob {
  readonly key: string
  readonly etag: string
  readonly sizeBytes: number
}

/** Streams these bytes of the blob. Fails when the content no longer matches `blob.etag`. */
export type OpenRange = (blob: RemoteBlob, range: ByteRange) => Promise<AsyncIterable<Buffer>>

export interface LocalCopies {
  /** See `BlobStore.withLocalFile`. */
  readonly lend: <T>(blob: RemoteBlob, use: UseLocalFile<T>, plan?: PlanRanges) => Promise<T>
}

export interface LocalCopiesOptions {
  readonly folder: string
  readonly openRange: OpenRange
  /** Translates the error of a failed download. */
  readonly toError: (error: unknown, key: string) => unknown
}

/**
 * Long downloads lose their connection now and then. Each attempt resumes where the last one ended. The download
 * fails after this number of attempts in a row without a byte.
 */
const fruitlessAttempts = 5
/** Pause after the first attempt without a byte. It doubles with each further one. */
const firstPauseMs = 200

/** Receiving these bytes takes less time than another request. */
const smallGapBytes = 256 * 1024

/** A plan reads many headers, and each read can be a request. */
const planBlockBytes = 64 * 1024

const everything: ByteRange = { start: 0, end: Infinity }

/** The index of a damaged file names bytes after its end. */
const inside = (ranges: readonly ByteRange[], sizeBytes: number): ByteRange[] =>
  ranges.map(({ start, end }) => ({ start: Math.min(start, sizeBytes), end: Math.min(end, sizeBytes) }))

/**
 * Lends local copies of blobs. Concurrent users of the same content share one file, which the last of them
 * removes. It is sparse until all ranges have been fetched.
 */
export const createLocalCopies = ({ folder, openRange, toError }: LocalCopiesOptions): LocalCopies => {
  const copies = new Map<string, LocalCopy & { userCount: number }>()

  const begin = (id: string, blob: RemoteBlob) => {
    const download = createRangeDownload(blob, openRange, toError)
    const copy = {
      ...createLocalCopy(path.join(folder, randomUUID()), blob.sizeBytes, download),
      userCount: 0,
    }
    copies.set(id, copy)
    return copy
  }

  const lend: LocalCopies['lend'] = async (blob, use, plan) => {
    const id = `${blob.key} ${blob.etag}`
    const copy = copies.get(id) ?? begin(id, blob)
    copy.userCount += 1
    try {
      const ranges = copy.isWhole() ? [] : await plan?.(copy)
      await copy.fetch(inside(ranges ?? [everything], blob.sizeBytes))
      return await use(copy.path, copy.isWhole())
    } finally {
      copy.userCount -= 1
      if (copy.userCount === 0) {
        copies.delete(id)
        await rm(copy.path, { force: true })
      }
    }
  }

  return { lend }
}

interface LocalCopy {
  readonly path: string
  readonly sizeBytes: number
  readonly isWhole: () => boolean
  readonly fetch: (ranges: readonly ByteRange[]) => Promise<void>
  readonly read: (offset: number, length: number) => Promise<Buffer>
}

const createLocalCopy = (localPath: string, sizeBytes: number, download: RangeDownload): LocalCopy => {
  let known: readonly ByteRange[] = []
  const created = createSparseFile(localPath, sizeBytes)
  // Each user awaits it when it fetches.
  created.catch(() => {})
  let turn: Promise<unknown> = Promise.resolve()

  const fetchMissing = async (ranges: readonly ByteRange[]): Promise<void> => {
    await created
    const missing = mergeRanges(missingRanges(ranges, known), smallGapBytes)
    if (missing.length === 0) return
    await using handle = await open(localPath, 'r+')
    for (const range of missing) {
      await download(range, handle)
      known = mergeRanges([...known, range])
    }
  }

  /** One at a time, so that no user fetches what another one is fetching. */
  const fetch = (ranges: readonly ByteRange[]): Promise<void> => {
    const run = turn.then(() => fetchMissing(ranges))
    turn = run.catch(() => {})
    return run
  }

  const read = async (offset: number, length: number): Promise<Buffer> => {
    const end = Math.min(offset + length, sizeBytes)
    if (offset >= end) return Buffer.alloc(0)
    const start = Math.floor(offset / planBlockBytes) * planBlockBytes
    const blocksEnd = Math.ceil(end / planBlockBytes) * planBlockBytes
    await fetch([{ start, end: Math.min(blocksEnd, sizeBytes) }])
    await using handle = await open(localPath, 'r')
    return await readFully(handle.fd, offset, end - offset)
  }

  const isWhole = (): boolean => missingRanges([{ start: 0, end: sizeBytes }], known).length === 0
  return { path: localPath, sizeBytes, isWhole, fetch, read }
}

const createSparseFile = async (localPath: string, sizeBytes: number): Promise<void> => {
  await makeFolder(path.dirname(localPath))
  await using handle = await open(localPath, 'wx')
  await handle.truncate(sizeBytes)
}

type RangeDownload = (range: ByteRange, handle: FileHandle) => Promise<void>

const createRangeDownload =
  (blob: RemoteBlob, openRange: OpenRange, toError: LocalCopiesOptions['toError']): RangeDownload =>
  async ({ start, end }, handle) => {
    let at = start
    let failures = 0
    while (at < end) {
      const from = at
      try {
        for await (const buffer of await openRange(blob, { start: at, end })) {
          // A server that ignores the range would shift all bytes.
          if (at + buffer.length > end)
            throw new Error(`The download of ${blob.key} is longer than requested.`)
          await writeLocally(handle, buffer, at)
          at += buffer.length
        }
        if (at < end) throw new Error(`The download of ${blob.key} ended too early.`)
      } catch (error) {
        if (error instanceof LocalWriteError) throw error.cause
        failures = at > from ? 0 : failures + 1
        if (failures === fruitlessAttempts) throw toError(error, blob.key)
        if (failures > 0) await delay(firstPauseMs * 2 ** (failures - 1))
      }
    }
  }

/** Distinguishes a failure of the local disk from one of the connection; only the latter is retried. */
class LocalWriteError extends Error {}

const writeLocally = async (handle: FileHandle, buffer: Buffer, position: number): Promise<void> => {
  try {
    await writeAll(handle, [buffer], position)
  } catch (error) {
    throw new LocalWriteError('Cannot write the local copy.', { cause: toStorageError(error) })
  }
}

import type { Readable } from 'node:stream'
import { Problem } from '../problem.ts'

/** `start` is the first byte, `end` the one after the last; what reaches past the end of the blob is cut off. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export type BlobData = Buffer | readonly Buffer[] | AsyncIterable<Buffer>

interface PutOptions {
  readonly contentType?: string
  /** Of what is streamed, where that is known: a store may have to know beforehand for very large ones. */
  readonly sizeBytes?: number
}

interface BlobStat {
  readonly sizeBytes: number
  readonly modifiedAt: Date
}

/**
 * Keeps media under keys of ours. A key is never also the beginning of another one (`a` and `a/b`). Every implementation
 * keeps the promises of `blob-store.promises.ts`. Failures: `BlobNotFoundError`, `StorageFullError`,
 * `BlobStoreUnavailableError`; a malformed key is a bug of the caller and throws `TypeError`.
 */
export interface BlobStore {
  /** Atomic: a reader sees the whole blob or none, before and after an overwrite. Durable when it resolves. */
  readonly put: (key: string, data: BlobData, options?: PutOptions) => Promise<{ sizeBytes: number }>
  /**
   * Takes a finished local file over, which is gone afterwards. May be repeated after a crash: it succeeds when the file
   * is gone and the blob is there.
   */
  readonly adopt: (localPath: string, key: string) => Promise<{ sizeBytes: number }>
  readonly stat: (key: string) => Promise<BlobStat | null>
  readonly read: (key: string, range?: ByteRange) => Promise<Buffer>
  /** A missing blob is reported by the promise, not by the stream. The caller must read the stream or destroy it. */
  readonly stream: (key: string, range?: ByteRange) => Promise<Readable>
  /** The path is for reading only and holds until `use` settles, or the blob is deleted. */
  readonly withLocalFile: <T>(key: string, use: (path: string) => Promise<T>) => Promise<T>
  /** The keys of all blobs below `prefix`, which ends with '/', in no particular order. */
  readonly list: (prefix: string) => Promise<string[]>
  /** Deletes all blobs below `prefix`, which ends with '/'; answers how many there were. */
  readonly deletePrefix: (prefix: string) => Promise<number>
  /** A missing blob is fine. */
  readonly delete: (key: string) => Promise<void>
  /** Rejects with a sentence when blobs cannot be kept at present. */
  readonly checkHealth: () => Promise<void>
  /**
   * Removes what crashed processes left behind (half-written blobs, downloads) and nobody wrote to for so long; answers
   * how many. The age must exceed the longest upload and the longest `withLocalFile`: other processes share the store.
   */
  readonly sweepTemporary: (olderThanMs: number) => Promise<number>
}

export class BlobNotFoundError extends Error {
  readonly key: string

  constructor(key: string) {
    super(`There is no blob ${key}.`)
    this.name = 'BlobNotFoundError'
    this.key = key
  }
}

/** The disk or the quota of the store is full. */
export class StorageFullError extends Problem {
  constructor(cause?: unknown) {
    super('storage_full', 'The media storage is full: free space or enlarge it.', { cause })
    this.name = 'StorageFullError'
  }
}

/** The store does not answer, or refuses us. */
export class BlobStoreUnavailableError extends Problem {
  constructor(message: string, cause?: unknown) {
    super('unavailable', message, { cause })
    this.name = 'BlobStoreUnavailableError'
  }
}

const segmentPattern = /^[A-Za-z0-9._-]+$/

const isSegment = (segment: string): boolean =>
  segmentPattern.test(segment) && segment !== '.' && segment !== '..'

/** Keys become paths: nothing but plain segments may pass. */
export const checkBlobKey = (key: string): void => {
  if (!key.split('/').every(isSegment)) throw new TypeError(`${JSON.stringify(key)} is no blob key.`)
}

export const checkBlobPrefix = (prefix: string): void => {
  if (!prefix.endsWith('/') || !prefix.slice(0, -1).split('/').every(isSegment))
    throw new TypeError(
      `${JSON.stringify(prefix)} is no blob prefix: it must name at least one segment and end with '/'.`,
    )
}

export const checkByteRange = (range: ByteRange | undefined): void => {
  if (range === undefined) return
  const { start, end } = range
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new RangeError(`${String(start)} to ${String(end)} is no byte range.`)
}

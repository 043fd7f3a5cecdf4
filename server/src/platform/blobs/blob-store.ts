import type { Readable } from 'node:stream'
import { Problem } from '../base/problem.ts'

/**
 * `start` is the first byte, `end` the byte after the last; a range past the end of the blob is truncated.
 */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export type BlobData = Buffer | readonly Buffer[] | AsyncIterable<Buffer>

/** Reads a blob of which only some bytes are local. Resolves with fewer bytes at the end of the blob. */
export interface BlobReader {
  readonly sizeBytes: number
  readonly read: (offset: number, length: number) => Promise<Buffer>
}

/**
 * Chooses the bytes that a local file needs, in addition to those that it reads itself. Null stands for all
 * bytes.
 */
export type PlanRanges = (blob: BlobReader) => Promise<readonly ByteRange[] | null>

/** `isWhole` is false when bytes that were not planned may be missing: they read as zeros. */
export type UseLocalFile<T> = (path: string, isWhole: boolean) => Promise<T>

/** Bytes of a blob, or a range of another blob in the same store. */
export type BlobPiece = Buffer | { readonly key: string; readonly range: ByteRange }

interface PutOptions {
  readonly contentType?: string
  /** Size of a streamed blob, if known: some stores need it in advance for very large blobs. */
  readonly sizeBytes?: number
}

interface BlobStat {
  readonly sizeBytes: number
  readonly modifiedAt: Date
}

/**
 * Stores media under keys that Zoetrope generates. No key is a path prefix of another one (`a` and `a/b`).
 * Every implementation passes the tests in `blob-store.promises.ts`. Throws `BlobNotFoundError`,
 * `StorageFullError` or `BlobStoreUnavailableError`. Throws `TypeError` for a malformed key, which is a bug
 * of the caller.
 */
export interface BlobStore {
  /**
   * Atomic: a reader sees the whole blob or none, also during an overwrite. The blob is durable when the
   * promise resolves.
   */
  readonly put: (key: string, data: BlobData, options?: PutOptions) => Promise<{ sizeBytes: number }>
  /**
   * Moves a finished local file into the store. A caller may repeat it after a crash: it succeeds when the
   * local file is gone and the blob exists.
   */
  readonly adopt: (localPath: string, key: string) => Promise<{ sizeBytes: number }>
  /** Makes one blob of pieces, atomically. S3 copies large pieces itself. May be repeated after a crash. */
  readonly join: (key: string, pieces: readonly BlobPiece[]) => Promise<{ sizeBytes: number }>
  readonly stat: (key: string) => Promise<BlobStat | null>
  readonly read: (key: string, range?: ByteRange) => Promise<Buffer>
  /**
   * Rejects when the blob is missing, instead of failing the stream. The caller must read or destroy the
   * stream.
   */
  readonly stream: (key: string, range?: ByteRange) => Promise<Readable>
  /**
   * The path is read-only and valid until `use` settles or the blob is deleted. The file has the size of the
   * blob. With `plan`, a remote store fetches only the planned bytes.
   */
  readonly withLocalFile: <T>(key: string, use: UseLocalFile<T>, plan?: PlanRanges) => Promise<T>
  /** Returns the keys of all blobs below `prefix`, which ends with '/', in no particular order. */
  readonly list: (prefix: string) => Promise<string[]>
  /** Deletes all blobs below `prefix`, which ends with '/', and returns their number. */
  readonly deletePrefix: (prefix: string) => Promise<number>
  /** Succeeds also when the blob is missing. */
  readonly delete: (key: string) => Promise<void>
  /**
   * Deletes many blobs, and all blobs below each name that ends with '/', in fewer steps than one call each.
   * Succeeds also when they are missing. After an error, some of them are deleted.
   */
  readonly deleteAll: (names: readonly string[]) => Promise<void>
  /** Rejects with a full sentence when the store cannot accept blobs. */
  readonly checkHealth: () => Promise<void>
  /**
   * Removes half-written blobs and downloads of crashed processes that are older than `olderThanMs`, and
   * returns their number. The age must exceed the longest upload and the longest `withLocalFile`, because
   * other processes share the store. Keeps the multipart uploads that `usedMultiparts` returns.
   */
  readonly sweepTemporary: (olderThanMs: number, usedMultiparts?: UsedMultiparts) => Promise<number>
}

/** Returns those of these multipart uploads that are still in use, whatever their age. */
export type UsedMultiparts = (ids: readonly string[]) => Promise<ReadonlySet<string>>

export class BlobNotFoundError extends Error {
  readonly key: string

  constructor(key: string) {
    super(`There is no blob ${key}.`)
    this.name = 'BlobNotFoundError'
    this.key = key
  }
}

export class StorageFullError extends Problem<'media_storage_full'> {
  constructor(cause?: unknown) {
    super('media_storage_full', {}, { cause })
    this.name = 'StorageFullError'
  }
}

/** The store does not answer or denies access. */
export class BlobStoreUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'BlobStoreUnavailableError'
  }
}

const segmentPattern = /^[A-Za-z0-9._-]+$/

const isSegment = (segment: string): boolean =>
  segmentPattern.test(segment) && segment !== '.' && segment !== '..'

/** Disk stores use keys as paths, so only plain segments are valid. */
export const checkBlobKey = (key: string): void => {
  if (!key.split('/').every(isSegment)) throw new TypeError(`${JSON.stringify(key)} is not a blob key.`)
}

export const checkBlobPrefix = (prefix: string): void => {
  if (!prefix.endsWith('/') || !prefix.slice(0, -1).split('/').every(isSegment))
    throw new TypeError(
      `${JSON.stringify(prefix)} is not a blob prefix: it must have at least one segment and end with '/'.`,
    )
}

export const checkByteRange = (range: ByteRange | undefined): void => {
  if (range === undefined) return
  const { start, end } = range
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new RangeError(`${String(start)} to ${String(end)} is not a byte range.`)
}

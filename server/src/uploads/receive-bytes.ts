import { createHash } from 'node:crypto'
import type { Database } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import type { UploadDependencies } from './finish-upload.ts'
import type { GrowingBytes } from './growing-bytes.ts'
import type { AppendResult } from './staging.ts'
import type { UploadLocks } from './upload-locks.ts'

export interface ReceiveDependencies extends UploadDependencies {
  readonly database: Database
  readonly locks: UploadLocks
  readonly maxSizeBytes: number
  readonly expiryMs: number
}

/** What the bytes of one body must hash to. */
export interface BodyChecksum {
  readonly algorithm: 'sha1' | 'sha256'
  readonly digest: Buffer
}

export interface IncomingBody {
  readonly stream: AsyncIterable<Buffer>
  readonly checksum: BodyChecksum | null
  /** Makes the sender's stream end, when another request takes the upload over. */
  readonly cancel: () => void
}

interface PlannedAppend {
  readonly offset: number
  readonly skipBytes: number
  /** Bytes that there are after this body at most, when the sender said so. */
  readonly end: number | null
  readonly sizeBytes: number | null
  /** The end of this body is the end of all, where no length was told. */
  readonly isLast: boolean
  readonly isNothingNew?: never
}

/** Where a body belongs; some bring nothing that is not there. */
export type BodyPlan = PlannedAppend | { readonly isNothingNew: true; readonly sizeBytes: number | null }

export interface UploadProgress {
  /** Bytes that are safe: where to go on. */
  readonly offset: number
  readonly sizeBytes: number | null
  readonly isComplete: boolean
}

export const offsetConflict = (offset: number): Problem =>
  new Problem('conflict', `The upload has ${offset} bytes; go on from there.`, {
    headers: { 'Upload-Offset': String(offset) },
  })

const progressOf = async (bytes: GrowingBytes): Promise<UploadProgress> => ({
  offset: await bytes.received(),
  sizeBytes: bytes.sizeBytes,
  isComplete: bytes.isComplete,
})

const isWhole = ({ offset, sizeBytes, isComplete }: UploadProgress): boolean =>
  !isComplete && sizeBytes !== null && offset >= sizeBytes

/**
 * How far the bytes are. Where all are there they are finished here when a crash kept the last request from doing so: its sender reads from
 * the offset that nothing is left to send, and would never come back. `isTakeover` ends a request that is still writing, so that the next
 * one finds just the offset that is told here.
 */
export const currentProgress = async (
  dependencies: ReceiveDependencies,
  known: GrowingBytes,
  { isTakeover }: { readonly isTakeover: boolean },
): Promise<UploadProgress> => {
  const { locks } = dependencies
  const settle = async (): Promise<UploadProgress> => {
    const bytes = await known.reload()
    const progress = await progressOf(bytes)
    return isWhole(progress) ? finishWhenWhole(bytes, progress.offset, progress.sizeBytes) : progress
  }
  if (isTakeover) return locks.withLock(known.stagingName, settle)
  const progress = await progressOf(known)
  return isWhole(progress) ? locks.afterLock(known.stagingName, settle) : progress
}

/**
 * Takes one body, where `plan` says that it belongs. Every byte of an answered request is synced to disk; one that breaks off keeps what has
 * arrived, unless a checksum over the whole of it was promised. The last byte finishes.
 */
export const receiveBytes = async (
  dependencies: ReceiveDependencies,
  known: GrowingBytes,
  body: IncomingBody,
  plan: (bytes: GrowingBytes, received: number) => BodyPlan,
): Promise<UploadProgress> =>
  dependencies.locks.withLock(known.stagingName, async (signal) => {
    // Read anew: whoever had the lock before may have finished, and a source must not be written again.
    const bytes = await known.reload()
    // A third request came while this one waited for its turn: its sender is gone.
    if (signal.aborted && !bytes.isComplete)
      throw new Problem('conflict', 'A later request goes on with this upload.')
    const received = await bytes.received()
    const planned = plan(bytes, received)
    if (bytes.isComplete) return progressOf(bytes)
    if (planned.isNothingNew === true) return finishWhenWhole(bytes, received, planned.sizeBytes)
    if (planned.sizeBytes !== null && planned.sizeBytes > dependencies.maxSizeBytes)
      throw new Problem('too_large', `An upload may have ${dependencies.maxSizeBytes} bytes at most.`)
    signal.addEventListener('abort', body.cancel, { once: true })
    const result = await append(dependencies, bytes, body, planned)
    // From here on nothing of the sender is needed any more: whoever comes now waits for the end.
    signal.removeEventListener('abort', body.cancel)
    const sizeBytes = planned.sizeBytes ?? (planned.isLast && result.isWhole ? result.sizeBytes : null)
    await bytes.extend({ sizeBytes: sizeBytes === 0 ? null : sizeBytes, uncheckedAfter: null })
    if (!result.isWhole)
      throw new Problem('timeout', 'The connection broke off; ask for the offset and go on from there.')
    return finishWhenWhole(bytes, result.sizeBytes, sizeBytes)
  })

const append = async (
  { staging, maxSizeBytes, expiryMs }: ReceiveDependencies,
  bytes: GrowingBytes,
  { stream, checksum }: IncomingBody,
  { offset, skipBytes, end }: PlannedAppend,
): Promise<AppendResult> => {
  const { stagingName } = bytes
  const write = (body: AsyncIterable<Buffer>): Promise<AppendResult> =>
    whileExtending(
      () => bytes.extend({}),
      expiryMs / 4,
      staging.append(stagingName, body, { offset, skipBytes, maxSizeBytes: end ?? maxSizeBytes }),
    )
  if (checksum === null) {
    await bytes.extend({})
    return write(stream)
  }
  // A crash must not make bytes count that nobody has checked.
  await bytes.extend({ uncheckedAfter: offset })
  const hash = createHash(checksum.algorithm)
  const drop = async (): Promise<void> => {
    await staging.truncate(stagingName, offset)
    await bytes.extend({ uncheckedAfter: null })
  }
  const result = await write(passThrough(stream, hash)).catch(async (error: unknown) => {
    await drop()
    throw error
  })
  if (result.isWhole && hash.digest().equals(checksum.digest)) return result
  await drop()
  if (!result.isWhole) return { sizeBytes: offset, isWhole: false }
  throw new Problem(
    'invalid',
    `The bytes of this request do not have the ${checksum.algorithm} that Upload-Checksum says; they were dropped, send them again.`,
    { status: 460 },
  )
}

async function* passThrough(
  stream: AsyncIterable<Buffer>,
  hash: { readonly update: (chunk: Buffer) => unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    hash.update(chunk)
    yield chunk
  }
}

/** A body may take longer than an upload may rest: its expiry moves on while bytes arrive. */
const whileExtending = async <T>(
  extend: () => Promise<void>,
  everyMs: number,
  work: Promise<T>,
): Promise<T> => {
  const timer = setInterval(() => {
    // The next one, or the end of the body, makes up for one that fails.
    extend().catch(() => {})
  }, everyMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

const finishWhenWhole = async (
  bytes: GrowingBytes,
  received: number,
  sizeBytes: number | null,
): Promise<UploadProgress> => {
  if (sizeBytes === 0)
    throw new Problem('invalid', 'The body is empty; send the bytes of a video or audio file.')
  if (sizeBytes === null || received < sizeBytes) return { offset: received, sizeBytes, isComplete: false }
  await bytes.finish()
  return { offset: received, sizeBytes, isComplete: true }
}

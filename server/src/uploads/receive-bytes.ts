import type { Database } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { appendBody, type IncomingBody, type PlannedAppend } from './append-body.ts'
import type { UploadDependencies } from './finish-upload.ts'
import type { GrowingBytes } from './growing-bytes.ts'
import type { StagingOwner } from './staging-owner.ts'
import type { UploadLocks } from './upload-locks.ts'
import { whileArriving } from './while-arriving.ts'

export interface ReceiveDependencies extends UploadDependencies {
  readonly database: Database
  readonly locks: UploadLocks
  /** This node, which bytes are staged on. */
  readonly owner: StagingOwner
  readonly maxSizeBytes: number
  readonly expiryMs: number
  /** False where workers and playout do not share the disk that uploads are staged on. */
  readonly isPlayedWhileUploading: boolean
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
    return isWhole(progress) ? finishReceived(dependencies, bytes, progress) : progress
  }
  if (isTakeover) return locks.withLock(known.stagingName, settle)
  await locks.whenSettled(known.stagingName)
  const progress = await progressOf(await known.reload())
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
): Promise<UploadProgress> => {
  const take = async (signal: AbortSignal): Promise<UploadProgress> => {
    // Read anew: whoever had the lock before may have finished, and a source must not be written again.
    const bytes = await known.reload()
    // A third request came while this one waited for its turn: its sender is gone.
    if (signal.aborted && !bytes.isComplete)
      throw new Problem('conflict', 'A later request goes on with this upload.')
    // At once, so that no later request can come unheard.
    signal.addEventListener('abort', body.cancel, { once: true })
    try {
      return await takeBody(dependencies, bytes, body, plan, () =>
        signal.removeEventListener('abort', body.cancel),
      )
    } finally {
      signal.removeEventListener('abort', body.cancel)
    }
  }
  return dependencies.locks.withLock(known.stagingName, take, body.isOver)
}

const takeBody = async (
  dependencies: ReceiveDependencies,
  bytes: GrowingBytes,
  body: IncomingBody,
  plan: (bytes: GrowingBytes, received: number) => BodyPlan,
  onTaken: () => void,
): Promise<UploadProgress> => {
  const received = await bytes.received()
  const planned = plan(bytes, received)
  if (bytes.isComplete) return progressOf(bytes)
  if (planned.isNothingNew === true)
    return finishReceived(dependencies, bytes, { offset: received, sizeBytes: planned.sizeBytes })
  if (planned.sizeBytes !== null && planned.sizeBytes > dependencies.maxSizeBytes)
    throw new Problem('too_large', `An upload may have ${dependencies.maxSizeBytes} bytes at most.`)
  await bytes.claim()
  if (planned.offset < received) await bytes.onRewind()
  const result = await whileArriving(bytes.onArrival, () => appendBody(dependencies, bytes, body, planned))
  // From here on nothing of the sender is needed any more: whoever comes now waits for the end.
  onTaken()
  const sizeBytes = planned.sizeBytes ?? (planned.isLast && result.isWhole ? result.sizeBytes : null)
  await bytes.extend({ sizeBytes: sizeBytes === 0 ? null : sizeBytes, uncheckedAfter: null })
  if (!result.isWhole)
    throw new Problem('timeout', 'The connection broke off; ask for the offset and go on from there.')
  if (planned.isLast && sizeBytes !== null && result.sizeBytes < sizeBytes)
    throw new Problem(
      'invalid',
      `The body had ${result.sizeBytes} bytes, but the upload has ${sizeBytes}. Send it whole, or go on from there with Content-Range.`,
    )
  return finishWhenWhole(bytes, result.sizeBytes, sizeBytes)
}

/** Finishes what is here already, without what a crash left behind it unchecked. */
const finishReceived = async (
  { staging }: ReceiveDependencies,
  bytes: GrowingBytes,
  { offset, sizeBytes }: Pick<UploadProgress, 'offset' | 'sizeBytes'>,
): Promise<UploadProgress> => {
  await staging.truncate(bytes.stagingName, offset)
  return finishWhenWhole(bytes, offset, sizeBytes)
}

const finishWhenWhole = async (
  bytes: GrowingBytes,
  received: number,
  sizeBytes: number | null,
): Promise<UploadProgress> => {
  if (sizeBytes === 0)
    throw new Problem('invalid', 'The body is empty; send the bytes of a video or audio file.')
  if (sizeBytes === null || received < sizeBytes) {
    await bytes.onArrival()
    return { offset: received, sizeBytes, isComplete: false }
  }
  await bytes.finish()
  return { offset: received, sizeBytes, isComplete: true }
}

import { checkQuota } from '../../../library/projects/check-quota.ts'
import type { ProjectRow } from '../../../library/projects/project-record.ts'
import type { TouchPlaylists } from '../../../library/files/change/touch-playlists.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { appendBody, type IncomingBody, type PlannedAppend } from './append-body.ts'
import type { UploadDependencies } from './finish-upload.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { StagingOwner } from '../store/staging-owner.ts'
import type { UploadLocks } from './upload-locks.ts'
import { whileReceiving } from '../../play-while-uploading/while-receiving.ts'

export interface ReceiveDependencies extends UploadDependencies {
  readonly database: Database
  readonly locks: UploadLocks
  readonly touchPlaylists: TouchPlaylists
  readonly owner: StagingOwner
  readonly maxSizeBytes: number
  readonly expiryMs: number
  /** False when workers and playout do not share the disk of the staged uploads. */
  readonly isPlayedWhileUploading: boolean
}

/** Position of a body; some bodies contain only known bytes. */
export type BodyPlan =
  | PlannedAppend
  | { readonly isNothingNew: true; readonly sizeBytes: number | null; readonly end?: never }

export interface UploadProgress {
  /** Number of durable bytes, where the sender continues. */
  readonly offset: number
  readonly sizeBytes: number | null
  readonly isComplete: boolean
}

export const offsetConflict = (offset: number): Problem =>
  new Problem('upload_offset_mismatch', { offset }, { headers: { 'Upload-Offset': String(offset) } })

const progressOf = async (bytes: ResumableUpload): Promise<UploadProgress> => ({
  offset: await bytes.received(),
  sizeBytes: bytes.sizeBytes,
  isComplete: bytes.isComplete,
})

const isWhole = ({ offset, sizeBytes, isComplete }: UploadProgress): boolean =>
  !isComplete && sizeBytes !== null && offset >= sizeBytes

/**
 * Returns the progress of an upload. If all bytes are present but a crash prevented the last request from
 * finishing, finishes here: its sender sees the full offset and never returns. `isTakeover` ends a request
 * that is still writing, so that the next one finds exactly this offset.
 */
export const currentProgress = async (
  dependencies: ReceiveDependencies,
  known: ResumableUpload,
  { isTakeover }: { readonly isTakeover: boolean },
): Promise<UploadProgress> => {
  const { locks } = dependencies
  const settle = async (): Promise<UploadProgress> => {
    const bytes = await known.reload()
    const progress = await progressOf(bytes)
    return isWhole(progress) ? finishReceived(bytes, progress) : progress
  }
  const held = async (): Promise<UploadProgress> => {
    // Another node may have received the first bytes in the meantime, and its lease is needed to finish.
    const now = await known.reload()
    return now.hold({ isWriting: false, onWanted: () => {} }, settle)
  }
  if (isTakeover) return locks.withLock(known.stagingName, held)
  await locks.whenSettled(known.stagingName)
  const progress = await progressOf(await known.reload())
  return isWhole(progress) ? locks.afterLock(known.stagingName, held) : progress
}

/**
 * Receives one body at the position that `plan` returns. Every byte of an answered request is durable.
 * An interrupted body keeps the received bytes, unless it has a checksum over the whole. The last byte
 * completes the upload.
 */
export const receiveBytes = async (
  dependencies: ReceiveDependencies,
  known: ResumableUpload,
  body: IncomingBody,
  plan: (bytes: ResumableUpload, received: number) => BodyPlan,
): Promise<UploadProgress> => {
  const take = async (signal: AbortSignal): Promise<UploadProgress> => {
    let isReceiving = true
    const cancel = (): void => {
      if (isReceiving) body.cancel()
    }
    const work = async (): Promise<UploadProgress> => {
      // Reloads, because the previous holder may have finished, and a source must not be written twice.
      const bytes = await known.reload()
      // A third request arrived while this one waited: its sender is gone.
      if (signal.aborted && !bytes.isComplete) throw new Problem('upload_taken_over')
      // Registers synchronously, so that no later request is missed.
      signal.addEventListener('abort', cancel, { once: true })
      return takeBody(dependencies, bytes, body, plan, () => {
        isReceiving = false
      })
    }
    try {
      return await known.hold({ isWriting: true, onWanted: cancel }, work)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
  return dependencies.locks.withLock(known.stagingName, take, body.isOver)
}

const takeBody = async (
  dependencies: ReceiveDependencies,
  bytes: ResumableUpload,
  body: IncomingBody,
  plan: (bytes: ResumableUpload, received: number) => BodyPlan,
  onTaken: () => void,
): Promise<UploadProgress> => {
  const received = await bytes.received()
  const planned = plan(bytes, received)
  if (bytes.isComplete) return progressOf(bytes)
  // A chunk may come before the size of its upload.
  const leastBytes = Math.max(planned.sizeBytes ?? 0, planned.end ?? 0)
  if (leastBytes > dependencies.maxSizeBytes)
    throw new Problem('upload_too_large', { maxBytes: dependencies.maxSizeBytes })
  if (planned.isNothingNew === true)
    return finishReceived(bytes, { offset: received, sizeBytes: planned.sizeBytes })
  // The quota for a known size was checked before, and is checked again at the end.
  const project = bytes.sizeBytes === null ? await bytes.project() : null
  if (project !== null) checkQuota(project, leastBytes)
  await bytes.claim()
  if (planned.offset < received) await bytes.onRewind()
  const maxSizeBytes = Math.min(dependencies.maxSizeBytes, roomIn(project))
  const append = () => appendBody({ ...dependencies, maxSizeBytes }, bytes, body, planned)
  const result = await whileReceiving(bytes.onProgress, append).catch((error: unknown) => {
    const isTooLarge = error instanceof Problem && error.reason === 'upload_too_large'
    if (isTooLarge) checkAnnouncedEnd(planned)
    if (isTooLarge && project !== null) checkQuota(project, maxSizeBytes + 1)
    throw error
  })
  // The sender is no longer needed: later requests now wait for the end.
  onTaken()
  const sizeBytes = planned.sizeBytes ?? (planned.isLast && result.isWhole ? result.sizeBytes : null)
  await bytes.extend({ sizeBytes: sizeBytes === 0 ? null : sizeBytes, uncheckedAfter: null })
  if (!result.isWhole) throw new Problem('upload_interrupted')
  if (planned.isLast && sizeBytes !== null && result.sizeBytes < sizeBytes)
    throw new Problem('body_incomplete', { bodyBytes: result.sizeBytes, uploadBytes: sizeBytes })
  return finishWhenWhole(bytes, result.sizeBytes, sizeBytes)
}

/** The limit of such a body is its own header or `FileSize`, not a limit of the installation. */
const checkAnnouncedEnd = ({ offset, skipBytes, end, sizeBytes }: PlannedAppend): void => {
  if (end === null) return
  if (end === sizeBytes) throw new Problem('upload_length_exceeded', { uploadBytes: end })
  throw new Problem('content_range_exceeded', { rangeBytes: end - offset + skipBytes })
}

const roomIn = (project: ProjectRow | null): number =>
  project === null || project.storage_quota_bytes === null
    ? Infinity
    : Math.max(0, project.storage_quota_bytes - project.storage_bytes)

/** Completes the received bytes, without unverified ones of a crash. */
const finishReceived = async (
  bytes: ResumableUpload,
  { offset, sizeBytes }: Pick<UploadProgress, 'offset' | 'sizeBytes'>,
): Promise<UploadProgress> => {
  await bytes.staging().truncate(bytes.stagingName, offset)
  return finishWhenWhole(bytes, offset, sizeBytes)
}

const finishWhenWhole = async (
  bytes: ResumableUpload,
  received: number,
  sizeBytes: number | null,
): Promise<UploadProgress> => {
  if (sizeBytes === 0) throw new Problem('upload_empty')
  if (sizeBytes === null || received < sizeBytes) {
    await bytes.onProgress()
    return { offset: received, sizeBytes, isComplete: false }
  }
  await bytes.finish()
  return { offset: received, sizeBytes, isComplete: true }
}

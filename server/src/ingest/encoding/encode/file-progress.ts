import { messageOf, type EventName, type Message } from '@zoetrope/vocabulary'
import { MediaError } from '@zoetrope/ffmpeg'
import { revisionOf, type FileJob } from '../../../library/files/queue/file-jobs.ts'
import { IsobmffError } from '@zoetrope/isobmff'
import { newMessage } from '../../../platform/base/message.ts'
import { latestRevision } from '../../../library/files/change/file-revisions.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { FileProperties } from '../../../library/files/record/parts/file-properties.ts'
import { isPlayableState } from '../../../library/files/record/parts/file-state.ts'
import {
  changeMediaFile,
  lockMediaFile,
  type FileChange,
} from '../../../library/files/record/media-file-store.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { countInProject } from '../../../library/projects/project-counts.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'

/** State changes during processing. Each step is idempotent, because a job may run twice. */

const hasBegun = (file: MediaFileRow): boolean => file.state !== 'created'
export const isOver = (file: MediaFileRow): boolean => ['finished', 'failed', 'degraded'].includes(file.state)

/** Another revision of the file is wanted; the job that catches this error ends silently. */
export class SupersededError extends Error {
  constructor(job: FileJob) {
    super(`revision ${revisionOf(job)} of file ${job.fileId} is superseded`)
    this.name = 'SupersededError'
  }
}

/** Whether the error means that the file was deleted or the job is no longer wanted. */
export const isGone = (error: unknown): boolean =>
  error instanceof SupersededError || (error instanceof Problem && error.code === 'not_found')

export const isWanted = (job: FileJob, file: Pick<MediaFileRow, 'generation' | 'rework'>): boolean =>
  latestRevision(file) === revisionOf(job)

/**
 * Locks the file; throws SupersededError unless the job makes the wanted revision. Rows that depend on the
 * file change only under this lock.
 */
export const lockWanted = async (tx: Tx, job: FileJob): Promise<MediaFileRow> => {
  const file = await lockMediaFile(tx, job)
  if (!isWanted(job, file)) throw new SupersededError(job)
  return file
}

/**
 * Like `lockWanted`, but locks the project first, for changes of the byte counters. The fixed order prevents
 * deadlocks.
 */
export const lockWantedInProject = async (tx: Tx, job: FileJob): Promise<MediaFileRow> => {
  await shareProject(tx, job.accountId, job.projectId)
  return lockWanted(tx, job)
}

/** Changes the file; throws SupersededError unless the job makes the wanted revision. */
const changeProcessed = (
  tx: Tx,
  publicUrl: string,
  job: FileJob,
  decide: (file: MediaFileRow) => FileChange | 'unchanged',
): Promise<MediaFileRow> =>
  changeMediaFile(tx, publicUrl, job, (file) => {
    if (!isWanted(job, file)) throw new SupersededError(job)
    return decide(file)
  })

export const markUploaded = (tx: Tx, publicUrl: string, job: FileJob, properties: FileProperties) =>
  changeProcessed(tx, publicUrl, job, (file) => {
    const pending = file.rework
    // The record describes the current revision until the pending one is published.
    if (pending !== null) return { set: { rework: JSON.stringify({ ...pending, properties }) } }
    // The file already plays from its in-flight upload, so the skipped events are emitted now.
    if (file.arriving_upload !== null)
      return {
        set: { properties: JSON.stringify(properties), arriving_upload: null },
        events: ['file.uploaded', 'file.encoding'],
      }
    return {
      set: {
        properties: JSON.stringify(properties),
        ...(hasBegun(file) ? {} : { state: 'uploaded' as const }),
      },
      events: hasBegun(file) ? [] : ['file.uploaded'],
    }
  })

export const markEncoding = (tx: Tx, publicUrl: string, job: FileJob) =>
  changeProcessed(tx, publicUrl, job, (file) =>
    file.state === 'uploaded' ? { set: { state: 'encoding' }, events: ['file.encoding'] } : { set: {} },
  )

export const markPlayable = (tx: Tx, publicUrl: string, job: FileJob) =>
  changeProcessed(tx, publicUrl, job, (file) =>
    isPlayableState(file.state)
      ? { set: {} }
      : { set: { state: 'playable', playable_at: new Date() }, events: ['file.playable'] },
  )

/** `file.new` is emitted once per file. */
export const announcement = (file: MediaFileRow): EventName[] =>
  file.announced_at === null ? ['file.new'] : []

export const setProgress = (
  database: Database,
  publicUrl: string,
  job: FileJob,
  progress: { readonly percent: number; readonly readyAt: Date | null },
) =>
  database.transaction((tx) =>
    changeProcessed(tx, publicUrl, job, (file) =>
      // The job may have ended while its last progress was under way.
      isOver(file) && file.rework === null
        ? 'unchanged'
        : {
            set: {
              encoding_progress: Math.max(file.encoding_progress, Math.min(99, Math.floor(progress.percent))),
              estimated_ready_at: progress.readyAt,
            },
          },
    ),
  )

/**
 * Adds bytes to the counters of the file and its project and updates the record with the current renditions.
 * The caller holds both locks; `set` contains further columns to change.
 */
export const addStorage = async (
  tx: Tx,
  publicUrl: string,
  job: FileJob,
  bytes: number,
  set: FileChange['set'] = {},
): Promise<void> => {
  if (bytes !== 0) await countInProject(tx, job.projectId, { bytes })
  await changeProcessed(tx, publicUrl, job, (before) => ({
    set: { ...set, storage_bytes: before.storage_bytes + bytes },
  }))
}

export const failureMessage = (error: unknown): Message => {
  if (error instanceof MediaError) return messageOf(error)
  return newMessage(error instanceof IsobmffError ? 'file_not_packaged' : 'processing_failed')
}

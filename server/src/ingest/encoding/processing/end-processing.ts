import type { EventName, Message } from '@zoetrope/vocabulary'
import { replaceSourceCaptions } from '../../../library/captions/source-captions.ts'
import { closeInProgressRenditions } from '../../../library/files/change/close-in-progress-renditions.ts'
import {
  discardCurrentRevision,
  discardPendingRevision,
  retireSuperseded,
} from '../../../library/files/media/garbage-list.ts'
import { latestRevision, sourceColumns } from '../../../library/files/change/file-revisions.ts'
import type { FileJob } from '../../../library/files/queue/file-jobs.ts'
import { errorColumns } from '../../../library/files/record/file-error.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { isPlayableState } from '../../../library/files/record/parts/file-state.ts'
import {
  changeMediaFile,
  findMediaFile,
  renditionsOf,
} from '../../../library/files/record/media-file-store.ts'
import {
  askForStoryboard,
  discardStoryboard,
  takeStoryboard,
} from '../../../library/files/media/storyboards.ts'
import { withdrawInFlightUpload } from '../../../library/files/change/withdraw-in-flight-upload.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { PendingRevision } from '../../../platform/db/tables/files.ts'
import { countInProject } from '../../../library/projects/project-counts.ts'
import {
  drawStoryboard,
  type DrawnStoryboard,
  type DrawStoryboardRun,
} from '../storyboards/draw-storyboard.ts'
import type { EncodingDependencies } from '../encode/encode-renditions.ts'
import { announcement, isOver, lockWantedInProject } from '../encode/file-progress.ts'
import { missingEndMessage } from './missing-end.ts'
import { adoptPoster, keepPoster } from '../pictures/poster-store.ts'
import { nothingRemoved, removeSource } from './remove-source.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'

/**
 * Ends processing as finished, failed or degraded, and publishes or discards a pending revision. Each
 * function may run twice.
 */

const endProcessing = (
  { database }: EncodingDependencies,
  job: FileJob,
  end: (tx: Tx, file: MediaFileRow) => Promise<void>,
): Promise<void> =>
  database.transaction(async (tx) => {
    const file = await lockWantedInProject(tx, job)
    if (!isOver(file)) await end(tx, file)
  })

/** A storyboard is part of the end when the file has none or the pending revision has a new source. */
const isStoryboardWanted = ({
  storyboard,
  rework: pending,
}: Pick<MediaFileRow, 'storyboard' | 'rework'>): boolean =>
  storyboard === null || (pending !== null && pending.source !== null)

/** Draws the storyboard for `markFinished`; null when the file has one. */
export const drawMissingStoryboard = async (
  dependencies: FileJobDependencies,
  { job, ...run }: Pick<FileJobRun, 'job'> & DrawStoryboardRun,
): Promise<DrawnStoryboard | null> => {
  const file = await findMediaFile(dependencies.database.kysely, job)
  return isOver(file) || !isStoryboardWanted(file) ? null : drawStoryboard(dependencies, job, run)
}

/**
 * Ends processing as finished, or as `degraded` when the output is shorter than the source claims. It publishes the
 * storyboard, so that the record of `file.new` is complete and its ETag stays valid.
 */
export const markFinished = async (
  dependencies: FileJobDependencies,
  job: FileJob,
  {
    claimedSeconds,
    drawn,
  }: { readonly claimedSeconds: number | null; readonly drawn: DrawnStoryboard | null },
): Promise<void> => {
  await endProcessing(dependencies, job, async (tx, file) => {
    const pending = file.rework
    await retireSuperseded(tx, file, latestRevision(file))
    const renditions = await renditionsOf(tx, file.id, latestRevision(file))
    const complaint = missingEndMessage(claimedSeconds, renditions)
    const board = await takeStoryboard(tx, isStoryboardWanted(file) ? drawn : null)
    if (pending !== null) return publishPending(tx, dependencies, file, { pending, complaint, board })
    const removal =
      complaint === null
        ? await removeSource(tx, file, { revision: file.generation, source: null })
        : nothingRemoved
    const bytes = board.bytes - removal.bytes
    await countInProject(tx, file.project_id, { bytes })
    await changeMediaFile(tx, dependencies.publicUrl, job, () => ({
      set: {
        ...finished(file, complaint),
        ...removal.set,
        ...board.set,
        storage_bytes: file.storage_bytes + bytes,
      },
      events: [endEvent(complaint), ...announcement(file)],
    }))
  })
}

const endEvent = (complaint: Message | null): EventName =>
  complaint === null ? 'file.encoded' : 'file.failed'

const finished = (file: MediaFileRow, complaint: Message | null) => ({
  ...(complaint === null
    ? { state: 'finished' as const }
    : { state: 'degraded' as const, ...errorColumns(complaint) }),
  encoding_progress: 100,
  encoded_at: new Date(),
  announced_at: file.announced_at ?? new Date(),
})

/** Publishes the pending revision and adds the blobs of the previous one to the garbage list. */
const publishPending = async (
  tx: Tx,
  { blobs, publicUrl }: EncodingDependencies,
  file: MediaFileRow,
  {
    pending,
    complaint,
    board,
  }: {
    readonly pending: PendingRevision
    readonly complaint: Message | null
    readonly board: Awaited<ReturnType<typeof takeStoryboard>>
  },
): Promise<void> => {
  const { generation: revision, source, properties, poster, captions = [], warnings = [] } = pending
  let freedBytes = await discardCurrentRevision(tx, blobs, file, { isSourceReplaced: source !== null })
  if (source === null) await keepPoster(tx, file, revision)
  else {
    freedBytes += await adoptPoster(tx, blobs, file, { revision, poster })
    freedBytes += await discardStoryboard(tx, file)
    // Caption bytes of the pending revision are already counted.
    const countedBytes = captions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    freedBytes += countedBytes - (await replaceSourceCaptions(tx, file, captions))
  }
  const removal = complaint === null ? await removeSource(tx, file, { revision, source }) : nothingRemoved
  freedBytes += removal.bytes - board.bytes
  await countInProject(tx, file.project_id, { bytes: -freedBytes })
  await changeMediaFile(tx, publicUrl, { accountId: file.account_id, fileId: file.id }, () => ({
    set: {
      ...finished(file, complaint),
      generation: revision,
      rework: null,
      properties: JSON.stringify(properties),
      storage_bytes: file.storage_bytes - freedBytes,
      ...(source === null
        ? {}
        : {
            ...sourceColumns(source),
            playable_at: new Date(),
            storyboard: null,
            warnings: JSON.stringify(warnings),
            captions_read_of: source.blob,
          }),
      ...board.set,
      ...removal.set,
    },
    events: [
      endEvent(complaint),
      ...announcement(file),
      ...(source === null ? [] : ['file.replaced' as const]),
    ],
  }))
}

export const drawAndFinish = async (
  dependencies: FileJobDependencies,
  run: Pick<FileJobRun, 'job' | 'workFolder' | 'signal'>,
  claimedSeconds: number | null,
): Promise<void> => {
  const drawn = await drawMissingStoryboard(dependencies, run)
  await markFinished(dependencies, run.job, { claimedSeconds, drawn })
}

/** Ends a run with a permanent error. A playable file gets its storyboard first, as in `drawAndFinish`. */
export const endFailedRun = async (
  dependencies: FileJobDependencies,
  { job, workFolder, signal }: Pick<FileJobRun, 'job' | 'workFolder' | 'signal'>,
  message: Message,
): Promise<void> => {
  const { state, storyboard, generation: revision } = await findMediaFile(dependencies.database.kysely, job)
  const drawn =
    isPlayableState(state) && storyboard === null
      ? await drawStoryboard(dependencies, { ...job, revision }, { workFolder, signal })
      : null
  await failProcessing(dependencies, job, { message, drawn })
}

export const markFailed = (
  dependencies: EncodingDependencies,
  job: FileJob,
  message: Message,
): Promise<void> => failProcessing(dependencies, job, { message, drawn: null })

/**
 * Sets `degraded` when something plays, which then ends with the last stored segment; otherwise `failed`. If
 * a pending revision fails, the current one keeps playing.
 */
const failProcessing = (
  dependencies: EncodingDependencies,
  job: FileJob,
  { message, drawn }: { readonly message: Message; readonly drawn: DrawnStoryboard | null },
): Promise<void> =>
  endProcessing(dependencies, job, async (tx, before) => {
    const { blobs, publicUrl } = dependencies
    // An in-flight upload that turns out to be unusable stops playing.
    const file = await withdrawInFlightUpload(tx, publicUrl, before)
    const pending = file.rework
    const isPlayable = isPlayableState(file.state)
    const board = await takeStoryboard(tx, isPlayable && file.storyboard === null ? drawn : null)
    const mediaBytes =
      pending === null
        ? await closeInProgressRenditions(tx, blobs, file, file.generation)
        : -(await discardPendingRevision(tx, blobs, file))
    const bytes = mediaBytes + board.bytes
    await countInProject(tx, job.projectId, { bytes })
    const ended = await changeMediaFile(tx, publicUrl, job, () => ({
      set: {
        ...board.set,
        storage_bytes: file.storage_bytes + bytes,
        state: isPlayable ? 'degraded' : 'failed',
        ...errorColumns(pending === null ? message : failedRevisionMessage(pending, message)),
        ...(pending === null ? {} : { rework: null, encoding_progress: 100 }),
        // If a file was replaced while in progress, the failure of the pending revision also ends its first
        // attempt.
        ...(isPlayable
          ? { encoded_at: file.encoded_at ?? new Date(), announced_at: file.announced_at ?? new Date() }
          : {}),
      },
      events: ['file.failed', ...(isPlayable ? announcement(file) : [])],
    }))
    // The closed renditions are complete only now, so only now can a storyboard be drawn.
    if (isPlayable) await askForStoryboard(tx, dependencies.jobs, ended)
  })

const failedRevisionMessage = ({ source }: PendingRevision, cause: Message): Message =>
  newMessage(source === null ? 'encoding_again_failed' : 'new_source_unusable', { cause })

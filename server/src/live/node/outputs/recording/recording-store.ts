import { sql } from 'kysely'
import { liveReason } from '../../../control/api/live-reason.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { recordingBlob } from '../../../../library/files/media/media-blobs.ts'
import { cleanFileName } from '../../../../library/files/record/file-name.ts'
import {
  fileBlobPrefix,
  findMediaFile,
  insertMediaFile,
} from '../../../../library/files/record/media-file-store.ts'
import type { MediaFileRow } from '../../../../library/files/record/file-record.ts'
import type { Database, Tx } from '../../../../platform/db/database.ts'
import type { RecordedTrackRow } from '../../../../platform/db/tables/live.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import { emitLive } from '../../../control/api/live-events.ts'
import { writeLog } from '../../../control/api/live-log.ts'
import type { LiveRecordingRow } from '../../../control/store/live-recordings.ts'
import { lockStreamOfNode, type LiveStreamOwner } from '../../../control/store/live-stream-store.ts'
import { Problem } from '../../../../platform/base/problem.ts'
import { checkQuota } from '../../../../library/projects/check-quota.ts'
import { lockAnyProject, lockProject } from '../../../../library/projects/project-locks.ts'
import type { RecordingEnding } from './recorder.ts'
import { clipTitle, recordingTitle } from './recording-title.ts'

export interface RecordingStoreDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly publicUrl: string
}

export interface NewRecording extends LiveStreamOwner {
  readonly broadcastId: number
  readonly nodeId: string
  readonly fileName: string
  readonly startedAt: Date
  /** For a recording in the media storage. */
  readonly stored?: StoredRecordingStart
}

interface StoredRecordingStart {
  /** Epoch of the stream. */
  readonly epoch: number
  readonly tracks: readonly RecordedTrackRow[]
}

export const ownerOf = (row: LiveRecordingRow): LiveStreamOwner => ({
  accountId: row.account_id,
  projectId: row.project_id,
})

export const isOpen = ({ state }: LiveRecordingRow): boolean => state === 'recording' || state === 'finishing'

/**
 * Inserts the row of a recording. Idempotent by file name. After an outage of the database the project may be
 * deleted meanwhile. Throws 'not_found' when it is purged.
 */
export const beginRecording = (
  { database, publicUrl }: RecordingStoreDependencies,
  recording: NewRecording,
): Promise<void> =>
  database.transaction(async (tx) => {
    const { name } = await lockAnyProject(tx, recording.accountId, recording.projectId)
    const stream = await lockStreamOfNode(tx, recording)
    const others = await tx
      .selectFrom('live_recordings')
      .select('file_name')
      .where('broadcast_id', '=', recording.broadcastId)
      .where('kind', '=', 'recording')
      .execute()
    if (others.some(({ file_name }) => file_name === recording.fileName)) {
      await writeTracks(tx, recording)
      return
    }
    const row = await insertRecording(tx, recording, {
      title: recordingTitle(stream.title || name, recording.startedAt, others.length + 1),
    })
    await emitLive(tx, publicUrl, stream, 'recording.started', { recording: row })
    await writeLog(
      tx,
      { ...stream, broadcast_id: row.broadcast_id },
      {
        level: 'info',
        ...liveReason('recording_started', newMessage('live_recording_started', { recordingId: row.id })),
      },
    )
  })

/** The former owner of the stream has stored nothing, so the tracks may be others. */
const writeTracks = async (tx: Tx, { fileName, stored }: NewRecording): Promise<void> => {
  if (stored === undefined) return
  await tx
    .updateTable('live_recordings')
    .set({ tracks: JSON.stringify(stored.tracks) })
    .where('file_name', '=', fileName)
    .where('epoch', '=', stored.epoch)
    .execute()
}

export const insertClip = (
  { database }: RecordingStoreDependencies,
  clip: Omit<NewRecording, 'broadcastId'> & {
    readonly endedAt: Date
    readonly title: string
    readonly sizeBytes: number
  },
): Promise<LiveRecordingRow> =>
  database.transaction(async (tx) => {
    const project = await lockProject(tx, clip.accountId, clip.projectId)
    checkQuota(project, clip.sizeBytes)
    const stream = await lockStreamOfNode(tx, clip)
    if (stream.broadcast_id === null) throw notLive()
    const title = clip.title || clipTitle(stream.title || project.name, clip.startedAt)
    const recording = { ...clip, broadcastId: stream.broadcast_id }
    return insertRecording(tx, recording, {
      title,
      kind: 'clip',
      state: 'finishing',
      ended_at: clip.endedAt,
    })
  })

export const notLive = (): Problem => new Problem('not_live')

const insertRecording = (
  tx: Tx,
  recording: NewRecording,
  more: {
    readonly title: string
    readonly kind?: 'clip'
    readonly state?: 'finishing'
    readonly ended_at?: Date
  },
): Promise<LiveRecordingRow> =>
  tx
    .insertInto('live_recordings')
    .values({
      account_id: recording.accountId,
      project_id: recording.projectId,
      broadcast_id: recording.broadcastId,
      node_id: recording.nodeId,
      file_name: recording.fileName,
      started_at: recording.startedAt,
      ...(recording.stored !== undefined && {
        is_stored: true,
        epoch: recording.stored.epoch,
        tracks: JSON.stringify(recording.stored.tracks),
      }),
      ...more,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** A broadcast that waits for its publisher records nothing, so the recording ended when the publisher left. */
const endOfMedia = sql<Date>`greatest(live_recordings.started_at, coalesce((
  select disconnected_at from live_broadcasts where live_broadcasts.id = live_recordings.broadcast_id
), now()))`

/**
 * Marks the end of a recording. With an `epoch`, does nothing when another node owns the recording.
 */
export const closeRecording = (
  { database }: RecordingStoreDependencies,
  recording: LiveStreamOwner & Pick<NewRecording, 'broadcastId' | 'fileName'> & { readonly epoch?: number },
  { reason, isWanted }: RecordingEnding,
): Promise<void> =>
  database.transaction(async (tx) => {
    const { epoch } = await lockStreamOfNode(tx, recording)
    const isOwner = recording.epoch === undefined || recording.epoch === epoch
    if (!isWanted && isOwner)
      await tx
        .updateTable('live_streams')
        .set({ is_recording_wanted: false })
        .where('project_id', '=', recording.projectId)
        .where('broadcast_id', '=', recording.broadcastId)
        .execute()
    await tx
      .updateTable('live_recordings')
      .set({ state: 'finishing', ended_at: endOfMedia, message: reason })
      .where('file_name', '=', recording.fileName)
      .where('state', '=', 'recording')
      .$if(recording.epoch !== undefined, (query) => query.where('epoch', '=', recording.epoch ?? 0))
      .execute()
  })

/**
 * Makes this owner of the stream the writer of the recording that the former one has left, and returns it. From then
 * on the former one can add nothing.
 */
export const claimLeftRecording = (
  { database }: RecordingStoreDependencies,
  owner: LiveStreamOwner & { readonly broadcastId: number; readonly epoch: number; readonly nodeId: string },
): Promise<LiveRecordingRow | undefined> =>
  database.transaction(async (tx) => {
    const stream = await lockStreamOfNode(tx, owner)
    if (stream.epoch !== owner.epoch || stream.node_id !== owner.nodeId) return undefined
    // The owner may have been lost before it could write the end of an earlier one, which is saved after the broadcast.
    const newest = tx
      .selectFrom('live_recordings')
      .select('id')
      .where('account_id', '=', owner.accountId)
      .where('broadcast_id', '=', owner.broadcastId)
      .where('is_stored', '=', true)
      .where('state', '=', 'recording')
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
    return tx
      .updateTable('live_recordings')
      .set({ node_id: owner.nodeId, epoch: owner.epoch })
      .where('id', '=', newest)
      .returningAll()
      .executeTakeFirst()
  })

/** Makes this node save a recording that another one has left. Returns false when another node does. */
export const claimSaving = async (
  { database }: RecordingStoreDependencies,
  row: LiveRecordingRow,
  nodeId: string,
): Promise<boolean> => {
  const claimed = await database.kysely
    .updateTable('live_recordings')
    .set({ node_id: nodeId, state: 'finishing', ended_at: sql<Date>`coalesce(ended_at, now())` })
    .where('id', '=', row.id)
    .where('node_id', '=', row.node_id)
    .where('epoch', '=', row.epoch)
    .where('state', '=', row.state)
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/**
 * Creates the File of a recording, which then waits for its bytes. A repeated call returns the same File.
 * Returns null for a finished recording. Reopens one that another node has given up, because its bytes are here.
 * Throws 'not_found' when the File or its project is deleted.
 */
export const openRecordedFile = (
  { database, publicUrl }: RecordingStoreDependencies,
  { id, ...row }: LiveRecordingRow,
): Promise<{ readonly file: MediaFileRow; readonly blob: string } | null> =>
  database.transaction(async (tx) => {
    const project = await lockProject(tx, row.account_id, row.project_id)
    const recording = await lockRecording(tx, id)
    if (recording.state === 'finished') return null
    const file =
      recording.file_id === null
        ? await insertMediaFile(tx, publicUrl, project, {
            principal: null,
            externalId: null,
            originalFileName: fileNameOf(recording),
            metadata: { Title: recording.title },
            useEncoding: undefined,
            encodingPriority: undefined,
            checksum: null,
            sourceUri: null,
            sourceKind: recording.kind,
          })
        : await findMediaFile(tx, { accountId: row.account_id, fileId: recording.file_id })
    await tx
      .updateTable('live_recordings')
      .set({
        state: 'finishing',
        file_id: file.id,
        message: endReasonOf(recording),
        ended_at: sql<Date>`coalesce(ended_at, now())`,
      })
      .where('id', '=', id)
      .execute()
    return { file, blob: recordingBlob(fileBlobPrefix(file), id) }
  })

/** Why a recording has ended early. The message of a failed one is why it failed. */
export const endReasonOf = (recording: LiveRecordingRow): string | null =>
  isOpen(recording) ? recording.message : null

const fileNameOf = ({ title }: LiveRecordingRow): string =>
  cleanFileName(`${title.replaceAll(/[/\\]/g, '-')}.mp4`)

/** Locks the row after the File, as every change of both. */
export const lockRecording = (tx: Tx, id: number): Promise<LiveRecordingRow> =>
  tx.selectFrom('live_recordings').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

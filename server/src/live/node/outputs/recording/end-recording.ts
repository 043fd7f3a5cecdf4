import { sql } from 'kysely'
import { liveReason, type LiveReason } from '../../../control/api/live-reason.ts'
import { emitLive } from '../../../control/api/live-events.ts'
import { writeLog } from '../../../control/api/live-log.ts'
import { broadcastOf } from '../../../control/store/live-broadcasts.ts'
import { piecesPrefix } from '../../../control/store/left-pieces.ts'
import type { LiveRecordingRow } from '../../../control/store/live-recordings.ts'
import { lockStreamOfNode } from '../../../control/store/live-stream-store.ts'
import { takeFirstSource } from '../../../../library/files/change/file-revisions.ts'
import { discardBlobs } from '../../../../library/files/media/garbage-list.ts'
import { errorColumns } from '../../../../library/files/record/file-error.ts'
import {
  changeMediaFile,
  isOfLiveProject,
  lockMediaFile,
} from '../../../../library/files/record/media-file-store.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import {
  endReasonOf,
  isOpen,
  lockRecording,
  ownerOf,
  type RecordingStoreDependencies,
} from './recording-store.ts'

/**
 * Makes the stored bytes the source of the recording's File, which is then processed like any other, even when
 * another node has given the recording up meanwhile. Returns false, and discards the bytes, when a user has given
 * the File others. Throws 'not_found' when the file or its project was deleted.
 */
export const finishRecording = (
  dependencies: RecordingStoreDependencies,
  row: LiveRecordingRow,
  source: { readonly fileId: number; readonly blob: string; readonly sizeBytes: number },
): Promise<boolean> =>
  dependencies.database.transaction(async (tx) => {
    const stream = await lockStreamOfNode(tx, ownerOf(row))
    const key = { accountId: row.account_id, fileId: source.fileId }
    const file = await lockMediaFile(tx, key)
    const recording = await lockRecording(tx, row.id)
    if (file.source_blob === source.blob) return true
    // Another node may still be writing a piece.
    const pieces = recording.is_stored ? [piecesPrefix(recording.file_name)] : []
    if (recording.state === 'finished' || file.source_blob !== null) {
      await discardBlobs(tx, file, [source.blob, ...pieces])
      const message = 'The source of the file was replaced.'
      if (isOpen(recording))
        await endRecording(tx, dependencies, stream, recording, { state: 'failed', message })
      return false
    }
    await takeFirstSource(
      tx,
      dependencies,
      key,
      {
        ...{ blob: source.blob, sizeBytes: source.sizeBytes, kind: recording.kind },
        ...{ fileName: file.original_file_name, checksum: null, uploadedAt: new Date().toISOString() },
      },
      // The recording was given up before.
      file.state === 'failed' ? { set: { state: 'created' } } : undefined,
    )
    await endRecording(tx, dependencies, stream, recording, {
      state: 'finished',
      message: endReasonOf(recording),
    })
    if (pieces.length > 0) await discardBlobs(tx, file, pieces)
    return true
  })

/** Ends a recording without a File, or with one that has failed. */
export const failRecording = (
  dependencies: RecordingStoreDependencies,
  row: LiveRecordingRow,
  message: string,
): Promise<void> =>
  dependencies.database.transaction(async (tx) => {
    const stream = await lockStreamOfNode(tx, ownerOf(row))
    const file = await lockFileWithoutSource(tx, row.id)
    const recording = await lockRecording(tx, row.id)
    if (!isOpen(recording)) return
    await endRecording(tx, dependencies, stream, recording, { state: 'failed', message })
    if (file === null) return
    const reason = newMessage(`${nameOf(recording)}_failed`, { recordingId: row.id, detail: message })
    await changeMediaFile(tx, dependencies.publicUrl, { accountId: row.account_id, fileId: file.id }, () => ({
      set: { state: 'failed', ...errorColumns(reason) },
      events: ['file.failed'],
    }))
  })

/** Returns the File of a recording while it waits for its bytes; null when it is deleted or has others. */
const lockFileWithoutSource = async (tx: Tx, recordingId: number): Promise<{ readonly id: number } | null> =>
  (await tx
    .selectFrom('media_files')
    .innerJoin('live_recordings', 'live_recordings.file_id', 'media_files.id')
    .select('media_files.id')
    .where('live_recordings.id', '=', recordingId)
    .where('media_files.source_blob', 'is', null)
    .where('media_files.deleted_at', 'is', null)
    .where(isOfLiveProject)
    .forNoKeyUpdate('media_files')
    .executeTakeFirst()) ?? null

const endRecording = async (
  tx: Tx,
  { publicUrl }: RecordingStoreDependencies,
  stream: Awaited<ReturnType<typeof lockStreamOfNode>>,
  recording: LiveRecordingRow,
  end: { readonly state: 'finished' | 'failed'; readonly message: string | null },
): Promise<void> => {
  const ended = await tx
    .updateTable('live_recordings')
    .set({ ...end, ended_at: sql<Date>`coalesce(ended_at, now())` })
    .where('id', '=', recording.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('live_recording_pieces').where('recording_id', '=', recording.id).execute()
  await emitLive(tx, publicUrl, stream, 'recording.finished', {
    recording: ended,
    broadcast: await broadcastOf(tx, ended),
  })
  await writeLog(
    tx,
    { ...stream, broadcast_id: ended.broadcast_id },
    {
      level: end.state === 'finished' ? 'info' : 'error',
      ...reasonOfRecording(ended, end),
    },
  )
}

const nameOf = ({ kind }: LiveRecordingRow) => (kind === 'clip' ? 'live_clip' : 'live_recording')

const reasonOfRecording = (
  recording: LiveRecordingRow,
  end: { readonly state: 'finished' | 'failed'; readonly message: string | null },
): LiveReason => {
  const { id: recordingId, file_id } = recording
  const name = nameOf(recording)
  const detail = end.message ?? ''
  if (end.state === 'failed')
    return liveReason('recording_failed', newMessage(`${name}_failed`, { recordingId, detail }))
  const fileId = file_id ?? ''
  return liveReason(
    'recording_finished',
    detail === ''
      ? newMessage(`${name}_saved`, { recordingId, fileId })
      : newMessage(`${name}_saved_partly`, { recordingId, fileId, detail }),
  )
}

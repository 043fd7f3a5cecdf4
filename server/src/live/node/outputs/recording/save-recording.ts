import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { IsobmffError } from '@zoetrope/isobmff'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { Problem } from '../../../../platform/base/problem.ts'
import { dropRecording, readDeletion } from '../../../control/store/deleted-recordings.ts'
import { piecesPrefix } from '../../../control/store/left-pieces.ts'
import type { LiveRecordingRow } from '../../../control/store/live-recordings.ts'
import { recordingBlob } from '../../../../library/files/media/media-blobs.ts'
import { blobPrefixOf } from '../../../../library/files/record/media-file-store.ts'
import { brokenNameOf, joiningEnding } from './recording-name.ts'
import { failRecording, finishRecording } from './end-recording.ts'
import { claimSaving, openRecordedFile, type RecordingStoreDependencies } from './recording-store.ts'
import { joinRecording } from './stored/join-recording.ts'
import { readPieces, withoutLost } from './stored/recorded-pieces.ts'

/** Until then, an operator may bring back what the media storage does not have. */
const lostAfterMs = 86_400_000

export interface SaveDependencies extends RecordingStoreDependencies {
  readonly blobs: BlobStore
  readonly nodeId: string
  readonly folder: string
  readonly finishFile: (path: string) => Promise<boolean>
}

/**
 * Makes a File of a recording that is no longer written, also of a failed one whose bytes are here. Each step
 * can be repeated: a crash in between loses nothing and makes no second file. Returns the id of the File.
 * Returns null when it failed, the bytes are on another machine, or the project or the File is deleted. The
 * bytes then wait for the restoration or the purge.
 */
export const saveRecording = async (
  dependencies: SaveDependencies,
  row: LiveRecordingRow,
): Promise<number | null> => {
  // Another machine gives the recording up after a week, unless it belongs to a node that exists.
  const isClaimed =
    !(await isLeftHere(dependencies, row)) || (await claimSaving(dependencies, row, dependencies.nodeId))
  if (!isClaimed) return null
  const deletion = await readDeletion(dependencies.database, row.id)
  if (deletion === 'restorable') return null
  if (deletion === 'purged') return removePurged(dependencies, row)
  try {
    return await (row.is_stored ? saveStored : saveOnDisk)(dependencies, row)
  } catch (error) {
    // The project or the File was deleted meanwhile. The next attempt finds out whether it can be restored.
    if (isNotFound(error)) return null
    throw error
  }
}

/** Whether the bytes of a lost node are on the disk of this one, and no node has given them up. */
const isLeftHere = async ({ folder, nodeId }: SaveDependencies, row: LiveRecordingRow): Promise<boolean> =>
  !row.is_stored &&
  row.state !== 'failed' &&
  row.node_id !== nodeId &&
  (await isThere(join(folder, row.file_name)))

export const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

/** Whether an earlier attempt has moved the bytes into the store, where they do not depend on a machine. */
export const isInStore = async ({ blobs }: SaveDependencies, row: LiveRecordingRow): Promise<boolean> => {
  const blob = storedBlobOf(row)
  return blob !== null && (await blobs.stat(blob)) !== null
}

const storedBlobOf = (row: LiveRecordingRow): string | null => {
  const { account_id: accountId, project_id: projectId, file_id: fileId } = row
  return fileId === null ? null : recordingBlob(blobPrefixOf({ accountId, projectId, fileId }), row.id)
}

const removePurged = async (dependencies: SaveDependencies, row: LiveRecordingRow): Promise<null> => {
  const { blobs, database, folder } = dependencies
  const blob = storedBlobOf(row)
  if (row.is_stored) await blobs.deletePrefix(piecesPrefix(row.file_name))
  if (blob !== null) await blobs.delete(blob)
  const message = 'The file or project was deleted.'
  await failRecording(dependencies, row, message).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return dropRecording(database, row.id, message)
  })
  await rm(join(folder, row.file_name), { force: true })
  return null
}

const saveOnDisk = async (dependencies: SaveDependencies, row: LiveRecordingRow): Promise<number | null> => {
  const path = join(dependencies.folder, row.file_name)
  const isHere = await isThere(path)
  // With a File, an earlier attempt may have moved the bytes into the store and crashed before it updated the
  // row.
  if (!isHere && row.file_id === null && row.node_id !== dependencies.nodeId) return null
  const outcome = isHere ? await tryFinish(dependencies, path) : row.file_id !== null
  if (outcome === 'broken') {
    const name = brokenNameOf(row.file_name)
    await failRecording(dependencies, row, `What was recorded cannot be read. It is kept as ${name}.`)
    await rename(path, join(dependencies.folder, name))
    return null
  }
  if (!outcome) {
    await failRecording(dependencies, row, row.message ?? 'Nothing was recorded.')
    await rm(path, { force: true })
    return null
  }
  return storeRecording(dependencies, row, path)
}

/** Like `saveOnDisk`, for a recording whose bytes are in the media storage. */
const saveStored = async (dependencies: SaveDependencies, row: LiveRecordingRow): Promise<number | null> => {
  const { blobs, database, folder, nodeId, finishFile } = dependencies
  if (!(await claimSaving(dependencies, row, nodeId))) return null
  const fail = async (message: string): Promise<null> => {
    await failRecording(dependencies, row, message)
    // Housekeeping deletes what this leaves.
    await blobs.deletePrefix(piecesPrefix(row.file_name))
    return null
  }
  const listed = await readPieces(database.kysely, row.id)
  if (listed.length === 0) return fail(row.message ?? 'Nothing was recorded.')
  const isLongOver = row.ended_at !== null && row.ended_at.getTime() < Date.now() - lostAfterMs
  const pieces = isLongOver ? await withoutLost(blobs, listed) : listed
  if (pieces[0]?.blob !== listed[0]!.blob)
    return fail('The start of the recording is missing in the media storage.')
  if (pieces.length < listed.length)
    await database.kysely
      .updateTable('live_recordings')
      .set({ message: 'Parts of the recording are missing in the media storage.' })
      .where('id', '=', row.id)
      .execute()
  const store = async (blob: string): Promise<{ readonly sizeBytes: number } | null> =>
    joinRecording({ blobs, pieces, finishFile, path: join(folder, `${row.file_name}${joiningEnding}`), blob })
  try {
    const opened = await openRecordedFile(dependencies, row)
    if (opened === null) return row.file_id
    const joined = await store(opened.blob)
    if (joined === null) return await fail('Nothing was recorded.')
    return await finish(dependencies, row, opened, joined.sizeBytes)
  } catch (error) {
    if (error instanceof IsobmffError) return fail('What was recorded cannot be read.')
    throw error
  }
}

/** An unreadable file is not retried, because it stays unreadable. */
const tryFinish = (dependencies: SaveDependencies, path: string): Promise<boolean | 'broken'> =>
  dependencies.finishFile(path).catch((error: unknown) => {
    if (error instanceof IsobmffError) return 'broken' as const
    throw error
  })

const storeRecording = async (
  dependencies: SaveDependencies,
  row: LiveRecordingRow,
  path: string,
): Promise<number | null> => {
  const { blobs } = dependencies
  const opened = await openRecordedFile(dependencies, row)
  if (opened === null) {
    await rm(path, { force: true })
    return row.file_id
  }
  const { blob } = opened
  if (!(await isThere(path)) && (await blobs.stat(blob)) === null) return null
  const { sizeBytes } = await blobs.adopt(path, blob)
  return finish(dependencies, row, opened, sizeBytes)
}

const finish = async (
  dependencies: SaveDependencies,
  row: LiveRecordingRow,
  { file, blob }: { readonly file: { readonly id: number }; readonly blob: string },
  sizeBytes: number,
): Promise<number | null> => {
  const isTaken = await finishRecording(dependencies, row, { fileId: file.id, blob, sizeBytes })
  return isTaken ? file.id : null
}

export const isNotFound = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'

import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { IsobmffError } from '@zoetrope/isobmff'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { Problem } from '../../../../platform/base/problem.ts'
import type { LiveRecordingRow } from '../../../control/store/live-recordings.ts'
import { brokenNameOf, joiningEnding } from './recording-name.ts'
import {
  claimSaving,
  failRecording,
  finishRecording,
  openRecordedFile,
  type RecordingStoreDependencies,
} from './recording-store.ts'
import { joinRecording } from './stored/join-recording.ts'
import { piecesPrefix, readPieces } from './stored/recorded-pieces.ts'

export interface SaveDependencies extends RecordingStoreDependencies {
  readonly blobs: BlobStore
  readonly nodeId: string
  readonly folder: string
  readonly finishFile: (path: string) => Promise<boolean>
}

/**
 * Makes a File of a recording that is no longer written. Each step can be repeated: a crash in between loses
 * nothing and makes no second file. Returns the id of the File. Returns null when it failed or the bytes are
 * on another machine.
 */
export const saveRecording = async (
  dependencies: SaveDependencies,
  row: LiveRecordingRow,
): Promise<number | null> => {
  if (row.is_stored) return saveStored(dependencies, row)
  const path = join(dependencies.folder, row.file_name)
  const isHere = (await stat(path).catch(() => null)) !== null
  // With a File, an earlier attempt may have moved the bytes into the store and crashed before it updated the
  // row.
  if (!isHere && row.file_id === null && row.node_id !== dependencies.nodeId) return null
  const outcome = isHere ? await tryFinish(dependencies, path) : row.file_id !== null
  if (outcome === 'broken') {
    const name = brokenNameOf(row.file_name)
    await giveUp(dependencies, row, `What was recorded cannot be read. It is kept as ${name}.`)
    await rename(path, join(dependencies.folder, name))
    return null
  }
  if (!outcome) {
    await giveUp(dependencies, row, row.message ?? 'Nothing was recorded.')
    await rm(path, { force: true })
    return null
  }
  return await storeRecording(dependencies, row, path).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error
    await giveUp(dependencies, row, 'The file or project was deleted.')
    await rm(path, { force: true })
    return null
  })
}

/** Like `saveRecording`, for a recording whose bytes are in the media storage. */
const saveStored = async (dependencies: SaveDependencies, row: LiveRecordingRow): Promise<number | null> => {
  const { blobs, database, folder, nodeId, finishFile } = dependencies
  if (!(await claimSaving(dependencies, row, nodeId))) return null
  const fail = async (message: string): Promise<null> => {
    await blobs.deletePrefix(piecesPrefix(row.file_name))
    await giveUp(dependencies, row, message)
    return null
  }
  const pieces = await readPieces(database.kysely, row.id)
  if (pieces.length === 0) return fail(row.message ?? 'Nothing was recorded.')
  const store = async (blob: string): Promise<{ readonly sizeBytes: number } | null> =>
    joinRecording({ blobs, pieces, finishFile, path: join(folder, `${row.file_name}${joiningEnding}`), blob })
  try {
    const opened = await openRecordedFile(dependencies, row)
    if (opened === null) return row.file_id
    const joined = await store(opened.blob)
    if (joined === null) return await fail('Nothing was recorded.')
    return await finish(dependencies, row, opened, joined.sizeBytes)
  } catch (error) {
    if (isNotFound(error)) return fail('The file or project was deleted.')
    if (error instanceof IsobmffError) return fail('What was recorded cannot be read.')
    throw error
  }
}

/** A purged project has no row left to update. */
const giveUp = (dependencies: SaveDependencies, row: LiveRecordingRow, message: string): Promise<void> =>
  failRecording(dependencies, row, message).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })

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
  const isHere = (await stat(path).catch(() => null)) !== null
  if (!isHere && (await blobs.stat(blob)) === null) return null
  const { sizeBytes } = await blobs.adopt(path, blob)
  return finish(dependencies, row, opened, sizeBytes)
}

const finish = async (
  dependencies: SaveDependencies,
  row: LiveRecordingRow,
  { file, blob }: { readonly file: { readonly id: number }; readonly blob: string },
  sizeBytes: number,
): Promise<number | null> => {
  const { blobs } = dependencies
  try {
    if (await finishRecording(dependencies, row, { fileId: file.id, blob, sizeBytes })) return file.id
  } catch (error) {
    if (isNotFound(error)) await blobs.delete(blob)
    throw error
  }
  if (row.is_stored) await blobs.deletePrefix(piecesPrefix(row.file_name))
  await failRecording(dependencies, row, 'The source of the file was replaced.')
  await blobs.delete(blob)
  return null
}

export const isNotFound = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'

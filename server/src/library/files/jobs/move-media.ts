import { randomUUID } from 'node:crypto'
import { allOf } from '../../../platform/base/concurrency/all-of.ts'
import { BlobNotFoundError, type BlobStore } from '../../../platform/blobs/blob-store.ts'
import { copyBlob } from '../../../platform/blobs/copy-blob.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { MediaFileState } from '../../../platform/db/tables/files.ts'
import type { Log } from '../../../platform/log/log.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { blobPrefixesOf, type FileKey } from '../record/media-file-store.ts'

export interface MediaMove {
  readonly database: Database
  readonly former: BlobStore
  /** The store to which media moves; new blobs are already written to it. */
  readonly present: BlobStore
  /** Name of the disk that one of the stores is on, which distinguishes it from disks of other machines. */
  readonly disk: string
  readonly log: Pick<Log, 'warn'>
}

export interface MoveResult {
  readonly movedFiles: number
  readonly movedBytes: number
  readonly waitingFiles: number
  readonly failedFiles: number
}

interface StoredFile extends FileKey {
  readonly projectId: number
  readonly formerProjectIds: readonly number[]
  readonly isBusy: boolean
}

const filesPerPage = 500
const copiesAtOnce = 4
/** States in which no worker writes or overwrites media. */
const restingStates: readonly MediaFileState[] = ['finished', 'degraded', 'failed']

/**
 * Moves all media of the former store, file by file, while it stays playable (`createTwoBlobStores`). Copies
 * the blobs of a file, reads them back, and deletes the originals only when all copies exist. May be killed
 * and restarted at any time; only one process may run it.
 */
export const moveMedia = async (move: MediaMove, signal: AbortSignal): Promise<MoveResult> => {
  const unsettled = await cleanUpKilledMoves(move)
  const result = { movedFiles: 0, movedBytes: 0, waitingFiles: 0, failedFiles: unsettled.size }
  for (let lastId = 0; ;) {
    const files = await readFiles(move.database, lastId)
    for (const file of files) {
      if (signal.aborted) return result
      if (unsettled.has(file.fileId)) continue
      try {
        const keys = await listMedia(move.former, file)
        if (keys.length === 0) continue
        if (file.isBusy) {
          result.waitingFiles += 1
          continue
        }
        result.movedBytes += await moveFile(move, file, keys, signal)
        result.movedFiles += 1
      } catch (error) {
        if (signal.aborted) return result
        logFailure(move, file.fileId, error)
        result.failedFiles += 1
      }
    }
    const last = files.at(-1)
    if (last === undefined) return result
    lastId = last.fileId
  }
}

/** Logs the failure of one file. Rethrows errors that would affect all files. */
const logFailure = ({ log }: MediaMove, fileId: number, error: unknown): void => {
  if (error instanceof Problem) throw error
  log.warn({ err: error, fileId }, 'cannot move the media of a file')
}

/** Reads a page of files, including deleted ones, which may be restored. */
const readFiles = async ({ kysely }: Database, afterId: number): Promise<StoredFile[]> => {
  const rows = await kysely
    .selectFrom('media_files')
    .select(['id', 'account_id', 'project_id', 'former_project_ids', 'state', 'deleted_at'])
    .select((is) => is('rework', 'is not', null).as('is_reworked'))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(filesPerPage)
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    projectId: row.project_id,
    formerProjectIds: row.former_project_ids,
    fileId: row.id,
    isBusy: row.deleted_at === null && (Boolean(row.is_reworked) || !restingStates.includes(row.state)),
  }))
}

const listMedia = async (store: BlobStore, file: StoredFile): Promise<string[]> => {
  const keys: string[] = []
  for (const prefix of blobPrefixesOf(file, file.formerProjectIds)) keys.push(...(await store.list(prefix)))
  return keys
}

const moveFile = async (
  move: MediaMove,
  file: FileKey,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<number> => {
  const { database, former, present, disk } = move
  const run = randomUUID()
  // Written before the first copy, so that the blobs of a killed run are found again.
  await database.kysely
    .insertInto('media_moves')
    .values({ file_id: file.fileId, account_id: file.accountId, disk, run, blobs: [...keys] })
    .execute()
  let movedBytes = 0
  const copied = new Set<string>()
  await inParallel(keys, async (key) => {
    signal.throwIfAborted()
    try {
      const sizeBytes = await copyBlob(former, present, key)
      movedBytes += sizeBytes
      copied.add(key)
    } catch (error) {
      // The blob was deleted in the meantime.
      if (!(error instanceof BlobNotFoundError)) throw error
    }
  })
  // An original is deleted only if its copy was read back and is still there.
  const originals = await settleMove(move, file.fileId, run)
  await inParallel(
    [...copied].filter((key) => originals.has(key)),
    (key) => former.delete(key),
  )
  return movedBytes
}

/**
 * Deletes copies whose originals were deleted while they were copied. Holds the lock of the `media_moves`
 * row. If the row is missing, another run has taken over and missing originals prove nothing. Returns the names of
 * the originals that are there.
 */
const settleMove = (move: MediaMove, fileId: number, run: string): Promise<ReadonlySet<string>> =>
  move.database.transaction(async (tx) => {
    const entry = await tx
      .selectFrom('media_moves')
      .select('blobs')
      .where('file_id', '=', fileId)
      .where('run', '=', run)
      .forUpdate()
      .executeTakeFirst()
    const originals = new Set<string>()
    if (entry === undefined) return originals
    await inParallel(entry.blobs, async (key) => {
      if ((await move.former.stat(key)) === null) await move.present.delete(key)
      else originals.add(key)
    })
    await tx.deleteFrom('media_moves').where('file_id', '=', fileId).where('run', '=', run).execute()
    return originals
  })

/** Rows from before disks were recorded; any machine may settle them. */
const anyDisk = ''

/**
 * Settles the moves of killed runs. While its row exists, a blob leaves the former store only by deletion.
 * Handles only moves from or to this disk, because other disks cannot be inspected here. Returns the files
 * that could not be settled.
 */
const cleanUpKilledMoves = async (move: MediaMove): Promise<Set<number>> => {
  const killed = await move.database.kysely
    .selectFrom('media_moves')
    .select(['file_id', 'run'])
    .where('disk', 'in', [move.disk, anyDisk])
    .execute()
  const unsettled = new Set<number>()
  for (const { file_id, run } of killed)
    try {
      await settleMove(move, file_id, run)
    } catch (error) {
      logFailure(move, file_id, error)
      unsettled.add(file_id)
    }
  return unsettled
}

/** Processes items concurrently. Waits for all running calls, even after a failure. */
const inParallel = async <T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> => {
  const rest = items.values()
  const workers = Array.from({ length: copiesAtOnce }, async () => {
    for (const item of rest) await act(item)
  })
  await allOf(workers)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { FileAddress } from '../files/change/change-extras.ts'
import { fileNotFound } from '../files/record/media-file-store.ts'
import type { Database, Queryable } from '../../platform/db/database.ts'
import type { PictureRequestsTable } from '../../platform/db/tables/pictures.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { isProblemReason, Problem } from '../../platform/base/problem.ts'
import { makePictureJob, type PictureSource } from './picture-job.ts'

export type PictureRequestRow = Selectable<PictureRequestsTable>

/**
 * Workers make pictures, because API processes may have neither ffmpeg nor time for it. The API request waits
 * and polls the state of a row.
 */

const pollMs = 100
/** An idle worker takes up the job within a second; a busy one when it has a free slot. */
const takeUpMs = 15_000
const patienceMs = 60_000
/** Longer than any API request waits. */
const abandonedMinutes = 15

const noWorker = (): Problem => new Problem('picture_workers_busy', {}, { headers: { 'Retry-After': '30' } })

/**
 * Enqueues a picture, waits until a worker has made it and returns its id. Throws 'invalid' with the worker's
 * reason, and 'unavailable'.
 */
export const requestPicture = async (
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  address: FileAddress,
  picture: { readonly isStandard: boolean; readonly source: PictureSource },
): Promise<number> => {
  const requestId = await database.transaction(async (tx) => {
    const file = await tx
      .selectFrom('media_files')
      .select('id')
      .where('id', '=', address.fileId)
      .forKeyShare()
      .executeTakeFirst()
    if (file === undefined) throw fileNotFound(address.fileId)
    const { id } = await tx
      .insertInto('picture_requests')
      .values({ account_id: address.accountId, file_id: address.fileId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, makePictureJob, { ...address, requestId: id, ...picture })
    return id
  })
  const { picture_id: pictureId } = await waitForPicture(database, requestId, fileNotFound(address.fileId))
  if (pictureId === null) throw new Error(`picture request ${requestId} is done but has no picture`)
  return pictureId
}

/**
 * Waits for a request and returns its row, which is deleted afterwards. Throws `gone` when the file or
 * project is deleted meanwhile.
 */
export const waitForPicture = async (
  database: Database,
  requestId: string,
  gone: Problem,
): Promise<PictureRequestRow> => {
  try {
    return await untilMade(database, requestId, gone)
  } finally {
    await database.kysely.deleteFrom('picture_requests').where('id', '=', requestId).execute()
  }
}

const untilMade = async (
  { kysely }: Database,
  requestId: string,
  gone: Problem,
): Promise<PictureRequestRow> => {
  const startedMs = performance.now()
  for (;;) {
    await sleep(pollMs)
    const row = await kysely
      .selectFrom('picture_requests')
      .select(['state', 'reason', 'params'])
      .where('id', '=', requestId)
      .executeTakeFirst()
    if (row === undefined) throw gone
    if (row.state === 'made') return takeMade(kysely, requestId, gone)
    if (row.state === 'refused')
      throw isProblemReason(row.reason)
        ? new Problem(row.reason, row.params ?? {})
        : new Problem('picture_failed')
    const waitedMs = performance.now() - startedMs
    if (waitedMs < (row.state === 'waiting' ? takeUpMs : patienceMs)) continue
    // A worker that starts after this deletion finds no request and makes nothing.
    const { numDeletedRows } = await kysely
      .deleteFrom('picture_requests')
      .where('id', '=', requestId)
      .where('state', 'in', ['waiting', 'working'])
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) throw noWorker()
  }
}

/** Reads the whole row only now, because it may hold a picture. */
const takeMade = async (
  kysely: Database['kysely'],
  requestId: string,
  gone: Problem,
): Promise<PictureRequestRow> => {
  const row = await kysely
    .selectFrom('picture_requests')
    .selectAll()
    .where('id', '=', requestId)
    .executeTakeFirst()
  if (row === undefined) throw gone
  return row
}

/** Marks a request as being worked on. Returns false when no API request waits for it. */
export const takeUpRequest = async ({ kysely }: Database, requestId: string): Promise<boolean> => {
  const { numUpdatedRows } = await kysely
    .updateTable('picture_requests')
    .set({ state: 'working' })
    .where('id', '=', requestId)
    .where('state', 'in', ['waiting', 'working'])
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Marks a request as made, in the transaction that adds the picture. Throws NobodyWaitsError when no API
 * request waits, which rolls the picture back.
 */
export const fulfilRequest = async (
  queryable: Queryable,
  requestId: string,
  made: Partial<Pick<PictureRequestRow, 'picture_id' | 'drawn' | 'width_pixels' | 'height_pixels'>>,
): Promise<void> => {
  const { numUpdatedRows } = await queryable
    .updateTable('picture_requests')
    .set({ state: 'made', ...made })
    .where('id', '=', requestId)
    .where('state', '=', 'working')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new NobodyWaitsError()
}

export class NobodyWaitsError extends Error {
  override readonly name = 'NobodyWaitsError'
}

export const refuseRequest = async (
  { kysely }: Database,
  requestId: string,
  { reason, params }: Problem,
): Promise<void> => {
  await kysely
    .updateTable('picture_requests')
    .set({ state: 'refused', reason, params: JSON.stringify(params) })
    .where('id', '=', requestId)
    .where('state', '=', 'working')
    .execute()
}

/** Deletes requests of API processes that died. Part of housekeeping. */
export const dropAbandonedPictureRequests = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .deleteFrom('picture_requests')
    .where('created_at', '<', new Date(Date.now() - abandonedMinutes * 60_000))
    .execute()
}

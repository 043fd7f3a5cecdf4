import { mkdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { sweepFolder } from '../../platform/blobs/durable-files.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { JobDefinition } from '../../platform/jobs/job-definition.ts'
import { changeArchived } from '../store/change-stored-views.ts'
import { readArchived, type StoredViews } from '../store/stored-views.ts'
import {
  listErasures,
  listMonthsToMerge,
  listRemovable,
  publishArchives,
  removeArchive,
  retireArchives,
  retireOldArchives,
} from './archive-store.ts'
import {
  listGroups,
  mergeArchives,
  rewriteArchive,
  writeArchive,
  type ArchiveWriter,
} from './write-archive.ts'

export const keepArchivesJob: JobDefinition<Record<string, never>> = {
  name: 'analytics.archive',
  retryLimit: 0,
  expireInSeconds: 7_200,
  isExclusive: true,
}
/** Every hour, so that what was purged disappears soon. */
export const keepArchivesCron = '25 * * * *'

export interface ArchiveKeeper extends ArchiveWriter {
  readonly archiveDays: number
  /** The former storage of media, while media is moved. */
  readonly former: BlobStore | null
}

/** Views end ten minutes after their last report; later ones are written the day after. */
const settledAfterMs = 20 * 60_000
const abandonedMs = 3 * 3_600_000

const untilNow = async ({ kysely }: Database, nowMs: number): Promise<StoredViews> => {
  const { rows } = await sql<{ viewId: number }>`select coalesce(max(id), 0) as "viewId" from views`.execute(
    kysely,
  )
  const before = new Date(nowMs - settledAfterMs).toISOString().slice(0, 10)
  return { before, viewId: rows[0]?.viewId ?? 0 }
}

/** Writes the views of all days that are over, and publishes their archives together, so that none counts twice. */
const archiveDays = async (writer: ArchiveWriter, nowMs: number): Promise<void> => {
  const { database } = writer
  const done = await readArchived(database)
  const until = await untilNow(database, nowMs)
  if (until.before <= done.before) return
  const ids: number[] = []
  for (const group of await listGroups(database, done, until))
    ids.push(await writeArchive(writer, group, done, until))
  await database.transaction(async (tx) => {
    const isOurs = (await publishArchives(tx, ids)) && (await changeArchived(tx, done, until))
    if (!isOurs) throw new Error('another run has archived these views')
  })
}

/** Publishes an archive in place of others; null if nothing is left of them. */
const replaceArchives = async (
  { database }: ArchiveWriter,
  former: readonly number[],
  next: number | null,
): Promise<void> => {
  await database.transaction(async (tx) => {
    const isOurs =
      (await retireArchives(tx, former)) && (next === null || (await publishArchives(tx, [next])))
    if (!isOurs) throw new Error('another run has replaced these archives')
  })
}

/** Removes views that have expired, and those of files and projects that were purged. */
const eraseViews = async (keeper: ArchiveKeeper): Promise<void> => {
  for (const erasure of await listErasures(keeper.database, keeper.archiveDays))
    await replaceArchives(keeper, [erasure.id], await rewriteArchive(keeper, erasure))
}

/** Opening a file takes a question longer than reading a day of it, so a month that is over becomes one file. */
const mergeMonths = async (writer: ArchiveWriter): Promise<void> => {
  const { before } = await readArchived(writer.database)
  for (const month of await listMonthsToMerge(writer.database, before))
    await replaceArchives(writer, month.ids, await mergeArchives(writer, month))
}

const removeUnused = async ({ database, blobs }: ArchiveWriter): Promise<void> => {
  for (const { id, blob } of await listRemovable(database)) {
    await blobs.delete(blob)
    await removeArchive(database, id)
  }
}

/** A copy is complete before the former blob goes, and readers look into both stores. */
const moveArchives = async ({ database, blobs }: ArchiveWriter, former: BlobStore): Promise<void> => {
  const rows = await database.kysely
    .selectFrom('view_archives')
    .select('blob')
    .where('state', '=', 'current')
    .execute()
  for (const { blob } of rows) {
    const stat = await former.stat(blob)
    if (stat === null) continue
    await blobs.put(blob, await former.stream(blob), stat)
    await former.delete(blob)
  }
}

/** Archives the views of past days, and deletes what is no longer wanted. May run twice. */
export const keepArchives = async (keeper: ArchiveKeeper, nowMs = Date.now()): Promise<void> => {
  await mkdir(keeper.workFolder, { recursive: true, mode: 0o700 })
  await sweepFolder(keeper.workFolder, abandonedMs)
  const [archived] = await Promise.allSettled([archiveDays(keeper, nowMs)])
  // What is no longer wanted disappears even if a day cannot be archived.
  await retireOldArchives(keeper.database, keeper.archiveDays)
  await eraseViews(keeper)
  await removeUnused(keeper)
  if (archived.status === 'rejected') throw archived.reason
  if (keeper.former !== null) await moveArchives(keeper, keeper.former)
  await mergeMonths(keeper)
}

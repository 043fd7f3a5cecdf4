import type { Database } from '../../platform/db/database.ts'
import type { ArchiveReader } from '../archive/archive-copies.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { nothingStored, readStored, type StoredViews } from '../store/stored-views.ts'
import { addGroups, type BreakdownQuestion, type Group } from './breakdown.ts'
import { findArchived, groupArchived } from './read-archives.ts'
import { groupSent } from './read-clickhouse.ts'
import { groupViews } from './read-views.ts'

/** Groups all views of a question. */
export type GroupAll = (question: BreakdownQuestion) => Promise<Group[]>

/** Another engine has the views up to a point, and PostgreSQL those after it. */
const groupBoth = async (
  { kysely }: Database,
  question: BreakdownQuestion,
  stored: StoredViews,
  other: Promise<Group[]>,
): Promise<Group[]> => addGroups(...(await Promise.all([groupViews(kysely, question, stored), other])))

export const groupInPostgres =
  ({ kysely }: Database): GroupAll =>
  (question) =>
    groupViews(kysely, question, nothingStored)

export const groupInArchives =
  (database: Database, archives: ArchiveReader): GroupAll =>
  async (question) => {
    const found = await findArchived(database, question)
    return groupBoth(database, question, found.stored, groupArchived(archives, found.archives, question))
  }

export const groupInClickHouse =
  (database: Database, clickHouse: ClickHouse): GroupAll =>
  async (question) => {
    const stored = (await readStored(database, 'clickhouse')) ?? nothingStored
    return groupBoth(database, question, stored, groupSent(clickHouse, question, stored.viewId))
  }

import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/**
 * Which views another engine has: those up to this id that ended before this day. Rows of `views` are inserted in the order of
 * their ids.
 */
export interface StoredViews {
  /** `2026-03-01`, exclusive. */
  readonly before: string
  readonly viewId: number
}

export const nothingStored: StoredViews = { before: '1970-01-01', viewId: 0 }

/** Belongs to the installation, so it is read outside the scope of an account. */
const readState = async <State extends object>(
  { sql: query }: Pick<Database, 'sql'>,
  name: string,
  fallback: State,
): Promise<State> => {
  const [row] = await query<{ value: string }[]>`
    select value from installation_settings where name = ${name}`
  return row === undefined ? fallback : (JSON.parse(row.value) as State)
}

/** Condition for rows of `views` that the other engine has. */
export const isStored = ({ before, viewId }: StoredViews) =>
  sql<boolean>`(id <= ${viewId} and ended_at < ${`${before}T00:00:00Z`}::timestamptz)`

export const archivedSetting = 'views_archived'

export const readArchived = (database: Pick<Database, 'sql'>): Promise<StoredViews> =>
  readState(database, archivedSetting, nothingStored)

/** Views up to `sent` are in ClickHouse. Those up to `sending` may be, too. */
export interface SentViews {
  readonly sent: number
  readonly sending: number
}

export const sentSetting = 'views_sent'
export const nothingSent: SentViews = { sent: 0, sending: 0 }
const always = '9999-12-31'

export const readSent = (database: Pick<Database, 'sql'>): Promise<SentViews> =>
  readState(database, sentSetting, nothingSent)

export type ViewsEngine = 'postgres' | 'parquet' | 'clickhouse'

/** Null = no other engine has views. */
export const readStored = async (
  database: Pick<Database, 'sql'>,
  engine: ViewsEngine,
): Promise<StoredViews | null> => {
  if (engine === 'parquet') return readArchived(database)
  if (engine === 'clickhouse') return { before: always, viewId: (await readSent(database)).sent }
  return null
}

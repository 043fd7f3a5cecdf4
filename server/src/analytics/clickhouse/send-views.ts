import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { JobDefinition } from '../../platform/jobs/job-definition.ts'
import { changeSent } from '../store/change-stored-views.ts'
import { readSent, type SentViews } from '../store/stored-views.ts'
import type { ClickHouse } from './clickhouse.ts'

export const sendViewsJob: JobDefinition<Record<string, never>> = {
  name: 'analytics.send',
  retryLimit: 0,
  expireInSeconds: 3_600,
  isExclusive: true,
}
export const sendViewsCron = '* * * * *'

const batch = 10_000

export interface ViewSender {
  readonly database: Database
  readonly clickHouse: ClickHouse
}

const instant = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.MS') as ${column}`)

const readBatch = async ({ kysely }: Database, { sent, sending }: SentViews): Promise<object[]> => {
  const { rows } = await sql<object>`
    select id, account_id, project_id, file_id, kind, source, ${instant('started_at')}, ${instant('ended_at')}, watch_ms, startup_ms,
      rebuffers, rebuffer_ms, has_started, has_failed, error_code, is_complete, bit_rate,
      upscaled_ms, dimensions
    from views where id > ${sent} and id <= ${sending} order by id`.execute(kysely)
  return rows
}

const lastIdOf = async ({ kysely }: Database, after: number): Promise<number> => {
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from (select id from views where id > ${after} order by id limit ${batch}) next`.execute(
    kysely,
  )
  return rows[0]?.last ?? after
}

/**
 * Sends one batch. `views` is the outbox: the end of a batch is stored before it is sent, so a repeated batch has the same rows
 * and the same token, however the process ended. Returns false when nothing is left.
 */
const sendBatch = async ({ database, clickHouse }: ViewSender): Promise<boolean> => {
  let state = await readSent(database)
  const change = async (to: SentViews): Promise<void> => {
    const from = state
    const isOurs = await database.transaction((tx) => changeSent(tx, from, to))
    if (!isOurs) throw new Error('another run sends these views')
    state = to
  }
  if (state.sending === state.sent) {
    const sending = await lastIdOf(database, state.sent)
    if (sending === state.sent) return false
    await change({ ...state, sending })
  }
  const rows = await readBatch(database, state)
  if (rows.length > 0) await clickHouse.insert(rows, `views-${state.sent}-${state.sending}`)
  await change({ sent: state.sending, sending: state.sending })
  return true
}

/** Sends the views that ClickHouse does not have yet. While it is down, they wait in PostgreSQL. */
export const sendViews = async (sender: ViewSender, signal?: AbortSignal): Promise<void> => {
  while (signal?.aborted !== true && (await sendBatch(sender)));
}

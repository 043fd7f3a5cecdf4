import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/db/database.ts'
import { metrics } from '../ask/metrics.ts'
import { minuteMeasures, noMeasures } from '../store/measures.ts'
import type { MinuteSum } from '../store/minute-sums.ts'
import type { AlertMetric, AlertRow } from './alert-record.ts'
import { alerts, changeAlertState, isPlaceDeleted, resolveAlert } from './alert-store.ts'

const minuteMs = 60_000
/** Reports of a minute are added up this soon after its end. */
const settledMs = 10_000
const batch = 200

/** Sums over the window of an alert. */
interface Figures extends MinuteSum {
  readonly id: number
  /** Largest number of viewers in one minute. */
  readonly peak: number
}

const names = ['viewers', ...minuteMeasures]
const perMinute = sql.raw(names.map((name) => `sum(${name}) as ${name}`).join(', '))
const overWindow = sql.raw(names.map((name) => `coalesce(sum(m.${name}), 0)::bigint as ${name}`).join(', '))
const columns = sql.raw(names.join(', '))

const readFigures = async (tx: Tx, ids: readonly number[], end: Date): Promise<readonly Figures[]> => {
  const inWindow = sql`v.account_id = a.account_id and v.minute < ${end}
    and v.minute >= ${end}::timestamptz - a.window_minutes * interval '1 minute'`
  const { rows } = await sql<Figures>`
    select a.id, coalesce(max(m.viewers), 0)::bigint as peak, ${overWindow}
    from analytics_alerts a
    left join lateral (
      select minute, ${perMinute}
      from (
        select minute, ${columns} from view_minutes v
        where a.file_id is null and (a.project_id is null or v.project_id = a.project_id) and ${inWindow}
        union all
        select minute, ${columns} from file_view_minutes v where v.file_id = a.file_id and ${inWindow}
      ) places
      group by minute
    ) m on true
    where a.id = any(${[...ids]}::bigint[]) group by a.id`.execute(tx)
  return rows
}

interface Finding {
  readonly isMet: boolean
  readonly value: number | null
  readonly viewers: number
}

/** A metric that was not measured meets no condition. */
const findingOf = (alert: AlertRow, figures: Figures): Finding => {
  const { valueOf } = metrics[alert.metric as AlertMetric]
  const value = valueOf === null ? figures.peak : valueOf({ ...noMeasures(), ...figures })
  const viewers = figures.viewers / alert.window_minutes
  const isBeyond =
    value !== null && (alert.operator === 'above' ? value > alert.threshold : value < alert.threshold)
  return { isMet: isBeyond && viewers >= alert.minimum_viewers, value, viewers }
}

/** Locks the alerts, so that two nodes cannot report the same change. Returns their number. */
const evaluateBatch = async (tx: Tx, end: Date): Promise<number> => {
  const due = await tx
    .selectFrom('analytics_alerts')
    .select(['id', isPlaceDeleted.as('is_place_deleted')])
    .where('is_enabled', '=', true)
    .where('evaluated_at', '<', end)
    // The purge of a file deletes its alerts, so those that fire are resolved before.
    .where((where) => where.or([where('state', '=', 'firing'), where.not(isPlaceDeleted)]))
    .orderBy('id')
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return 0
  const ids = due.map(({ id }) => id)
  const withoutPlace = new Set(due.flatMap((one) => (one.is_place_deleted ? one.id : [])))
  const figures = new Map((await readFigures(tx, ids, end)).map((one) => [one.id, one]))
  for (const alert of await alerts(tx).selectAll().where('id', 'in', ids).orderBy('id').execute()) {
    if (withoutPlace.has(alert.id)) {
      await resolveAlert(tx, alert)
      continue
    }
    const found = figures.get(alert.id)
    if (found === undefined) continue
    const { isMet, value, viewers } = findingOf(alert, found)
    const state = isMet ? 'firing' : 'resolved'
    if (state !== alert.state) await changeAlertState(tx, alert, { state, value, viewers })
  }
  await tx.updateTable('analytics_alerts').set({ evaluated_at: end }).where('id', 'in', ids).execute()
  return due.length
}

/** Evaluates each alert once for the last whole minutes. */
export const evaluateAlerts = async (
  database: Pick<Database, 'transaction'>,
  { nowMs = Date.now() }: { readonly nowMs?: number } = {},
): Promise<void> => {
  const end = new Date(Math.floor((nowMs - settledMs) / minuteMs) * minuteMs)
  while ((await database.transaction((tx) => evaluateBatch(tx, end))) === batch);
}

import { sql } from 'kysely'
import type { Page } from '../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { isUnchanged } from '../../platform/db/is-unchanged.ts'
import { readPage, type PageOf } from '../../platform/db/keyset.ts'
import { Problem } from '../../platform/base/problem.ts'
import { emit } from '../../platform/outbox/outbox.ts'
import { alertRecord, type AlertRow } from './alert-record.ts'

/** Null = all projects. A key of some projects sees neither alerts of others nor those of the whole account. */
export interface AlertScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

const mostAlerts = 100

/** A file may have moved since the rule was written. */
const projectNow = sql<number | null>`coalesce(
  (select f.project_id from media_files f where f.account_id = analytics_alerts.account_id and f.id = analytics_alerts.file_id),
  analytics_alerts.project_id)`

/** Whether the file or the project of an alert is deleted. Until the purge, it can be restored. */
export const isPlaceDeleted = sql<boolean>`(
  exists (
    select from media_files f
    where f.account_id = analytics_alerts.account_id and f.id = analytics_alerts.file_id and f.deleted_at is not null
  ) or exists (
    select from projects p
    where p.account_id = analytics_alerts.account_id and p.id = ${projectNow} and p.deleted_at is not null
  )
)`

const columns = [
  ...(['id', 'account_id', 'file_id', 'label', 'metric', 'operator', 'threshold'] as const),
  ...(['window_minutes', 'minimum_viewers', 'is_enabled', 'state', 'state_since', 'value'] as const),
  ...(['viewers', 'evaluated_at', 'event_sequence', 'version', 'created_at', 'updated_at'] as const),
] as const

/** All alerts, each with the present project of its file. */
export const alerts = (queryable: Queryable) =>
  queryable.selectFrom((from) =>
    from.selectFrom('analytics_alerts').select(columns).select(projectNow.as('project_id')).as('alerts'),
  )

const visible = (queryable: Queryable, { accountId, projectIds }: AlertScope) =>
  alerts(queryable)
    .where('account_id', '=', accountId)
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))

export const findAlert = async (
  queryable: Queryable,
  scope: AlertScope,
  alertId: number,
): Promise<AlertRow> => {
  const row = await visible(queryable, scope).selectAll().where('id', '=', alertId).executeTakeFirst()
  if (row === undefined) throw new Problem('alert_not_found', { alertId })
  return row
}

/** Like `findAlert`, with the row locked until the transaction ends. */
export const lockAlert = async (tx: Tx, scope: AlertScope, alertId: number): Promise<AlertRow> => {
  await tx
    .selectFrom('analytics_alerts')
    .select('id')
    .where('account_id', '=', scope.accountId)
    .where('id', '=', alertId)
    .forUpdate()
    .execute()
  return findAlert(tx, scope, alertId)
}

export const listAlerts = async (
  queryable: Queryable,
  scope: AlertScope,
  filter: {
    readonly projectIds: readonly number[] | null
    readonly states: readonly AlertRow['state'][] | null
  },
  page: Page,
): Promise<PageOf<AlertRow> & { totalCount: number }> => {
  const matching = visible(queryable, scope)
    .$if(filter.projectIds !== null, (query) =>
      query.where('project_id', 'in', [...(filter.projectIds ?? []), 0]),
    )
    .$if(filter.states !== null, (query) => query.where('state', 'in', [...(filter.states ?? [])]))
  const found = await readPage(matching.selectAll(), page, null)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

export type AlertChange = Partial<
  Pick<
    AlertRow,
    | 'label'
    | 'project_id'
    | 'file_id'
    | 'metric'
    | 'operator'
    | 'threshold'
    | 'window_minutes'
    | 'minimum_viewers'
    | 'is_enabled'
  >
>

/** Throws 'conflict' when the account has too many. */
export const insertAlert = async (
  tx: Tx,
  accountId: number,
  change: AlertChange & Required<Pick<AlertChange, 'metric' | 'operator' | 'threshold'>>,
): Promise<AlertRow> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`zoetrope.analytics_alerts.${accountId}`}))`.execute(tx)
  const { count } = await tx
    .selectFrom('analytics_alerts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count >= mostAlerts) throw new Problem('too_many_alerts', { count })
  return tx
    .insertInto('analytics_alerts')
    .values({ ...change, account_id: accountId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const changeAlert = async (tx: Tx, before: AlertRow, change: AlertChange): Promise<AlertRow> => {
  if (isUnchanged(before, change)) return before
  await tx
    .updateTable('analytics_alerts')
    .set((set) => ({ ...change, updated_at: new Date(), version: set('version', '+', 1) }))
    .where('id', '=', before.id)
    .execute()
  return alerts(tx).selectAll().where('id', '=', before.id).executeTakeFirstOrThrow()
}

export const deleteAlert = async (tx: Tx, { id }: AlertRow): Promise<void> => {
  await tx.deleteFrom('analytics_alerts').where('id', '=', id).execute()
}

/** Changes the state and writes its event. The caller holds the row. */
export const changeAlertState = async (
  tx: Tx,
  alert: AlertRow,
  change: Pick<AlertRow, 'state' | 'value' | 'viewers'>,
): Promise<AlertRow> => {
  const counters = await tx
    .updateTable('analytics_alerts')
    .set((set) => ({
      ...change,
      state_since: new Date(),
      event_sequence: set('event_sequence', '+', 1),
      version: set('version', '+', 1),
    }))
    .where('id', '=', alert.id)
    .returning(['state_since', 'event_sequence', 'version'])
    .executeTakeFirstOrThrow()
  const row = { ...alert, ...change, ...counters }
  await emit(tx, {
    accountId: row.account_id,
    projectId: row.project_id,
    fileId: row.file_id,
    name: 'analytics.alert',
    sequence: row.event_sequence,
    subject: 'Alert',
    record: JSON.stringify(alertRecord(row)),
  })
  return row
}

/** An alert that is no longer evaluated cannot keep firing. */
export const resolveAlert = async (tx: Tx, alert: AlertRow): Promise<AlertRow> =>
  alert.state === 'resolved'
    ? alert
    : changeAlertState(tx, alert, { state: 'resolved', value: null, viewers: null })

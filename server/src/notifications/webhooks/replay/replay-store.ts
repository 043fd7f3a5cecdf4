import { eventNames } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { subscriptionsMatching } from '../../../platform/outbox/domain-event.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { ReplayEventsJob } from './replay-job.ts'
import type { ReplayRow } from './replay-record.ts'
import type { WebhookRow } from '../store/webhook-record.ts'
import type { WebhookScope } from '../store/webhook-store.ts'

export interface ReplayRange {
  readonly from: Date
  readonly to: Date
  /** Event names or families as in subscriptions; null = all that the webhook subscribes to. */
  readonly events: readonly string[] | null
  readonly projectId: number | null
}

const isWanted = (name: string, subscriptions: readonly string[]): boolean =>
  subscriptionsMatching(name).some((one) => subscriptions.includes(one))

/** Excludes `webhook.ping`: no column of the event names the webhook it was meant for. */
const namesToReplay = (webhook: WebhookRow, wanted: readonly string[] | null): string[] =>
  eventNames.filter(
    (name) =>
      name !== 'webhook.ping' &&
      isWanted(name, webhook.event_types) &&
      (wanted === null || isWanted(name, wanted)),
  )

export interface ReplayPlan {
  readonly range: ReplayRange
  readonly names: readonly string[]
  readonly count: number
  readonly reachedEventId: number
  readonly lastEventId: number
}

/**
 * The API shows milliseconds and the database stores microseconds, so the range includes the whole last
 * millisecond.
 */
export const endOfRange = (to: Date): Date => new Date(to.getTime() + 1)

/**
 * Counts the events of a replay. Counting may take long, so it locks nothing. Later events are not part of
 * the replay, because they are delivered anyway.
 */
export const planReplay = async (
  queryable: Queryable,
  webhook: WebhookRow,
  range: ReplayRange,
): Promise<ReplayPlan> => {
  const names = namesToReplay(webhook, range.events)
  const { rows } = await sql<{ count: number; first: number | null; last: number | null }>`
    select count(*)::int as count, min(id) as first, max(id) as last from events
    where account_id = ${webhook.account_id} and occurred_at >= ${range.from} and occurred_at < ${endOfRange(range.to)}
      and name = any(${names}::text[])
      and (${range.projectId}::bigint is null or project_id = ${range.projectId}::bigint)`.execute(queryable)
  const { count = 0, first = null, last = null } = rows[0] ?? {}
  return { range, names, count, reachedEventId: (first ?? 1) - 1, lastEventId: last ?? 0 }
}

/**
 * The caller holds the webhook's lock. Throws 'conflict' while another replay of the webhook runs, because
 * both would send the same events.
 */
export const insertReplay = async (tx: Tx, webhook: WebhookRow, plan: ReplayPlan): Promise<ReplayRow> => {
  const other = await tx
    .selectFrom('webhook_replays')
    .select('id')
    .where('webhook_id', '=', webhook.id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (other !== undefined)
    throw new Problem('replay_in_progress', { replayId: other.id, webhookId: webhook.id })
  return tx
    .insertInto('webhook_replays')
    .values({
      account_id: webhook.account_id,
      webhook_id: webhook.id,
      project_id: plan.range.projectId,
      event_names: [...plan.names],
      from_at: plan.range.from,
      to_at: plan.range.to,
      reached_event_id: plan.reachedEventId,
      last_event_id: plan.lastEventId,
      event_count: plan.count,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const findReplay = async (
  queryable: Queryable,
  { webhookId, projectIds }: { readonly webhookId: number; readonly projectIds: WebhookScope['projectIds'] },
  replayId: number,
): Promise<ReplayRow> => {
  const row = await queryable
    .selectFrom('webhook_replays')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', replayId)
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))
    .executeTakeFirst()
  if (row === undefined) throw new Problem('replay_not_found', { replayId, webhookId })
  return row
}

/**
 * Locks a running replay and returns whether its webhook still wants the events. Returns null when the replay
 * has ended or another job continues it.
 */
export const lockRunningReplay = async (
  tx: Tx,
  { replayId, run }: Pick<ReplayEventsJob, 'replayId' | 'run'>,
): Promise<{ readonly replay: ReplayRow; readonly isWanted: boolean } | null> => {
  // Locks the webhook before the replay, so that a request that disables it waits for the batch or is seen by
  // it.
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['is_enabled', 'deleted_at', 'project_id'])
    .where('id', '=', (where) =>
      where.selectFrom('webhook_replays').select('webhook_id').where('id', '=', replayId),
    )
    .forNoKeyUpdate()
    .executeTakeFirst()
  const replay = await tx
    .selectFrom('webhook_replays')
    .selectAll()
    .where('id', '=', replayId)
    .where('run', '=', run)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  if (webhook === undefined || replay === undefined) return null
  const coversProject = webhook.project_id === null || webhook.project_id === replay.project_id
  return { replay, isWanted: webhook.is_enabled && webhook.deleted_at === null && coversProject }
}

export const endReplay = async (tx: Tx, replayId: number, state: 'finished' | 'cancelled'): Promise<void> => {
  await tx
    .updateTable('webhook_replays')
    .set({ state, finished_at: new Date() })
    .where('id', '=', replayId)
    .execute()
}

/** Starts the next run of a replay; jobs of earlier runs do nothing from then on. */
export const beginNextRun = async (
  tx: Tx,
  { replayId, run, fullLooks }: ReplayEventsJob,
): Promise<ReplayEventsJob> => {
  await tx
    .updateTable('webhook_replays')
    .set({ run: run + 1, looked_at: new Date() })
    .where('id', '=', replayId)
    .execute()
  return { replayId, run: run + 1, fullLooks }
}

/** Returns running replays that no job has looked at since `before`. */
export const findForsakenReplays = (queryable: Queryable, before: Date): Promise<ReplayRow[]> =>
  queryable
    .selectFrom('webhook_replays')
    .selectAll()
    .where('state', '=', 'running')
    .where('looked_at', '<', before)
    .orderBy('id')
    .execute()

import { sql } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { columnsOfCause } from '../../../platform/outbox/outbox.ts'
import { readPage, type PageOf } from '../../../platform/db/keyset.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { DeliveryFilter } from './delivery-filter.ts'
import type { AttemptRow, DeliveryRow } from './delivery-record.ts'
import { endPause } from '../health/health-store.ts'
import { mayGet } from '../store/due-delivery.ts'
import type { WebhookRow } from '../store/webhook-record.ts'
import { nextEventSequence, type WebhookScope } from '../store/webhook-store.ts'

/**
 * The webhook may have belonged to another project: callers see only deliveries whose event is in a project
 * they may read.
 */
type SeenProjects = WebhookScope['projectIds']

const deliveriesOf = (queryable: Queryable, webhookId: number, projectIds: SeenProjects) =>
  queryable
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .leftJoin('delivery_attempts as a', (join) =>
      join.onRef('a.delivery_id', '=', 'd.id').onRef('a.number', '=', 'd.attempt_count'),
    )
    .where('d.webhook_id', '=', webhookId)
    .$if(projectIds !== null, (query) => query.where('e.project_id', 'in', [...(projectIds ?? []), 0]))
    .select([
      'd.id',
      'd.webhook_id',
      'd.event_id',
      'd.state',
      'd.attempt_count',
      'd.next_attempt_at',
      'd.created_at',
      'd.finished_at',
      'e.name as event_name',
      'e.project_id',
      'd.file_id',
      'a.status_code as last_status_code',
      'a.error as last_error',
      'a.error_reason as last_error_reason',
      'a.error_params as last_error_params',
    ])

const matchingDeliveries = (
  queryable: Queryable,
  webhookId: number,
  projectIds: SeenProjects,
  { states, eventNames, fileIds, createdFrom, createdTo }: DeliveryFilter,
) =>
  queryable
    .selectFrom('deliveries')
    .where('webhook_id', '=', webhookId)
    // Literals let a prepared statement use the partial indexes on these states.
    .$if(states !== null, (query) =>
      query.where(
        'state',
        'in',
        (states ?? []).map((state) => sql.lit(state)),
      ),
    )
    .$if(fileIds !== null, (query) => query.where('file_id', 'in', [...(fileIds ?? [])]))
    .$if(eventNames !== null || projectIds !== null, (query) =>
      query.where((where) =>
        where.exists(
          where
            .selectFrom('events')
            .select('events.id')
            .whereRef('events.id', '=', 'deliveries.event_id')
            .$if(eventNames !== null, (events) => events.where('events.name', 'in', [...(eventNames ?? [])]))
            .$if(projectIds !== null, (events) =>
              events.where('events.project_id', 'in', [...(projectIds ?? []), 0]),
            ),
        ),
      ),
    )
    .$if(createdFrom !== null, (query) => query.where('created_at', '>=', createdFrom ?? new Date(0)))
    // The API shows milliseconds and the database stores microseconds, so the bound includes the whole
    // millisecond.
    .$if(createdTo !== null, (query) =>
      query.where('created_at', '<', new Date((createdTo?.getTime() ?? 0) + 1)),
    )

export const listDeliveries = async (
  queryable: Queryable,
  { webhookId, projectIds }: { readonly webhookId: number; readonly projectIds: SeenProjects },
  filter: DeliveryFilter,
  page: Page,
): Promise<PageOf<DeliveryRow> & { totalCount: number }> => {
  const matching = matchingDeliveries(queryable, webhookId, projectIds, filter)
  // The index yields the page of ids before the join, so skipped rows cost no join.
  const { rows: ids, last } = await readPage(matching.select('id'), page, null)
  const rows = await deliveriesOf(queryable, webhookId, projectIds)
    .where('d.id', 'in', [...ids.map(({ id }) => id), 0])
    .orderBy('d.id', page.sort)
    .execute()
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, last, totalCount: count }
}

const deliveryNotFound = (deliveryId: number, webhookId: number): Problem =>
  new Problem('delivery_not_found', { deliveryId, webhookId })

export const findDelivery = async (
  queryable: Queryable,
  { webhookId, projectIds }: { readonly webhookId: number; readonly projectIds: SeenProjects },
  deliveryId: number,
): Promise<DeliveryRow> => {
  const row = await deliveriesOf(queryable, webhookId, projectIds)
    .where('d.id', '=', deliveryId)
    .executeTakeFirst()
  if (row === undefined) throw deliveryNotFound(deliveryId, webhookId)
  return row
}

export const attemptsOf = (queryable: Queryable, deliveryId: number): Promise<AttemptRow[]> =>
  queryable
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute()

/**
 * Sends a delivery of the visible projects again. A finished one gets a new schedule and leaves its order; a
 * waiting one becomes due now. Throws 'not_found', or 'conflict' when the webhook is disabled or has moved to another
 * project.
 */
export const redeliver = async (
  tx: Tx,
  webhook: WebhookRow,
  projectIds: SeenProjects,
  deliveryId: number,
): Promise<DeliveryRow> => {
  checkEnabled(webhook)
  const shown = { webhookId: webhook.id, projectIds }
  const found = await findDelivery(tx, shown, deliveryId)
  if (!mayGet({ projectId: webhook.project_id }, found.project_id))
    throw new Problem('delivery_of_other_project', { deliveryId, webhookId: webhook.id })
  const row = await tx
    .selectFrom('deliveries')
    .select(['state', 'attempt_count'])
    .where('webhook_id', '=', webhook.id)
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw deliveryNotFound(deliveryId, webhook.id)
  const isFinished = row.state !== 'pending' && row.state !== 'waiting'
  await tx
    .updateTable('deliveries')
    .set({
      state: 'pending',
      next_attempt_at: new Date(),
      finished_at: null,
      ...(isFinished ? { schedule_start: row.attempt_count, lane: null } : {}),
    })
    .where('id', '=', deliveryId)
    .execute()
  await endPause(tx, webhook.id)
  return findDelivery(tx, shown, deliveryId)
}

/**
 * Sends `webhook.ping` to this webhook only, regardless of its subscriptions. Throws 'conflict' when the
 * webhook is disabled.
 */
export const insertPing = async (tx: Tx, webhook: WebhookRow, record: string): Promise<DeliveryRow> => {
  checkEnabled(webhook)
  const event = await tx
    .insertInto('events')
    .values({
      account_id: webhook.account_id,
      project_id: webhook.project_id,
      file_id: null,
      name: 'webhook.ping',
      sequence: await nextEventSequence(tx, webhook.id),
      subject: 'Webhook',
      record,
      ...columnsOfCause(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const delivery = await tx
    .insertInto('deliveries')
    .values({
      account_id: webhook.account_id,
      webhook_id: webhook.id,
      event_id: event.id,
      file_id: null,
      lane: null,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await endPause(tx, webhook.id)
  return findDelivery(tx, { webhookId: webhook.id, projectIds: null }, delivery.id)
}

export const checkEnabled = (webhook: WebhookRow): void => {
  if (!webhook.is_enabled) throw new Problem('webhook_disabled', { webhookId: webhook.id })
}

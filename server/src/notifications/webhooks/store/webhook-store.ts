import { sql } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { isUnchanged } from '../../../platform/db/is-unchanged.ts'
import { readPage, type PageOf, type SortColumn } from '../../../platform/db/keyset.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { WebhookRow } from './webhook-record.ts'

/**
 * Account and projects whose webhooks are visible; null = all projects. An API key of some projects does not
 * see webhooks of other projects.
 */
export interface WebhookScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

const webhookNotFound = (webhookId: number): Problem => new Problem('webhook_not_found', { webhookId })

const visible = (queryable: Queryable, { accountId, projectIds }: WebhookScope) =>
  queryable
    .selectFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))

/** Throws 'not_found' when the webhook is deleted or outside the scope. */
export const findWebhook = async (
  queryable: Queryable,
  scope: WebhookScope,
  webhookId: number,
): Promise<WebhookRow> => {
  const row = await visible(queryable, scope).selectAll().where('id', '=', webhookId).executeTakeFirst()
  if (row === undefined) throw webhookNotFound(webhookId)
  return row
}

/** Like `findWebhook`, with the row locked until the transaction ends; events for it can still be written. */
export const lockWebhook = async (tx: Tx, scope: WebhookScope, webhookId: number): Promise<WebhookRow> => {
  const row = await visible(tx, scope)
    .selectAll()
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw webhookNotFound(webhookId)
  return row
}

export const webhookOrders: Record<string, SortColumn> = {
  created: null,
  updated: { expression: sql`updated_at`, type: 'timestamptz' },
  name: { expression: sql`fold_text(label) collate "C"`, type: 'text' },
  // In descending order: disabled by Zoetrope, failing now, failed within 48 hours, healthy, disabled by a
  // user.
  health: {
    expression: sql`(case
      when not is_enabled then case when disabled_reason is null then 0 else 4 end
      when exists (select from webhook_health h where h.webhook_id = webhooks.id and h.failures_in_row > 0) then 3
      when exists (
        select from webhook_hours r
        where r.webhook_id = webhooks.id and r.failed_count > 0 and r.hour > now() - interval '48 hours'
      ) then 2
      else 1
    end)::bigint`,
    type: 'bigint',
  },
}

export const listWebhooks = async (
  queryable: Queryable,
  scope: WebhookScope,
  page: Page,
): Promise<PageOf<WebhookRow> & { totalCount: number }> => {
  const found = await readPage(
    visible(queryable, scope).selectAll(),
    page,
    webhookOrders[page.orderBy] ?? null,
  )
  const { count } = await visible(queryable, scope)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

export interface WebhookChange {
  readonly label?: string
  readonly target_url?: string
  readonly event_types?: string[]
  readonly project_id?: number | null
  readonly sealed_headers?: string
  readonly is_enabled?: boolean
  readonly disabled_reason?: string | null
  readonly disabled_at?: Date | null
  readonly sealed_secret?: Buffer
  readonly secret_last_four?: string
  readonly previous_sealed_secret?: Buffer
  readonly previous_secret_until?: Date
  readonly deleted_at?: Date
}

/**
 * Lets the creations of an account run one after the other until the transaction ends. Throws 'conflict' when
 * the account has `most` webhooks; 0 = no limit.
 */
export const checkMayAddWebhook = async (tx: Tx, accountId: number, most: number): Promise<void> => {
  if (most === 0) return
  await sql`select pg_advisory_xact_lock(hashtext(${`zoetrope.webhooks.${accountId}`}))`.execute(tx)
  const { count } = await tx
    .selectFrom('webhooks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= most) throw new Problem('too_many_webhooks', { count })
}

export const insertWebhook = async (
  queryable: Queryable,
  accountId: number,
  change: WebhookChange &
    Required<Pick<WebhookChange, 'target_url' | 'event_types' | 'sealed_secret' | 'secret_last_four'>>,
): Promise<WebhookRow> =>
  queryable
    .insertInto('webhooks')
    .values({ ...change, account_id: accountId })
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Updates a webhook. If its project changes, unfinished deliveries of other projects are cancelled: a caller
 * limited to the new project could otherwise redirect them. `cancelUnfinished` cancels those of a deleted
 * webhook after the commit.
 */
export const changeWebhook = async (
  tx: Tx,
  webhook: WebhookRow,
  change: WebhookChange,
): Promise<WebhookRow> => {
  if (isUnchanged(webhook, change)) return webhook
  const row = await tx
    .updateTable('webhooks')
    .set((set) => ({ ...change, updated_at: new Date(), version: set('version', '+', 1) }))
    .where('id', '=', webhook.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.project_id !== null && row.project_id !== webhook.project_id)
    await cancelOfOtherProjects(tx, row.id, row.project_id)
  return row
}

const cancelOfOtherProjects = async (
  queryable: Queryable,
  webhookId: number,
  keptProjectId: number,
): Promise<void> => {
  await queryable
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: new Date(), blocks_lane: false })
    .where('webhook_id', '=', webhookId)
    .where((where) => where.or([where('state', '=', 'pending'), where('state', '=', 'waiting')]))
    .where((where) =>
      where.exists(
        where
          .selectFrom('events')
          .select('events.id')
          .whereRef('events.id', '=', 'deliveries.event_id')
          .where(sql<boolean>`events.project_id is distinct from ${keptProjectId}`),
      ),
    )
    .execute()
}

/** Returns the sequence number of the next event whose subject is the webhook itself. */
export const nextEventSequence = async (tx: Tx, webhookId: number): Promise<number> => {
  const { event_sequence } = await tx
    .updateTable('webhooks')
    .set({ event_sequence: sql`event_sequence + 1` })
    .where('id', '=', webhookId)
    .returning('event_sequence')
    .executeTakeFirstOrThrow()
  return event_sequence
}

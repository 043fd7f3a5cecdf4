import type { Insertable, Selectable } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { readPage, type PageOf } from '../../../platform/db/keyset.ts'
import type { InspectedRequestsTable } from '../../../platform/db/tables/webhooks.ts'
import type { WebhookScope } from '../store/webhook-store.ts'

export type InspectedRequestRow = Selectable<InspectedRequestsTable>

/** The inspector keeps recent requests for viewing; the delivery log keeps the history. */
const keptPerWebhook = 50
const keptMs = 3_600_000

export const keepInspectedRequest = async (
  { kysely }: Database,
  request: Insertable<InspectedRequestsTable>,
): Promise<void> => {
  await kysely.insertInto('inspected_requests').values(request).execute()
  const newestDropped = kysely
    .selectFrom('inspected_requests')
    .select('id')
    .where('webhook_id', '=', request.webhook_id)
    .orderBy('id', 'desc')
    .offset(keptPerWebhook)
    .limit(1)
  // Concurrent deliveries delete the same rows. Skips those of others, because waiting for them could deadlock.
  const dropped = kysely
    .selectFrom('inspected_requests')
    .select('id')
    .where('webhook_id', '=', request.webhook_id)
    .where('id', '<=', newestDropped)
    .forUpdate()
    .skipLocked()
  await kysely.deleteFrom('inspected_requests').where('id', 'in', dropped).execute()
}

export const listInspectedRequests = async (
  queryable: Queryable,
  { webhookId, accountId, projectIds }: WebhookScope & { readonly webhookId: number },
  page: Page,
): Promise<PageOf<InspectedRequestRow> & { totalCount: number }> => {
  const matching = queryable
    .selectFrom('inspected_requests')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .where('received_at', '>', new Date(Date.now() - keptMs))
    // A webhook limited to a project may have received these while it covered all projects.
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))
  const found = await readPage(matching.selectAll(), page, null)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

/** Housekeeping task: deletes requests older than an hour. */
export const dropOldInspectedRequests = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .deleteFrom('inspected_requests')
    .where('received_at', '<', new Date(Date.now() - keptMs))
    .execute()
}

import { sql } from 'kysely'
import type { Page } from '../http/paging.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { readPage, type PageOf } from '../kernel/db/keyset.ts'
import type { StoredEvent } from '../kernel/events/domain-event.ts'
import { Problem } from '../kernel/problem.ts'
import type { EventFilter, EventScope } from './event-filter.ts'

export interface Horizon {
  /** The last id that was given to any event. */
  readonly newestId: number
  /** Up to here the log is complete: whatever has no event by now never gets one (migration 0012). */
  readonly settledId: number
}

/** Read it before the events, in a statement of its own. */
export const readHorizon = async (queryable: Queryable): Promise<Horizon> => {
  const { rows } = await sql<Horizon>`
    select newest_id as "newestId", settled_id as "settledId" from event_log_horizon()`.execute(queryable)
  const [horizon] = rows
  if (horizon === undefined) throw new Error('event_log_horizon() answered no row')
  return horizon
}

/** A stretch of the log: after the one id, up to the other. */
export interface Stretch {
  readonly after: number
  readonly upTo: number
}

const columns = [
  'id',
  'name',
  'sequence',
  'project_id as projectId',
  'file_id as fileId',
  'subject',
  'record',
  'occurred_at as occurredAt',
] as const

const visible = (queryable: Queryable, scope: EventScope) =>
  queryable
    .selectFrom('events')
    .where('account_id', '=', scope.accountId)
    .$if(scope.projectIds !== null, (query) =>
      query.where('project_id', 'in', [...(scope.projectIds ?? []), 0]),
    )
    .$if(!scope.canReadWebhooks, (query) => query.where('subject', '<>', 'Webhook'))

const matching = (queryable: Queryable, scope: EventScope, filter: EventFilter, { after, upTo }: Stretch) =>
  visible(queryable, scope)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .$if(filter.names !== null, (query) => query.where('name', 'in', [...(filter.names ?? [])]))
    .$if(filter.projectIds !== null, (query) =>
      query.where('project_id', 'in', [...(filter.projectIds ?? [])]),
    )
    .$if(filter.fileIds !== null, (query) => query.where('file_id', 'in', [...(filter.fileIds ?? [])]))
    .$if(filter.occurredFrom !== null, (query) =>
      query.where('occurred_at', '>=', filter.occurredFrom ?? new Date(0)),
    )
    .$if(filter.occurredTo !== null, (query) =>
      query.where('occurred_at', '<', filter.occurredTo ?? new Date(0)),
    )

export const listEvents = async (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  stretch: Stretch,
  page: Page,
): Promise<PageOf<StoredEvent> & { totalCount: number }> => {
  const found = await readPage(matching(queryable, scope, filter, stretch).select([...columns]), page, null)
  const { count } = await matching(queryable, scope, filter, stretch)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

/** The first events of the stretch, oldest first. */
export const readEvents = (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  stretch: Stretch,
  limit: number,
): Promise<StoredEvent[]> =>
  matching(queryable, scope, filter, stretch)
    .select([...columns])
    .orderBy('id')
    .limit(limit)
    .execute()

/** The same for several accounts at once, with whatever happened there. */
export const readEventsOfAccounts = (
  queryable: Queryable,
  accountIds: readonly number[],
  { after, upTo }: Stretch,
  limit: number,
): Promise<(StoredEvent & { readonly accountId: number })[]> =>
  queryable
    .selectFrom('events')
    .select([...columns, 'account_id as accountId'])
    .where('account_id', 'in', [...accountIds])
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Throws 'not_found' in the same words for what never was, is gone, or is not for this scope. */
export const findEvent = async (
  queryable: Queryable,
  scope: EventScope,
  eventId: number,
): Promise<StoredEvent> => {
  const event = await visible(queryable, scope)
    .select([...columns])
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (event === undefined) throw new Problem('not_found', `Event ${eventId} does not exist.`)
  return event
}

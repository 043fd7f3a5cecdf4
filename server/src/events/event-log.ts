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

/** The records of a page whose ids were cut from the index: what a filter skips is never read itself. */
export const readRecords = async (queryable: Queryable, ids: readonly number[]): Promise<StoredEvent[]> => {
  const events = await queryable
    .selectFrom('events')
    .select([...columns])
    .where('id', 'in', [...ids, 0])
    .execute()
  const byId = new Map(events.map((event) => [event.id, event]))
  // One that housekeeping removed in between is missing.
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export const listEvents = async (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  stretch: Stretch,
  page: Page,
): Promise<PageOf<StoredEvent> & { totalCount: number }> => {
  const wanted = matching(queryable, scope, filter, stretch)
  const { rows, last } = await readPage(wanted.select('id'), page, null)
  const { count } = await wanted
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return {
    rows: await readRecords(
      queryable,
      rows.map(({ id }) => id),
    ),
    last,
    totalCount: count,
  }
}

/** The ids of the first events of the stretch, oldest first. */
export const readEventIds = async (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  stretch: Stretch,
  limit: number,
): Promise<number[]> => {
  const rows = await matching(queryable, scope, filter, stretch)
    .select('id')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

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

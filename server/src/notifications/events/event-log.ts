import { sql } from 'kysely'
import type { Page } from '../../platform/http/responses/paging.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { readPage, type PageOf } from '../../platform/db/keyset.ts'
import type { StoredEvent } from '../../platform/outbox/domain-event.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { EventFilter, EventScope } from './event-filter.ts'

export interface Horizon {
  /** Highest event id assigned so far. */
  readonly newestId: number
  /** The log is complete up to this id: missing ids below it will never be filled (migration 0012). */
  readonly settledId: number
}

/** Call it before reading the events, in a separate statement. */
export const readHorizon = async (queryable: Queryable): Promise<Horizon> => {
  const { rows } = await sql<Horizon>`
    select newest_id as "newestId", settled_id as "settledId" from event_log_horizon()`.execute(queryable)
  const [horizon] = rows
  if (horizon === undefined) throw new Error('event_log_horizon() answered no row')
  return horizon
}

export interface EventRange {
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

const matching = (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  { after, upTo }: EventRange,
) =>
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

/** Reads the records of a page whose ids came from the index, so that skipped events are never read. */
export const readRecords = async (queryable: Queryable, ids: readonly number[]): Promise<StoredEvent[]> => {
  const events = await queryable
    .selectFrom('events')
    .select([...columns])
    .where('id', 'in', [...ids, 0])
    .execute()
  const byId = new Map(events.map((event) => [event.id, event]))
  // Housekeeping may have deleted an event in between.
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export const listEvents = async (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  range: EventRange,
  page: Page,
): Promise<PageOf<StoredEvent> & { totalCount: number }> => {
  const wanted = matching(queryable, scope, filter, range)
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

export const readEventIds = async (
  queryable: Queryable,
  scope: EventScope,
  filter: EventFilter,
  range: EventRange,
  limit: number,
): Promise<number[]> => {
  const rows = await matching(queryable, scope, filter, range)
    .select('id')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the first events of the range for several accounts, unfiltered. */
export const readEventsOfAccounts = (
  queryable: Queryable,
  accountIds: readonly number[],
  { after, upTo }: EventRange,
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

/** Throws 'not_found' alike for an unknown, deleted or invisible event. */
export const findEvent = async (
  queryable: Queryable,
  scope: EventScope,
  eventId: number,
): Promise<StoredEvent> => {
  const event = await visible(queryable, scope)
    .select([...columns])
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (event === undefined) throw new Problem('event_not_found', { eventId })
  return event
}

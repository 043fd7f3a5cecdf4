import type { EventName, RecordField } from '@zoetrope/vocabulary'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { currentCause } from '../telemetry/cause.ts'
import { subscriptionsMatching } from './domain-event.ts'

export interface NewEvent {
  readonly accountId: number
  readonly projectId: number | null
  readonly fileId: number | null
  readonly name: EventName
  /** Increments by one per subject, without gaps; the caller holds the subject's row lock. */
  readonly sequence: number
  readonly subject: RecordField
  readonly record: string
}

/**
 * Ordering key of deliveries: a webhook gets the events of one file, or of one live stream, one after the
 * other. Views end independently of each other. The index `events_of_ordering_key` has the same expression.
 */
export const orderingKeyOfEvent = sql<
  number | null
>`case events.subject when 'Live' then -events.project_id when 'View' then null else events.file_id end`

export const columnsOfCause = () => {
  const { requestId, traceparent } = currentCause()
  return { request_id: requestId, traceparent }
}

/**
 * Writes events of one name, and one delivery of each for each subscribed webhook, in the transaction of the
 * change. Webhooks can therefore be late, but never report a change that was rolled back. Sends no NOTIFY,
 * which serialises commits: the delivery engine polls and gets a wake signal after the commit.
 */
export const emitAll = async (
  tx: Tx,
  name: EventName,
  events: readonly Omit<NewEvent, 'name'>[],
): Promise<readonly number[]> => {
  if (events.length === 0) return []
  const rows = await tx
    .insertInto('events')
    .values(
      events.map((event) => ({
        account_id: event.accountId,
        project_id: event.projectId,
        file_id: event.fileId,
        name,
        sequence: event.sequence,
        subject: event.subject,
        record: event.record,
        ...columnsOfCause(),
      })),
    )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into deliveries (account_id, webhook_id, event_id, file_id, lane)
    select w.account_id, w.id, events.id, events.file_id, ${orderingKeyOfEvent}
    from events join webhooks w on w.account_id = events.account_id
    where events.id = any(${ids}::bigint[]) and w.is_enabled and w.deleted_at is null
      and (w.project_id is null or w.project_id = events.project_id)
      and w.event_types && ${subscriptionsMatching(name)}::text[]`.execute(tx)
  return ids
}

/** Writes one event; see `emitAll`. */
export const emit = async (tx: Tx, event: NewEvent): Promise<number> => {
  const [id] = await emitAll(tx, event.name, [event])
  if (id === undefined) throw new Error('an event without an id')
  return id
}

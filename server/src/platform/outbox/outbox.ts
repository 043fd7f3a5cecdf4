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
 * other.
 */
export const orderingKeyOfEvent = sql<
  number | null
>`case when events.subject = 'Live' then -events.project_id else events.file_id end`

export const columnsOfCause = () => {
  const { requestId, traceparent } = currentCause()
  return { request_id: requestId, traceparent }
}

/**
 * Writes the event and one delivery for each subscribed webhook in the transaction of the change. Webhooks
 * can therefore be late, but never report a change that was rolled back. Sends no NOTIFY, which serialises
 * commits: the delivery engine polls and gets a wake signal after the commit.
 */
export const emit = async (tx: Tx, event: NewEvent): Promise<number> => {
  const { id } = await tx
    .insertInto('events')
    .values({
      account_id: event.accountId,
      project_id: event.projectId,
      file_id: event.fileId,
      name: event.name,
      sequence: event.sequence,
      subject: event.subject,
      record: event.record,
      ...columnsOfCause(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into deliveries (account_id, webhook_id, event_id, file_id, lane)
    select w.account_id, w.id, events.id, events.file_id, ${orderingKeyOfEvent}
    from webhooks w, events
    where events.id = ${id} and w.account_id = ${event.accountId} and w.is_enabled and w.deleted_at is null
      and (w.project_id is null or w.project_id = ${event.projectId}::bigint)
      and w.event_types && ${subscriptionsMatching(event.name)}::text[]`.execute(tx)
  return id
}

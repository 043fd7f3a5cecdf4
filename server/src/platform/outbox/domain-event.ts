import { eventNames } from '@zoetrope/vocabulary'
import { toTimestamp } from '../base/timestamp.ts'
import type { Cause } from '../telemetry/cause.ts'

export interface StoredEvent {
  readonly id: number
  readonly name: string
  readonly sequence: number
  readonly projectId: number | null
  readonly fileId: number | null
  readonly subject: string
  /** JSON text of the subject at the time of the event. */
  readonly record: string
  readonly occurredAt: Date
}

/** An event with what has caused it. */
export interface CausedEvent extends StoredEvent, Cause {}

/**
 * Renders one element of a webhook body and of the event log. Inserts the record as text, without parsing it.
 */
export const renderEvent = (event: StoredEvent): string =>
  `{"Event":${JSON.stringify(event.name)},"EventId":${event.id},` +
  `"OccurredAt":"${toTimestamp(event.occurredAt)}","Sequence":${event.sequence},` +
  `"ProjectId":${event.projectId ?? 'null'},${JSON.stringify(event.subject)}:${event.record}}`

/** Returns the subscriptions that match an event: its name, its family (`file.*`) and everything (`*`). */
export const subscriptionsMatching = (name: string): string[] => [name, `${name.split('.')[0]}.*`, '*']

export const isSubscription = (value: string): boolean =>
  value === '*' ||
  (eventNames as readonly string[]).includes(value) ||
  eventNames.some((name) => value === `${name.split('.')[0]}.*`)

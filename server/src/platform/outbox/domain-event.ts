import { eventNames, isOptInEvent } from '@zoetrope/vocabulary'
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

/** Returns the selectors of an event in a list: its name, its family (`file.*`) and everything (`*`). */
export const selectorsOf = (name: string): string[] => [name, `${name.split('.')[0]}.*`, '*']

/** Returns the subscriptions that match an event: its selectors, or only its name if it is sent on request. */
export const subscriptionsMatching = (name: string): string[] =>
  isOptInEvent(name) ? [name] : selectorsOf(name)

export const isSubscription = (value: string): boolean =>
  eventNames.some((name) => subscriptionsMatching(name).includes(value))

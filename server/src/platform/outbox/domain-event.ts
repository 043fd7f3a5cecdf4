import { toTimestamp } from '../base/timestamp.ts'

export const eventNames = [
  'file.new',
  'file.created',
  'file.uploaded',
  'file.encoding',
  'file.playable',
  'file.encoded',
  'file.failed',
  'file.updated',
  'file.released',
  'file.unreleased',
  'file.replaced',
  'file.deleted',
  'file.restored',
  'live.connected',
  'live.started',
  'live.warning',
  'live.disconnected',
  'live.reconnected',
  'live.ended',
  'live.failed',
  'live.publisher_refused',
  'recording.started',
  'recording.finished',
  'playlist.new',
  'playlist.updated',
  'playlist.deleted',
  'playlist.restored',
  'project.new',
  'project.updated',
  'project.deleted',
  'project.restored',
  'webhook.ping',
] as const

export type EventName = (typeof eventNames)[number]

/** Name of the event's record in the payload. */
export type EventSubject = 'File' | 'Project' | 'Playlist' | 'Live' | 'Webhook'

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

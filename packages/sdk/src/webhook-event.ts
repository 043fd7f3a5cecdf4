import type { components } from './generated/api.ts'

type AnyEvent = components['schemas']['Event']

/** Field that holds the record, by event family: the part of the event name before the dot. */
interface RecordFields {
  file: 'File'
  project: 'Project'
  playlist: 'Playlist'
  live: 'Live'
  recording: 'Live'
  webhook: 'Webhook'
}

type Family = keyof RecordFields
type RecordField = RecordFields[Family]

type EventOf<F extends Family> = Omit<AnyEvent, 'Event' | RecordField> & {
  /** Name of the event. Ignore unknown names, because new ones may be added. */
  Event: Extract<AnyEvent['Event'], `${F}.${string}`>
} & {
  /** Record at the time of the event. */
  [Field in RecordFields[F]]: NonNullable<AnyEvent[Field]>
} & { [Field in Exclude<RecordField, RecordFields[F]>]?: undefined }

/**
 * An event of a webhook, the event log or the event stream. `Event` determines the record: when `event.Event
 * === 'file.new'`, `event.File` is set.
 */
export type WebhookEvent = { [F in Family]: Readonly<EventOf<F>> }[Family]

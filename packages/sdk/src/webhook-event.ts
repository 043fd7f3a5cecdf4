import type { components } from './generated/api.ts'

type AnyEvent = components['schemas']['Event']

/** The field that holds the record, by the family of the event: the part of its name before the dot. */
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
  /** What happened. New names may be added: ignore those that you do not know. */
  Event: Extract<AnyEvent['Event'], `${F}.${string}`>
} & {
  /** The record as it was when the event happened. */
  [Field in RecordFields[F]]: NonNullable<AnyEvent[Field]>
} & { [Field in Exclude<RecordField, RecordFields[F]>]?: undefined }

/** An event of a webhook, the event log or the event stream. `Event` tells which record it carries: after `event.Event === 'file.new'` there is `event.File`. */
export type WebhookEvent = { [F in Family]: Readonly<EventOf<F>> }[Family]

import type { EventFamily, RecordField, recordFields } from '@zoetrope/vocabulary'
import type { components } from './generated/api.ts'

type AnyEvent = components['schemas']['Event']

type RecordFields = typeof recordFields

type EventOf<F extends EventFamily> = Omit<AnyEvent, 'Event' | RecordField> & {
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
export type WebhookEvent = { [F in EventFamily]: Readonly<EventOf<F>> }[EventFamily]

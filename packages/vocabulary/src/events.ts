/** Every event, each family in the order of its life cycle. Clients ignore unknown names. */
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
  'file.moved',
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
  'view.ended',
  'analytics.alert',
  'webhook.ping',
] as const

export type EventName = (typeof eventNames)[number]

/** Sent only to webhooks that name them: a wildcard does not include events this frequent. */
const optInNames: readonly string[] = ['view.ended'] satisfies EventName[]

export const isOptInEvent = (name: string): boolean => optInNames.includes(name)

/** The part of a name before the dot. */
export type EventFamily = EventName extends `${infer Family}.${string}` ? Family : never

export const familyOf = (name: EventName): EventFamily => name.slice(0, name.indexOf('.')) as EventFamily

/** Field of an event that holds its record. */
export const recordFields = {
  file: 'File',
  project: 'Project',
  playlist: 'Playlist',
  live: 'Live',
  recording: 'Live',
  view: 'View',
  analytics: 'Alert',
  webhook: 'Webhook',
} as const satisfies Record<EventFamily, string>

export type RecordField = (typeof recordFields)[EventFamily]

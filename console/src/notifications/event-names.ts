/** Each family in the order of its life cycle. */
export const eventFamilies = [
  {
    family: 'file',
    names: [
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
    ],
  },
  {
    family: 'live',
    names: [
      'live.connected',
      'live.started',
      'live.warning',
      'live.disconnected',
      'live.reconnected',
      'live.ended',
      'live.failed',
      'live.publisher_refused',
    ],
  },
  { family: 'recording', names: ['recording.started', 'recording.finished'] },
  {
    family: 'playlist',
    names: ['playlist.new', 'playlist.updated', 'playlist.deleted', 'playlist.restored'],
  },
  { family: 'project', names: ['project.new', 'project.updated', 'project.deleted', 'project.restored'] },
] as const

export type EventFamily = (typeof eventFamilies)[number]

export const eventNames: readonly string[] = [
  ...eventFamilies.flatMap(({ names }) => names as readonly string[]),
  'webhook.ping',
]

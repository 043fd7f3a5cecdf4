import type { EventName } from '@zoetrope/vocabulary'

type Example = Readonly<Record<string, unknown>>

const before = { IsFinished: false, IsEncoded: false, IsPlayable: false }
const uploaded = { UploadedAt: '2026-03-01T12:00:00+00:00', PlayableAt: null, EncodedAt: null }
const reason = (Code: string, Message: string) => ({ Code, Message })
const broadcastEnd = { DisconnectedAt: '2026-03-01T13:00:02.000+00:00' }

/**
 * Differences between the record of an event and the example of its schema. `created` is the example of a file
 * without media, for events before the file is playable.
 */
const differences: Partial<Record<EventName, (record: Example, created: Example) => Example>> = {
  'file.created': (_record, created) => created,
  'file.uploaded': ({ Properties }, created) => ({
    ...created,
    ...before,
    Status: 'uploaded',
    Properties,
    Timings: uploaded,
  }),
  'file.encoding': ({ Properties }, created) => ({
    ...created,
    ...before,
    Status: 'encoding',
    EncodingProgress: 12,
    EstimatedReadyAt: '2026-03-01T12:01:10.000+00:00',
    Properties,
    Timings: uploaded,
  }),
  'file.playable': (record) => ({
    ...record,
    Status: 'playable',
    IsFinished: false,
    EncodingProgress: 40,
    EstimatedReadyAt: '2026-03-01T12:01:10.000+00:00',
    Timings: { ...(record['Timings'] as Example), EncodedAt: null },
  }),
  'file.failed': (_record, created) => ({
    ...created,
    Status: 'failed',
    IsFinished: true,
    HasErrors: true,
    ErrorMessage: 'The file contains neither audio nor video.',
    ErrorReason: 'file_without_tracks',
    ErrorParams: {},
    Timings: uploaded,
  }),
  'file.unreleased': (record) => ({
    ...record,
    Metadata: { ...(record['Metadata'] as Example), ReleaseStatus: 'unpublished' },
  }),
  'file.deleted': (record) => ({ ...record, IsEnabled: false }),
  'live.connected': (record) => ({
    ...record,
    State: 'connected',
    IsOnline: false,
    Broadcast: { ...(record['Broadcast'] as Example), OnlineSince: null },
  }),
  'live.warning': (record) => ({
    ...record,
    Warning: reason('key_frames_too_rare', 'Key frames are 8 s apart. Set the key frame interval to 2 s.'),
  }),
  'live.disconnected': (record) => ({
    ...record,
    State: 'reconnecting',
    Broadcast: { ...(record['Broadcast'] as Example), ...broadcastEnd },
  }),
  'live.ended': (record) => ({
    ...record,
    State: 'offline',
    IsOnline: false,
    Broadcast: {
      ...(record['Broadcast'] as Example),
      ...broadcastEnd,
      EndedAt: '2026-03-01T13:00:02.000+00:00',
      EndReason: 'unpublished',
    },
  }),
  'live.failed': (record) => ({
    ...record,
    State: 'offline',
    IsOnline: false,
    Broadcast: null,
    Failure: reason('no_media', 'The encoder sent no video and no audio for 10 s.'),
  }),
  'live.publisher_refused': (record) => ({
    ...record,
    Failure: reason(
      'second_publisher',
      'A publisher from 203.0.113.9 was refused: Another publisher is already sending to this live stream.',
    ),
  }),
  'recording.started': (record) => ({
    ...record,
    Recording: { ...recording, State: 'recording', FileId: null, EndedAt: null },
  }),
  'recording.finished': (record) => ({ ...record, Recording: recording }),
  'playlist.deleted': (record) => ({ ...record, IsEnabled: false, ...deletion }),
  'project.deleted': (record) => ({ ...record, IsEnabled: false, ...deletion }),
}

const deletion = {
  DeletedAt: '2026-03-01T12:00:00.000+00:00',
  PurgeAt: '2026-03-08T12:00:00.000+00:00',
}

const recording = {
  Id: 5,
  Kind: 'recording',
  BroadcastId: 7,
  Title: 'Spring show',
  State: 'finished',
  Message: null,
  FileId: 31,
  StartedAt: '2026-03-01T12:00:01.400+00:00',
  EndedAt: '2026-03-01T13:00:02.000+00:00',
}

export const exampleRecordOf = (
  name: EventName,
  examples: readonly Example[] | undefined,
): Example | undefined => {
  const record = examples?.[0]
  if (record === undefined) return undefined
  return differences[name]?.(record, examples?.[1] ?? record) ?? record
}

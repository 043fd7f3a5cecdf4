import { Type } from 'typebox'
import type { LiveReason } from './live-reason.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { LiveBroadcastRow } from '../store/live-broadcasts.ts'
import { liveRecordingSchema, recordingRecord, type LiveRecordingRow } from '../store/live-recordings.ts'
import { liveStateSchema } from '../nodes/live-status.ts'
import { isOnline, type LiveStreamRow } from '../store/live-stream-store.ts'
import { liveLinks, liveLinksFields } from './output-record.ts'

/** Details of one event in addition to the state of the stream. */
export interface LiveEventDetails {
  readonly broadcast?: LiveBroadcastRow | null
  readonly warning?: LiveReason
  readonly failure?: LiveReason
  readonly recording?: LiveRecordingRow
}

const reasonRecord = (reason: LiveReason | undefined) =>
  reason === undefined ? null : { Code: reason.code, Message: reason.message }

/** Renders the `Live` record of an event, without keys, passphrases and source addresses. */
export const renderLive = (
  stream: LiveStreamRow,
  { broadcast = null, warning, failure, recording }: LiveEventDetails,
  publicUrl: string,
): string =>
  JSON.stringify({
    ProjectId: stream.project_id,
    PlayoutId: stream.playout_id,
    Title: stream.title,
    State: stream.state,
    IsOnline: isOnline(stream),
    ...liveLinks(publicUrl, stream),
    Broadcast:
      broadcast === null
        ? null
        : {
            Id: broadcast.id,
            ConnectedAt: toTimestamp(broadcast.connected_at),
            OnlineSince: toTimestampOrNull(broadcast.online_at),
            DisconnectedAt: toTimestampOrNull(broadcast.disconnected_at),
            EndedAt: toTimestampOrNull(broadcast.ended_at),
            EndReason: broadcast.end_reason,
            Publisher: { Address: broadcast.publisher_address, Encoder: broadcast.publisher_encoder },
          },
    Warning: reasonRecord(warning),
    Failure: reasonRecord(failure),
    Recording: recording === undefined ? null : recordingRecord(recording),
  })

const reasonSchema = Type.Object({
  Code: Type.String({
    examples: ['key_frames_too_rare'],
    description: 'Stable code for programs, such as `key_frames_too_rare`.',
  }),
  Message: Type.String({ description: 'Explanation for people.' }),
})

const broadcastSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the broadcast.'),
    ConnectedAt: described(timestampSchema, 'Time at which the publisher connected.'),
    OnlineSince: nullable(timestampSchema, 'Time at which viewers could first watch. Null before.'),
    DisconnectedAt: nullable(
      timestampSchema,
      'Time at which the publisher was lost. Null while it is connected.',
    ),
    EndedAt: nullable(timestampSchema, 'Time at which the broadcast ended. Null before.'),
    EndReason: nullable(
      Type.String({ examples: ['unpublished'] }),
      'Why the broadcast ended, such as `unpublished`. Null before.',
    ),
    Publisher: Type.Object(
      {
        Address: Type.String({ description: 'Network address of the encoder.' }),
        Encoder: Type.String({ description: 'Name that the encoder reports. May be empty.' }),
      },
      { description: 'The encoder that sends the stream.' },
    ),
  },
  { description: 'From the first connect to the end of the last reconnect window.' },
)

export const liveSchema = Type.Object(
  {
    ProjectId: described(idSchema, 'Project of the live stream.'),
    PlayoutId: Type.String({ format: 'uuid', description: 'Identifier in the playback URLs.' }),
    Title: Type.String({ description: 'Title of the stream for viewers.' }),
    State: liveStateSchema,
    IsOnline: Type.Boolean({ description: 'Whether viewers can watch.' }),
    ...liveLinksFields,
    Broadcast: nullable(broadcastSchema, 'The current or last broadcast. Null if there is none.'),
    Warning: nullable(reasonSchema, 'The warning that `live.warning` reports. Null in other events.'),
    Failure: nullable(reasonSchema, 'The failure that `live.failed` reports. Null in other events.'),
    Recording: nullable(
      liveRecordingSchema,
      'The recording that `recording.*` reports. Null in other events.',
    ),
  },
  {
    description: 'A live stream at the time of the event.',
    examples: [
      {
        ProjectId: 3,
        PlayoutId: '0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10',
        Title: 'Spring show',
        State: 'online',
        IsOnline: true,
        HLS: 'https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.m3u8',
        LLHLS: 'https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/ll.m3u8',
        DASH: 'https://video.example.com/l/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10/main.mpd',
        PlayerURL: 'https://video.example.com/embed/0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10',
        Broadcast: {
          Id: 7,
          ConnectedAt: '2026-03-01T12:00:00.000+00:00',
          OnlineSince: '2026-03-01T12:00:01.400+00:00',
          DisconnectedAt: null,
          EndedAt: null,
          EndReason: null,
          Publisher: { Address: '192.0.2.7', Encoder: 'obs-output module (libobs version 31.0.0)' },
        },
        Warning: null,
        Failure: null,
        Recording: null,
      },
    ],
  },
)

import { Type, type Static } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { liveTargetStatusSchema } from '../targets/live-target-status.ts'

const bitRate = nullable(Type.Integer({ description: 'Bit rate over the last seconds, in bits per second.' }))

const publisherSchema = Type.Object(
  {
    Protocol: Type.String({ examples: ['rtmp'], description: 'Ingest protocol: `rtmp`, `rtmps` or `srt`.' }),
    Address: Type.String({ description: 'Network address of the encoder.' }),
    Encoder: Type.String({ description: 'Name that the encoder reports. May be empty.' }),
  },
  { description: 'The encoder that sends the stream. Null while none is connected.' },
)

const videoSchema = Type.Object(
  {
    Codec: Type.String({ examples: ['avc1.640028'], description: 'Codec string (RFC 6381).' }),
    Width: nullable(Type.Integer(), 'Width in pixels. Null if unknown.'),
    Height: nullable(Type.Integer(), 'Height in pixels. Null if unknown.'),
    FrameRate: nullable(Type.Number(), 'Frames per second. Null if unknown.'),
    BitRate: bitRate,
    KeyFrameInterval: nullable(
      Type.Number({
        description: 'Longest recent interval between key frames, in seconds. Null if unknown.',
      }),
    ),
  },
  { description: 'The video track that arrives. Null without video.' },
)

const audioSchema = Type.Object(
  {
    Codec: Type.String({ examples: ['mp4a.40.2'], description: 'Codec string (RFC 6381).' }),
    Channels: nullable(Type.Integer(), 'Number of channels. Null if unknown.'),
    SampleRate: nullable(Type.Integer(), 'Sample rate in hertz. Null if unknown.'),
    BitRate: bitRate,
  },
  { description: 'The audio track that arrives. Null without sound.' },
)

export const liveLatencySchema = Type.Object(
  {
    Target: nullable(Type.Number(), 'Target latency of the player, in seconds. Null while offline.'),
    MeasuredP50: nullable(
      Type.Number(),
      'Median latency from camera to screen in seconds, as players report it. Null without reports.',
    ),
    MeasuredP95: nullable(Type.Number(), '95th percentile of the latency in seconds. Null without reports.'),
  },
  { description: 'Latency of the stream in seconds.' },
)

const warningSchema = Type.Object({
  Code: Type.String({
    examples: ['key_frames_too_rare'],
    description: 'Stable code for programs, such as `key_frames_too_rare`.',
  }),
  Message: Type.String({ description: 'Explanation for people.' }),
  Since: described(timestampSchema, 'Time at which the warning appeared.'),
})

const recordingInProgressSchema = Type.Object(
  {
    State: Type.Union([Type.Literal('recording'), Type.Literal('finishing')], {
      description: '`finishing` means that the last bytes are being written.',
    }),
    Since: described(timestampSchema, 'Time at which the recording started.'),
    Bytes: Type.Integer({ description: 'Size of the recording so far in bytes.' }),
  },
  { description: 'The running recording. Null if there is none.' },
)

/**
 * Figures that only the live node has, because they change with every frame; the rest of a status is in rows.
 */
export const liveHealthSchema = Type.Object({
  Publisher: nullable(publisherSchema),
  Video: nullable(videoSchema),
  Audio: nullable(audioSchema),
  DroppedFrames: Type.Integer({
    description: 'Number of frames of this broadcast that were damaged or late.',
  }),
  DriftMs: nullable(
    Type.Number({
      description: 'How far the sound is ahead of the picture, in milliseconds. Negative means behind.',
    }),
  ),
  Viewers: Type.Integer({
    description: 'Number of viewers who loaded media recently. Players with preview links do not count.',
  }),
  Latency: liveLatencySchema,
  Warnings: Type.Array(warningSchema, { description: 'Current problems of the stream.' }),
  Recording: nullable(recordingInProgressSchema),
})

export type LiveHealth = Static<typeof liveHealthSchema>

export const liveStateSchema = Type.Union(
  [Type.Literal('offline'), Type.Literal('connected'), Type.Literal('online'), Type.Literal('reconnecting')],
  {
    description:
      'State of the stream. `connected` means that a publisher was accepted but nothing can be shown yet. `reconnecting` means that it was lost and may return within `ReconnectWindow`.',
  },
)

export const liveStatusSchema = Type.Object(
  {
    ProjectId: described(idSchema, 'Project of the live stream.'),
    State: liveStateSchema,
    OnlineSince: nullable(timestampSchema, 'Time at which viewers could first watch. Null while offline.'),
    ...liveHealthSchema.properties,
    Targets: Type.Array(liveTargetStatusSchema, { description: 'State of each simulcast target.' }),
    NodeId: nullable(
      Type.String({ format: 'uuid', description: 'Live node that serves the stream. Null if none does.' }),
    ),
  },
  {
    description: 'Current state of the broadcast.',
    examples: [
      {
        ProjectId: 3,
        State: 'online',
        OnlineSince: '2026-03-01T12:00:00+00:00',
        Publisher: {
          Protocol: 'rtmp',
          Address: '192.0.2.7',
          Encoder: 'obs-output module (libobs version 31.0.0)',
        },
        Video: {
          Codec: 'avc1.640028',
          Width: 1_920,
          Height: 1_080,
          FrameRate: 30,
          BitRate: 6_012_000,
          KeyFrameInterval: 2,
        },
        Audio: { Codec: 'mp4a.40.2', Channels: 2, SampleRate: 48_000, BitRate: 160_000 },
        DroppedFrames: 0,
        DriftMs: 3.2,
        Viewers: 214,
        Latency: { Target: 1, MeasuredP50: 1.12, MeasuredP95: 1.9 },
        Warnings: [],
        Recording: { State: 'recording', Since: '2026-03-01T12:00:01+00:00', Bytes: 48_211_004 },
        Targets: [],
        NodeId: '6a1f0c7e-0d6b-4c62-9a51-0e2f60f3a8d4',
      },
    ],
  },
)

export type LiveStatus = Static<typeof liveStatusSchema>

/** Used when no node answers, as if no publisher were connected. */
export const noHealth: LiveHealth = {
  Publisher: null,
  Video: null,
  Audio: null,
  DroppedFrames: 0,
  DriftMs: null,
  Viewers: 0,
  Latency: { Target: null, MeasuredP50: null, MeasuredP95: null },
  Warnings: [],
  Recording: null,
}

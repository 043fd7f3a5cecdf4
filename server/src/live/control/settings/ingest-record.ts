import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { checkIfMatch, namesEtag } from '../../../platform/http/responses/etag.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { liveSettingsFields, sourceUriOf } from './live-settings.ts'
import { isSynced, type LiveStreamRow } from '../store/live-stream-store.ts'
import { maskStreamUri } from './stream-uri.ts'

/** Addresses at which encoders reach the live nodes; null for a protocol that is not offered. */
export interface IngestAddresses {
  /** Without the stream key. */
  readonly rtmp: string | null
  readonly srt: (stream: LiveStreamRow) => string | null
}

const connectionSchema = Type.Object(
  {
    ServerURI: nullable(
      Type.String({ examples: ['rtmp://video.example.com/live'] }),
      'URL of the server to enter in the encoder. Null if the encoder does not push by RTMP.',
    ),
    StreamName: nullable(
      Type.String({
        description: 'Stream key, which allows sending. Shown only with the permission live:keys.',
      }),
    ),
    SrtURI: nullable(
      Type.String({ description: 'SRT URL for the encoder. Null unless `StreamInType` is `srt`.' }),
    ),
    SrtPassphrase: nullable(
      Type.String({ description: 'SRT passphrase. Shown only with the permission live:keys.' }),
    ),
    WhipURI: nullable(Type.String({ description: 'Always null. WHIP is not supported.' })),
  },
  { description: 'Connection settings for the encoder. A field is null if it does not apply.' },
)

const { StreamInURI, ...plainFields } = liveSettingsFields

export const liveIngestSchema = Type.Object(
  {
    ProjectId: described(idSchema, 'Project of the live stream.'),
    ...plainFields,
    StreamInURI: nullable(StreamInURI),
    StreamInConnection: connectionSchema,
    IsSynced: Type.Boolean({
      description:
        'Whether the live node uses these settings. False for about a second after a change, and until the end of a broadcast if the change takes effect with the next one.',
    }),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of these settings.'),
  },
  {
    description: 'Ingest settings of the live stream of a project.',
    examples: [
      {
        ProjectId: 3,
        Title: 'Spring show',
        BoardText: 'We begin at 18:00.',
        EndedText: '',
        ReleaseStatus: 'published',
        StreamInType: 'rtmp',
        StreamInURI: null,
        StreamInConnection: {
          ServerURI: 'rtmp://video.example.com/live',
          StreamName: '3sXq9vT0mFhB2kLzR8wYc1DnJ5gP',
          SrtURI: null,
          SrtPassphrase: null,
          WhipURI: null,
        },
        UseLowLatency: true,
        TimeshiftDuration: 3_600,
        ReconnectWindow: 60,
        AutomaticTranscoding: false,
        Renditions: [],
        AutoRecording: true,
        IsEnabled: true,
        IsSynced: true,
        LastUpdateAt: '2026-03-01T12:00:00.000+00:00',
      },
    ],
  },
)

export interface IngestView {
  readonly secrets: Secrets
  readonly addresses: IngestAddresses
  readonly showsKeys: boolean
}

export const ingestRecord = (stream: LiveStreamRow, { secrets, addresses, showsKeys }: IngestView) => {
  const shown = (open: (sealed: Buffer) => Buffer, sealed: Buffer): string | null =>
    showsKeys ? open(sealed).toString() : null
  const sourceUri = sourceUriOf(stream, secrets)
  const srtUri = stream.kind === 'srt' ? addresses.srt(stream) : null
  return {
    ProjectId: stream.project_id,
    Title: stream.title,
    BoardText: stream.board_text,
    EndedText: stream.ended_text,
    ReleaseStatus: stream.release_status,
    StreamInType: stream.kind,
    StreamInURI: sourceUri === null || showsKeys ? sourceUri : maskStreamUri(sourceUri),
    StreamInConnection: {
      ServerURI: stream.kind === 'rtmp' ? addresses.rtmp : null,
      StreamName: shown(secrets.open, stream.sealed_stream_key),
      SrtURI: srtUri,
      SrtPassphrase: srtUri === null ? null : shown(secrets.liveNodes.open, stream.sealed_srt_passphrase),
      WhipURI: null,
    },
    UseLowLatency: stream.is_low_latency,
    TimeshiftDuration: stream.timeshift_seconds,
    ReconnectWindow: stream.reconnect_seconds,
    AutomaticTranscoding: stream.is_transcoded,
    Renditions: stream.renditions,
    AutoRecording: stream.is_auto_recorded,
    IsEnabled: stream.is_enabled,
    IsSynced: isSynced(stream),
    LastUpdateAt: toTimestamp(stream.updated_at),
  }
}

const etagWhere = ({ project_id, version }: LiveStreamRow, isApplied: boolean): string =>
  `"${project_id}-${version}${isApplied ? '' : '-pending'}"`

/**
 * Returns an ETag that also changes when IsSynced turns true, so that clients polling with `If-None-Match`
 * notice it.
 */
export const etagOfIngest = (stream: LiveStreamRow): string => etagWhere(stream, isSynced(stream))

/** Accepts the ETag from before and after the live node applies a version, because applying it is no change. */
export const checkIngestMatch = (request: FastifyRequest, stream: LiveStreamRow): void => {
  if (!namesEtag(request.headers['if-match'], etagWhere(stream, false)))
    checkIfMatch(request, etagWhere(stream, true))
}

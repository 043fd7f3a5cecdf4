import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { playerFrame } from '../../../platform/http/responses/player-frame.ts'
import { toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { liveSettingsFields } from '../settings/live-settings.ts'
import type { LiveBroadcastRow } from '../store/live-broadcasts.ts'
import { liveLatencySchema, type LiveHealth } from '../nodes/live-status.ts'
import { isOnline, type LiveStreamRow } from '../store/live-stream-store.ts'

const uri = Type.String({ format: 'uri' })

export const liveLinksFields = {
  HLS: described(uri, 'URL of the HLS playlist.'),
  LLHLS: nullable(uri, 'URL of the low-latency HLS playlist. Null if it is not offered.'),
  DASH: described(uri, 'URL of the DASH manifest.'),
  PlayerURL: described(uri, 'URL of the player page.'),
}

/**
 * Returns the viewer URLs, which are the same before, during and after a broadcast. `base` may end in a token.
 */
export const liveLinks = (
  base: string,
  { playout_id, is_low_latency }: Pick<LiveStreamRow, 'playout_id' | 'is_low_latency'>,
) => ({
  HLS: `${base}/l/${playout_id}/main.m3u8`,
  LLHLS: is_low_latency ? `${base}/l/${playout_id}/ll.m3u8` : null,
  DASH: `${base}/l/${playout_id}/main.mpd`,
  PlayerURL: `${base}/embed/${playout_id}`,
})

const embedCodes = (
  playerUrl: string,
  { playout_id, title }: Pick<LiveStreamRow, 'playout_id' | 'title'>,
) => ({
  JavaScript: `<script src="${new URL('/embed.js', playerUrl).href}" data-playout="${playout_id}" async></script>`,
  iFrame: playerFrame(playerUrl, { title: title === '' ? 'Live' : title, width: 640, height: 360 }),
  PlayerURL: playerUrl,
})

export const outputRecord = (
  stream: LiveStreamRow,
  {
    broadcast,
    health,
    publicUrl,
  }: {
    readonly broadcast: LiveBroadcastRow | null
    readonly health: LiveHealth
    readonly publicUrl: string
  },
) => {
  const { PlayerURL, ...links } = liveLinks(publicUrl, stream)
  return {
    ProjectId: stream.project_id,
    PlayoutId: stream.playout_id,
    IsOnline: isOnline(stream),
    OnlineSince: isOnline(stream) ? toTimestampOrNull(broadcast?.online_at ?? null) : null,
    ...links,
    Renditions: stream.is_transcoded ? stream.renditions : [],
    EmbedCodes: embedCodes(PlayerURL, stream),
    PictureURI: `${publicUrl}/l/${stream.playout_id}/poster.jpg`,
    TimeshiftDuration: stream.timeshift_seconds,
    Latency: health.Latency,
  }
}

const { PlayerURL, ...linkFields } = liveLinksFields
const base = 'https://video.example.com'
const playoutId = '0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10'

export const liveOutputFields = {
  ProjectId: described(idSchema, 'Project of the live stream.'),
  PlayoutId: Type.String({ format: 'uuid', description: 'Identifier in the playback URLs.' }),
  IsOnline: Type.Boolean({
    description: 'Whether viewers can watch. Stays true while a lost publisher may reconnect.',
  }),
  OnlineSince: nullable(timestampSchema, 'Time at which viewers could first watch. Null while offline.'),
  ...linkFields,
  Renditions: Type.Array(liveSettingsFields.Renditions.items, {
    description:
      'Renditions that are encoded in addition to the source. Empty means none, or the default ladder.',
  }),
  EmbedCodes: Type.Object(
    {
      JavaScript: Type.String({ description: 'HTML snippet that loads the player by script.' }),
      iFrame: Type.String({ description: 'HTML snippet with an iframe.' }),
      PlayerURL,
    },
    { description: 'HTML to put the player into a page.' },
  ),
  PictureURI: described(uri, 'URL of the current picture (JPEG).'),
  TimeshiftDuration: Type.Integer({ description: 'How far viewers can seek back, in seconds.' }),
  Latency: liveLatencySchema,
}

export const exampleOutput = {
  ProjectId: 3,
  PlayoutId: playoutId,
  IsOnline: true,
  OnlineSince: '2026-03-01T12:00:00.000+00:00',
  HLS: `${base}/l/${playoutId}/main.m3u8`,
  LLHLS: `${base}/l/${playoutId}/ll.m3u8`,
  DASH: `${base}/l/${playoutId}/main.mpd`,
  Renditions: [],
  EmbedCodes: embedCodes(`${base}/embed/${playoutId}`, { playout_id: playoutId, title: 'Spring show' }),
  PictureURI: `${base}/l/${playoutId}/poster.jpg`,
  TimeshiftDuration: 3_600,
  Latency: { Target: 1, MeasuredP50: 1.12, MeasuredP95: 1.9 },
}

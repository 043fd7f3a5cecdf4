import { writeManifest, type Representation } from '@zoetrope/dash'
import {
  quotableText,
  writeMediaPlaylist,
  writeMultivariantPlaylist,
  type Rendition,
  type Variant,
} from '@zoetrope/hls'
import { timelineStartSeconds } from '@zoetrope/packager'
import type { FileCaptionRow, RenditionRow } from '../files/file-record.ts'
import { packagedTargetDurationSeconds } from '../files/media-blobs.ts'
import { captionGroupId, captionRenditions, captionTracks } from './caption-manifests.ts'

type SegmentTriple = [startTicks: number, durationTicks: number, sizeBytes: number]

const segmentsOf = ({ segments }: RenditionRow) =>
  (JSON.parse(segments) as SegmentTriple[]).map(([startTicks, durationTicks]) => ({
    startTicks,
    durationTicks,
  }))

const audioGroupId = 'audio'

const byHeightDescending = (a: RenditionRow, b: RenditionRow): number =>
  (b.height_pixels ?? 0) - (a.height_pixels ?? 0) || b.id - a.id

/** The middle rung first: players without a measurement begin with the first variant (RFC 8216 6.2.4 leaves the order to us). */
const videoOrder = (videos: readonly RenditionRow[]): RenditionRow[] => {
  const sorted = [...videos].sort(byHeightDescending)
  const start = sorted.find(({ height_pixels }) => (height_pixels ?? 0) <= 720) ?? sorted.at(-1)
  return start === undefined ? [] : [start, ...sorted.filter((one) => one !== start)]
}

/** HLS, RFC 8216 4.3.4: every rendition that can be played now; URIs are relative, so that a token in the path is carried along. */
export const multivariantPlaylist = (
  renditions: readonly RenditionRow[],
  captions: readonly FileCaptionRow[],
): string => {
  const videos = videoOrder(renditions.filter(({ kind }) => kind === 'video'))
  const audios = renditions.filter(({ kind }) => kind === 'audio')
  const [audio] = audios
  const playlistUri = ({ id }: RenditionRow): string => `${id}/playlist.m3u8`
  const subtitles = captions.length === 0 ? {} : { subtitlesGroupId: captionGroupId }
  const variants: Variant[] = videos.map((video) => ({
    uri: playlistUri(video),
    bandwidthBitsPerSecond: video.peak_bits_per_second + (audio?.peak_bits_per_second ?? 0),
    averageBandwidthBitsPerSecond: video.average_bits_per_second + (audio?.average_bits_per_second ?? 0),
    codecs: [video.codec, ...(audio === undefined ? [] : [audio.codec])],
    resolution: { widthPixels: video.width_pixels ?? 0, heightPixels: video.height_pixels ?? 0 },
    ...(video.frame_rate === null || video.frame_rate === 0 ? {} : { frameRate: video.frame_rate }),
    videoRange: 'SDR',
    ...(audio === undefined ? {} : { audioGroupId }),
    ...subtitles,
  }))
  if (videos.length === 0 && audio !== undefined)
    variants.push({
      uri: playlistUri(audio),
      bandwidthBitsPerSecond: audio.peak_bits_per_second,
      averageBandwidthBitsPerSecond: audio.average_bits_per_second,
      codecs: [audio.codec],
      ...subtitles,
    })
  return writeMultivariantPlaylist({
    independentSegments: true,
    variants,
    renditions: [
      ...(videos.length === 0 ? [] : audios.slice(0, 1)).map((one): Rendition => ({
        type: 'AUDIO',
        groupId: audioGroupId,
        name: quotableText(one.language ?? 'Audio'),
        ...(one.language === null ? {} : { language: one.language }),
        isDefault: true,
        isAutoselect: true,
        ...(one.channels === null ? {} : { channels: one.channels }),
        uri: playlistUri(one),
      })),
      ...captionRenditions(captions),
    ],
  })
}

/** A growing rendition is an EVENT playlist: segments are only added (RFC 8216 4.3.3.5). */
export const mediaPlaylist = (rendition: RenditionRow): string => {
  const isComplete = rendition.state === 'complete'
  return writeMediaPlaylist({
    ...(rendition.delivery === 'packaged' ? { targetDurationSeconds: packagedTargetDurationSeconds } : {}),
    mediaSequence: 0,
    playlistType: isComplete ? 'VOD' : 'EVENT',
    hasEnded: isComplete,
    independentSegments: true,
    initUri: 'init.mp4',
    segments: segmentsOf(rendition).map(({ durationTicks }, index) => ({
      uri: `${index}.m4s`,
      durationSeconds: durationTicks / rendition.timescale,
    })),
  })
}

/** DASH over the same segments; only complete renditions, because the manifest is static. Null while there is none. */
export const dashManifest = (
  renditions: readonly RenditionRow[],
  captions: readonly FileCaptionRow[],
): string | null => {
  const complete = renditions.filter(({ state }) => state === 'complete')
  if (complete.length === 0) return null
  const sets = (['video', 'audio'] as const)
    .map((kind) => ({ kind, rows: complete.filter((one) => one.kind === kind).sort(byHeightDescending) }))
    .filter(({ rows }) => rows.length > 0)
  const representations = sets.map(({ kind, rows }) => ({
    kind,
    ...(kind === 'audio' && rows[0]?.language != null ? { language: rows[0].language } : {}),
    representations: rows.map(representationOf),
  }))
  const durationSeconds = Math.max(
    ...complete.map((row) => {
      const last = segmentsOf(row).at(-1)
      return last === undefined
        ? 0
        : (last.startTicks + last.durationTicks) / row.timescale - timelineStartSeconds
    }),
  )
  return writeManifest({
    durationSeconds,
    timelineStartSeconds,
    adaptationSets: representations,
    textTracks: captionTracks(captions, durationSeconds),
  })
}

const representationOf = (row: RenditionRow): Representation => ({
  id: String(row.id),
  codecs: row.codec,
  bandwidthBitsPerSecond: row.peak_bits_per_second,
  ...(row.width_pixels === null ? {} : { widthPixels: row.width_pixels }),
  ...(row.height_pixels === null ? {} : { heightPixels: row.height_pixels }),
  ...(row.frame_rate === null || row.frame_rate === 0 ? {} : { frameRate: row.frame_rate }),
  ...(row.sample_rate_hz === null ? {} : { sampleRateHz: row.sample_rate_hz }),
  ...(row.channels === null ? {} : { channels: row.channels }),
  timescale: row.timescale,
  initUri: `${row.id}/init.mp4`,
  mediaUriTemplate: `${row.id}/$Number$.m4s`,
  startNumber: 0,
  segments: segmentsOf(row),
})

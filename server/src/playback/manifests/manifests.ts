import { writeManifest, type AdaptationSet, type Representation } from '@zoetrope/dash'
import { writeMediaPlaylist, writeMultivariantPlaylist, type Variant } from '@zoetrope/hls'
import { timelineStartSeconds, type SilentLead } from '@zoetrope/packager'
import type { FileCaptionRow } from '../../library/files/record/parts/caption-record.ts'
import { hasAllSegments, type RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { renditionEndSeconds } from '../../library/files/media/rendition-length.ts'
import { packagedTargetDurationSeconds } from '../../library/files/media/media-blobs.ts'
import { audioGroupId, audioLabel, audioRenditions, audioTracks } from './audio-manifests.ts'
import { captionGroupId, captionRenditions, captionTracks } from './caption-manifests.ts'
import { iFrameVariants } from './i-frame-manifests.ts'
import { videosByCodec } from './video-codecs.ts'

type SegmentTriple = [startTicks: number, durationTicks: number, sizeBytes: number]

const segmentsOf = ({ segments, silentLead = [] }: ListedRendition) => [
  ...silentLead,
  ...(JSON.parse(segments) as SegmentTriple[]).map(([startTicks, durationTicks]) => ({
    startTicks,
    durationTicks,
  })),
]

/** Folder of the numbered segments, relative to the init segment. */
const segmentFolder = ({ silentLead }: ListedRendition): string => (silentLead === undefined ? '' : 'padded/')

/**
 * Puts the middle rung first, because players without a bandwidth measurement start with the first variant. If its segments
 * have yet to be encoded, the lowest rung that plays at once is first.
 * RFC 8216, section 6.2.4, does not prescribe an order.
 */
const videoOrder = (sorted: readonly RenditionRow[]): RenditionRow[] => {
  const middle = sorted.find(({ height_pixels }) => (height_pixels ?? 0) <= 720) ?? sorted.at(-1)
  const start =
    middle?.state === 'on_demand' ? (sorted.findLast(({ state }) => state !== 'on_demand') ?? middle) : middle
  return start === undefined ? [] : [start, ...sorted.filter((one) => one !== start)]
}

const pictureOf = ({ width_pixels, height_pixels }: RenditionRow) =>
  ({
    resolution: { widthPixels: width_pixels ?? 0, heightPixels: height_pixels ?? 0 },
    videoRange: 'SDR',
  }) as const

/** Whether every video is known to carry no captions. */
export const hasNoClosedCaptions = (videos: readonly Pick<RenditionRow, 'has_closed_captions'>[]): boolean =>
  videos.length > 0 && videos.every(({ has_closed_captions }) => has_closed_captions === false)

/**
 * Returns the HLS multivariant playlist (RFC 8216, section 4.3.4) of the playable renditions. URIs are
 * relative, so that a token in the path applies to them too.
 */
export const multivariantPlaylist = (
  renditions: readonly RenditionRow[],
  captions: readonly FileCaptionRow[],
): string => {
  const videos = videoOrder(videosByCodec(renditions).flat())
  const audios = audioTracks(renditions)
  const [audio] = audios
  const largestOf = (rate: (one: RenditionRow) => number): number => Math.max(0, ...audios.map(rate))
  const playlistUri = ({ id }: RenditionRow): string => `${id}/playlist.m3u8`
  const ofAll = {
    ...(captions.length === 0 ? {} : { subtitlesGroupId: captionGroupId }),
    ...(hasNoClosedCaptions(videos) ? { hasNoClosedCaptions: true } : {}),
  }
  const variants: Variant[] = videos.map((video) => ({
    uri: playlistUri(video),
    // RFC 8216bis, section 4.4.6.2: the bit rate includes the largest rendition of the group, and CODECS all
    // codecs that it may need.
    bandwidthBitsPerSecond: video.peak_bits_per_second + largestOf((one) => one.peak_bits_per_second),
    averageBandwidthBitsPerSecond:
      video.average_bits_per_second + largestOf((one) => one.average_bits_per_second),
    codecs: [...new Set([video, ...audios].map(({ codec }) => codec))],
    ...pictureOf(video),
    ...(video.frame_rate === null || video.frame_rate === 0 ? {} : { frameRate: video.frame_rate }),
    ...(audio === undefined ? {} : { audioGroupId }),
    ...ofAll,
  }))
  const isGrouped = audios.length > 0 && (videos.length > 0 || audios.length > 1)
  // The audio-only variant is the lowest one, so that playback continues on a bad connection.
  if (audio !== undefined)
    variants.push({
      uri: playlistUri(audio),
      bandwidthBitsPerSecond: largestOf((one) => one.peak_bits_per_second),
      averageBandwidthBitsPerSecond: largestOf((one) => one.average_bits_per_second),
      codecs: [...new Set(audios.map(({ codec }) => codec))],
      ...(isGrouped ? { audioGroupId } : {}),
      ...ofAll,
    })
  return writeMultivariantPlaylist({
    independentSegments: true,
    variants,
    iFrameVariants: iFrameVariants(videos, (video) => ({ ...pictureOf(video), codecs: [video.codec] })),
    renditions: [...(isGrouped ? audioRenditions(audios, playlistUri) : []), ...captionRenditions(captions)],
  })
}

export type ListedRendition = RenditionRow & {
  /**
   * RFC 8216, section 6.2.1: the target duration never changes, so it is set in advance while segments are
   * still to come.
   */
  readonly targetDurationSeconds?: number
  readonly silentLead?: SilentLead['segments']
}

const longestSeconds = (segments: readonly { readonly durationTicks: number }[], timescale: number): number =>
  segments.reduce((longest, { durationTicks }) => Math.max(longest, durationTicks / timescale), 0)

const targetOf = (rendition: ListedRendition): number | undefined => {
  const { delivery, targetDurationSeconds, timescale, silentLead = [] } = rendition
  // Renditions encoded next to a passthrough source share its cuts and segment durations.
  if (delivery === 'packaged')
    return Math.max(
      packagedTargetDurationSeconds,
      Math.round(longestSeconds(segmentsOf(rendition), timescale)),
    )
  if (targetDurationSeconds === undefined) return undefined
  return Math.max(targetDurationSeconds, Math.round(longestSeconds(silentLead, timescale)))
}

/**
 * Returns the HLS media playlist. An incomplete rendition is an EVENT playlist: segments are only appended
 * (RFC 8216, section 4.3.3.5).
 */
export const mediaPlaylist = (rendition: ListedRendition): string => {
  const isComplete = hasAllSegments(rendition)
  const targetDurationSeconds = targetOf(rendition)
  return writeMediaPlaylist({
    ...(targetDurationSeconds === undefined ? {} : { targetDurationSeconds }),
    mediaSequence: 0,
    playlistType: isComplete ? 'VOD' : 'EVENT',
    startsAtFirst: !isComplete,
    hasEnded: isComplete,
    independentSegments: true,
    initUri: 'init.mp4',
    segments: segmentsOf(rendition).map(({ durationTicks }, index) => ({
      uri: `${segmentFolder(rendition)}${index}.m4s`,
      durationSeconds: durationTicks / rendition.timescale,
    })),
  })
}

/**
 * Returns the DASH manifest over the same segments, with complete renditions only, because the manifest is
 * static. Null when no rendition is complete.
 */
export const dashManifest = (
  renditions: readonly ListedRendition[],
  captions: readonly FileCaptionRow[],
): string | null => {
  const complete = renditions.filter(hasAllSegments)
  if (complete.length === 0) return null
  const audios = audioTracks(complete)
  const adaptationSets: AdaptationSet[] = [
    ...videosByCodec(complete).map((videos) => ({
      kind: 'video' as const,
      representations: videos.map(representationOf),
    })),
    ...audios.map((audio, index) => ({
      kind: 'audio' as const,
      ...(audio.language === null ? {} : { language: audio.language }),
      ...(audios.length === 1 ? {} : { label: audioLabel(audio), isDefault: index === 0 }),
      representations: [representationOf(audio)],
    })),
  ]
  const durationSeconds = Math.max(...complete.map(renditionEndSeconds))
  return writeManifest({
    durationSeconds,
    timelineStartSeconds,
    adaptationSets,
    textTracks: captionTracks(captions, durationSeconds),
  })
}

const representationOf = (row: ListedRendition): Representation => ({
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
  mediaUriTemplate: `${row.id}/${segmentFolder(row)}$Number$.m4s`,
  startNumber: 0,
  segments: segmentsOf(row),
})

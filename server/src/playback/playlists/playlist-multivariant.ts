import { quotableText, writeMultivariantPlaylist, type Variant } from '@zoetrope/hls'
import { blackVideo } from '@zoetrope/packager'
import { hasNoClosedCaptions } from '../manifests/manifests.ts'
import type { LayoutRendition, PlannedStream } from './playlist-layout.ts'

const audioGroupId = 'audio'

const distinct = (values: readonly string[]): string[] => [...new Set(values)]

const avc = /^avc1\.([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i

/**
 * Merges all H.264 codecs into one with the highest profile and level (RFC 6381, section 3.3): a player that
 * supports it supports them all.
 */
const coveringCodecs = (codecs: readonly string[]): string[] => {
  const parts = codecs.flatMap((codec) => {
    const [, profile, constraints = '', level] = avc.exec(codec) ?? []
    return profile === undefined || level === undefined ? [] : [{ profile, constraints, level }]
  })
  const others = distinct(codecs.filter((codec) => !avc.test(codec)))
  const [first] = parts
  if (first === undefined) return others
  const number = (hex: string): number => Number.parseInt(hex, 16)
  const top = parts.reduce((best, one) => (number(one.profile) > number(best.profile) ? one : best), first)
  const level = parts.reduce(
    (best, one) => (number(one.level) > number(best) ? one.level : best),
    first.level,
  )
  return [`avc1.${top.profile}${top.constraints}${level}`, ...others]
}

const largest = <T>(values: readonly T[], sizeOf: (value: T) => number): number =>
  values.reduce((most, value) => Math.max(most, sizeOf(value)), 0)

const averageOver = (
  { elements }: PlannedStream,
  renditions: readonly (LayoutRendition | undefined)[],
): number => {
  const seconds = elements.reduce((sum, { lengthSeconds }) => sum + lengthSeconds, 0)
  const bits = elements.reduce(
    (sum, { lengthSeconds }, index) =>
      sum + lengthSeconds * (renditions[index]?.average_bits_per_second ?? 0),
    0,
  )
  return seconds === 0 ? 0 : Math.ceil(bits / seconds)
}

const peakOf = (renditions: readonly (LayoutRendition | undefined)[]): number =>
  largest(renditions, (one) => one?.peak_bits_per_second ?? 0)

/**
 * Returns the resolution of the largest video. Combining the width and height of different videos would yield
 * a shape that none of them has.
 */
const resolutionOf = (videos: readonly LayoutRendition[]) => {
  const sizes = videos.map(({ width_pixels, height_pixels }) => ({
    widthPixels: width_pixels ?? 0,
    heightPixels: height_pixels ?? 0,
  }))
  const area = (size: (typeof sizes)[number] | undefined): number =>
    size === undefined ? 0 : size.widthPixels * size.heightPixels
  return sizes.reduce((best, size) => (area(size) > area(best) ? size : best))
}

const fillerBitsPerSecond = 8_000

/**
 * Returns the HLS multivariant playlist (RFC 8216bis, section 4.4.6) of a playlist; every variant covers all
 * elements. `uriOf` returns the URI of the media playlist of a track.
 */
export const playlistMultivariant = (stream: PlannedStream, uriOf: (track: string) => string): string => {
  const { layout, variants, audios } = stream
  const hasAudio = layout.silence !== null
  const audioCodecs = hasAudio ? distinct(audios.flatMap((audio) => audio?.codec ?? [])) : []
  const audioPeak = hasAudio ? Math.max(peakOf(audios), fillerBitsPerSecond) : 0
  const audioAverage = hasAudio ? averageOver(stream, audios) : 0
  const isWithoutCaptions = hasNoClosedCaptions(
    variants.flatMap(({ videos }) => videos.filter((one) => one !== undefined)),
  )
  const isFillerNeeded = layout.elements.some(({ video }) => video === null)
  const videoVariants = variants.map(({ videos }, index): Variant => {
    const present = videos.filter((one) => one !== undefined)
    const frameRate = largest(present, ({ frame_rate }) => frame_rate ?? 0)
    const codecs = [...present.map(({ codec }) => codec), ...(isFillerNeeded ? [blackVideo.codec] : [])]
    return {
      uri: uriOf(`${index}`),
      bandwidthBitsPerSecond: peakOf(videos) + audioPeak,
      averageBandwidthBitsPerSecond: averageOver(stream, videos) + audioAverage,
      codecs: [...coveringCodecs(codecs), ...lowComplexityFirst(audioCodecs)],
      resolution: resolutionOf(present),
      ...(frameRate === 0 ? {} : { frameRate }),
      videoRange: 'SDR',
      ...(hasAudio ? { audioGroupId } : {}),
      ...(isWithoutCaptions ? { hasNoClosedCaptions: true } : {}),
    }
  })
  const soundAlone: Variant = {
    uri: uriOf('audio'),
    bandwidthBitsPerSecond: audioPeak,
    averageBandwidthBitsPerSecond: audioAverage,
    codecs: lowComplexityFirst(audioCodecs),
  }
  return writeMultivariantPlaylist({
    independentSegments: true,
    variants: videoVariants.length === 0 && hasAudio ? [soundAlone] : videoVariants,
    renditions:
      videoVariants.length === 0 || !hasAudio
        ? []
        : [
            {
              type: 'AUDIO',
              groupId: audioGroupId,
              name: quotableText('Audio'),
              isDefault: true,
              isAutoselect: true,
              uri: uriOf('audio'),
            },
          ],
  })
}

/**
 * All audio is AAC, and a player creates one buffer with the first codec. Each init segment reconfigures an
 * AAC-LC decoder, so AAC-LC stands for all when any rendition uses it.
 */
const lowComplexityFirst = (codecs: readonly string[]): string[] =>
  codecs.includes('mp4a.40.2') ? ['mp4a.40.2'] : codecs.slice(0, 1)

import {
  quotableText,
  writeMediaPlaylist,
  writeMultivariantPlaylist,
  type Segment,
  type Variant,
} from '@zoetrope/hls'
import { blackVideo, silence, timelineStartSeconds, type Filler } from '@zoetrope/packager'
import { packagedTargetDurationSeconds } from '../files/media-blobs.ts'
import type { LayoutRendition, PlannedStream, PlaylistLayout } from './playlist-layout.ts'

/** A rendition's segments on the timeline of its file. */
export interface TimedSegments {
  readonly timescale: number
  /** Start and duration in ticks. */
  readonly segments: readonly (readonly [startTicks: number, durationTicks: number])[]
}

const audioGroupId = 'audio'

const distinct = (values: readonly string[]): string[] => [...new Set(values)]

/** The last of `avc1.64001f` and its like: of several, the highest profile and level tell what a player must be able to do. */
const highestCodec = (codecs: readonly string[]): string[] => {
  const highest = new Map<string, string>()
  for (const codec of codecs) {
    const [family = codec] = codec.split('.')
    const known = highest.get(family)
    if (known === undefined || levelOf(codec) > levelOf(known)) highest.set(family, codec)
  }
  return [...highest.values()]
}

const levelOf = (codec: string): number => {
  const [, hex = ''] = codec.split('.')
  // avc1.PPCCLL: the level counts for more than the profile, whose numbers rise with it too.
  return /^[0-9a-f]{6}$/i.test(hex)
    ? Number.parseInt(hex.slice(4), 16) * 256 + Number.parseInt(hex.slice(0, 2), 16)
    : 0
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

const fillerBitsPerSecond = 8_000

/** HLS, RFC 8216bis 4.4.6, of a whole playlist: every variant runs through all elements. `path` is where its media playlists lie. */
export const playlistMultivariant = (stream: PlannedStream, path: string): string => {
  const { layout, variants, audios } = stream
  const hasAudio = layout.silence !== null
  const audioCodecs = hasAudio ? distinct(audios.flatMap((audio) => audio?.codec ?? [])) : []
  const audioPeak = hasAudio ? Math.max(peakOf(audios), fillerBitsPerSecond) : 0
  const audioAverage = hasAudio ? averageOver(stream, audios) : 0
  const isFillerNeeded = layout.elements.some(({ video }) => video === null)
  const videoVariants = variants.map(({ videos }, index): Variant => {
    const present = videos.filter((one) => one !== undefined)
    const frameRate = largest(present, ({ frame_rate }) => frame_rate ?? 0)
    const codecs = [...present.map(({ codec }) => codec), ...(isFillerNeeded ? [blackVideo.codec] : [])]
    return {
      uri: `${path}/${index}.m3u8`,
      bandwidthBitsPerSecond: peakOf(videos) + audioPeak,
      averageBandwidthBitsPerSecond: averageOver(stream, videos) + audioAverage,
      codecs: [...highestCodec(codecs), ...lowComplexityFirst(audioCodecs)],
      resolution: {
        widthPixels: largest(present, ({ width_pixels }) => width_pixels ?? 0),
        heightPixels: largest(present, ({ height_pixels }) => height_pixels ?? 0),
      },
      ...(frameRate === 0 ? {} : { frameRate }),
      videoRange: 'SDR',
      ...(hasAudio ? { audioGroupId } : {}),
    }
  })
  const soundAlone: Variant = {
    uri: `${path}/audio.m3u8`,
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
              uri: `${path}/audio.m3u8`,
            },
          ],
  })
}

/**
 * All sound is AAC. A player makes one buffer for it and takes the first name for its type; a decoder of AAC-LC is set up anew by each init
 * segment, so one name stands for all where there is one of it.
 */
const lowComplexityFirst = (codecs: readonly string[]): string[] =>
  codecs.includes('mp4a.40.2') ? ['mp4a.40.2'] : codecs.slice(0, 1)

export type PlaylistTrack = { readonly kind: 'audio' } | { readonly kind: 'video'; readonly variant: number }

export interface MediaPlaylistContext {
  readonly segmentsOf: (renditionId: number) => TimedSegments | undefined
  /** Where an element's own segments lie; ends with a slash. */
  readonly elementBase: (playoutId: string) => string
  /** Where the fillers lie; ends with a slash. */
  readonly fillerBase: string
}

interface Span {
  readonly startSeconds: number
  readonly endSeconds: number
}

/** A hole that a player shows as one: shorter ones are passed over, and a segment is not made for less. */
const holeSeconds = 0.04

const spanOf = ({ timescale, segments }: TimedSegments): Span | null => {
  const first = segments[0]
  const last = segments.at(-1)
  if (first === undefined || last === undefined) return null
  return { startSeconds: first[0] / timescale, endSeconds: (last[0] + last[1]) / timescale }
}

/**
 * The time of an element in its file's timeline: that of its pictures, or of its sound where it has none. An element whose renditions are gone
 * keeps its length, so that those behind it stay where the player expects them.
 */
const elementSpan = (
  element: PlaylistLayout['elements'][number],
  { segmentsOf }: MediaPlaylistContext,
): Span => {
  const [video] = (element.video ?? []).flatMap((id) => segmentsOf(id) ?? [])
  const audio = element.audio === null ? undefined : segmentsOf(element.audio)
  const pictured = video === undefined ? null : spanOf(video)
  if (pictured !== null) return pictured
  const heard = audio === undefined ? null : spanOf(audio)
  return {
    startSeconds: timelineStartSeconds,
    endSeconds: heard?.endSeconds ?? timelineStartSeconds + element.lengthSeconds,
  }
}

const fill = (filler: Filler, base: string, from: number, to: number): Segment[] => {
  const { timescale, frameTicks } = filler
  const segments: Segment[] = []
  // Whole frames, so that neither a hole nor an overlap adds up.
  const maxTicks = Math.floor((packagedTargetDurationSeconds * timescale) / frameTicks) * frameTicks
  const endTicks = Math.round(to * timescale)
  for (let startTicks = Math.round(from * timescale); startTicks < endTicks; startTicks += maxTicks) {
    const durationTicks = Math.min(maxTicks, endTicks - startTicks)
    segments.push({
      uri: `${base}${startTicks}-${durationTicks}.m4s`,
      durationSeconds: durationTicks / timescale,
      initUri: `${base}init.mp4`,
    })
  }
  return segments
}

/** Where the segments of a rendition lie. */
interface Place {
  readonly initUri: string
  readonly segmentsBase: string
}

/** The segments of a rendition as far as they lie in the span, and the filler where there are none. */
const coverSpan = (
  span: Span,
  timed: TimedSegments | undefined,
  { initUri, segmentsBase }: Place,
  filled: (from: number, to: number) => Segment[],
): Segment[] => {
  const covered: Segment[] = []
  let at = span.startSeconds
  for (const [index, [startTicks, durationTicks]] of (timed?.segments ?? []).entries()) {
    const start = startTicks / (timed?.timescale ?? 1)
    const end = start + durationTicks / (timed?.timescale ?? 1)
    if (end <= at + holeSeconds / 2 || start >= span.endSeconds - holeSeconds / 2) continue
    if (start - at > holeSeconds) {
      covered.push(...filled(at, start))
      at = start
    }
    const until = Math.min(end, span.endSeconds)
    covered.push({ uri: `${segmentsBase}${index}.m4s`, durationSeconds: until - at, initUri })
    at = until
  }
  if (span.endSeconds - at > holeSeconds) covered.push(...filled(at, span.endSeconds))
  return covered
}

const elementSegments = (
  element: PlaylistLayout['elements'][number],
  track: PlaylistTrack,
  layout: PlaylistLayout,
  context: MediaPlaylistContext,
): Segment[] => {
  const span = elementSpan(element, context)
  const base = context.elementBase(element.playoutId)
  if (track.kind === 'video') {
    const id = element.video?.[track.variant]
    const timed = id === undefined ? undefined : context.segmentsOf(id)
    // Of pictures all that there are: variants differ by fractions of a frame.
    const own = timed === undefined ? null : spanOf(timed)
    return own === null
      ? fill(blackVideo, `${context.fillerBase}black/`, span.startSeconds, span.endSeconds)
      : coverSpan(
          own,
          timed,
          { initUri: `${base}${id}/init.mp4`, segmentsBase: `${base}${id}/aligned/` },
          () => [],
        )
  }
  const timed = element.audio === null ? undefined : context.segmentsOf(element.audio)
  const { sampleRateHz, channels } = layout.silence ?? { sampleRateHz: 48_000, channels: 2 }
  const filler = silence(sampleRateHz, channels)
  const fillerBase = `${context.fillerBase}silence-${sampleRateHz}-${channels}/`
  const own = `${base}${element.audio}/`
  return coverSpan(span, timed, { initUri: `${own}init.mp4`, segmentsBase: own }, (from, to) =>
    fill(filler, fillerBase, from, to),
  )
}

/**
 * One media playlist through all elements. RFC 8216bis 4.4.4.3: the timeline begins anew with each of them, so a discontinuity stands before
 * each but the first, in every media playlist at the same place; and sound lasts as long as the pictures, filled up with silence.
 */
export const playlistMediaPlaylist = (
  layout: PlaylistLayout,
  track: PlaylistTrack,
  context: MediaPlaylistContext,
): string => {
  const segments = layout.elements.flatMap((element, index) =>
    elementSegments(element, track, layout, context).map((segment, at) =>
      at === 0 && index > 0 ? { ...segment, discontinuity: true } : segment,
    ),
  )
  const longest = largest(segments, ({ durationSeconds }) => Math.round(durationSeconds))
  return writeMediaPlaylist({
    targetDurationSeconds: Math.max(layout.targetDurationSeconds, longest),
    mediaSequence: 0,
    playlistType: 'VOD',
    hasEnded: true,
    independentSegments: true,
    initUri: segments[0]?.initUri ?? '',
    segments,
  })
}

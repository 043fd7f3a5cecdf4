import { writeMediaPlaylist, type Segment } from '@zoetrope/hls'
import { blackVideo, silence, timelineStartSeconds, type Filler } from '@zoetrope/packager'
import { packagedTargetDurationSeconds } from '../../library/files/media/media-blobs.ts'
import type { PlaylistLayout } from './playlist-layout.ts'

export interface TimedSegments {
  readonly timescale: number
  /** Start and duration, in ticks. */
  readonly segments: readonly (readonly [startTicks: number, durationTicks: number])[]
}

export type PlaylistTrack = { readonly kind: 'audio' } | { readonly kind: 'video'; readonly variant: number }

export interface MediaPlaylistContext {
  readonly segmentsOf: (renditionId: number) => TimedSegments | undefined
  /** Base URI of an element's segments; ends with a slash. */
  readonly elementBase: (playoutId: string) => string
  /** Base URI of the fillers; ends with a slash. */
  readonly fillerBase: string
}

interface Span {
  readonly startSeconds: number
  readonly endSeconds: number
}

/** Shortest gap that players stall on; shorter gaps get no filler segment. */
const holeSeconds = 0.04

const spanOf = ({ timescale, segments }: TimedSegments): Span | null => {
  const first = segments[0]
  const last = segments.at(-1)
  if (first === undefined || last === undefined) return null
  return { startSeconds: first[0] / timescale, endSeconds: (last[0] + last[1]) / timescale }
}

/**
 * Returns the time span of an element on its file's timeline: that of its video, or of its audio without
 * video. An element whose renditions are gone keeps its duration, so that later elements keep their position.
 */
const elementSpan = (
  element: PlaylistLayout['elements'][number],
  { segmentsOf }: MediaPlaylistContext,
): Span => {
  const [video] = (element.video ?? []).flatMap((id) => segmentsOf(id) ?? [])
  const audio = element.audio === null ? undefined : segmentsOf(element.audio)
  const pictured = video === undefined ? null : spanOf(video)
  if (pictured !== null) return pictured
  const audioSpan = audio === undefined ? null : spanOf(audio)
  return {
    startSeconds: timelineStartSeconds,
    endSeconds: audioSpan?.endSeconds ?? timelineStartSeconds + element.lengthSeconds,
  }
}

const fill = (filler: Filler, base: string, from: number, to: number): Segment[] => {
  const { timescale, frameTicks } = filler
  const segments: Segment[] = []
  // Whole frames, so that neither gaps nor overlaps accumulate.
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

interface Place {
  readonly initUri: string
  readonly segmentsBase: string
}

/** Returns the segments of a rendition within the span, with fillers in the gaps. */
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
    // Lists all video segments, because variants differ by fractions of a frame.
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
 * Returns one media playlist over all elements. The timeline restarts with each element, so a discontinuity
 * precedes every element but the first (RFC 8216bis, section 4.4.4.3). It is at the same place in every media
 * playlist. Silence extends audio to the duration of the video.
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
  const longest = segments.reduce(
    (most, { durationSeconds }) => Math.max(most, Math.round(durationSeconds)),
    0,
  )
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

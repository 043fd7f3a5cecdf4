import {
  writeMediaPlaylist,
  type MediaPlaylist,
  type Part,
  type RenditionReport,
  type SegmentStart,
} from '@zoetrope/hls'
import type { LivePart, LiveSegment, SegmentHeader } from '../media/live-media.ts'
import type { Rendition } from '../renditions/rendition.ts'
import { segmentEntry, uris, type SegmentLines } from './segment-lines.ts'
import type { StreamTargets } from '../media/stream-measure.ts'

export interface PlaylistForm {
  /** `_HLS_skip=YES`: omits segments that the client already has. */
  readonly isDelta: boolean
  readonly isLowLatency: boolean
}

export interface MediaPlaylistInput extends PlaylistForm {
  readonly rendition: Rendition
  readonly lines: SegmentLines
  readonly targets: StreamTargets
  readonly hasEnded: boolean
  readonly reports: readonly RenditionReport[]
}

/**
 * RFC 8216bis 4.4.4.9: parts may be removed when they are more than this many target durations from the end.
 */
const targetsWithParts = 3
/** RFC 8216bis 4.4.3.8: minimum values of the attributes. */
const targetsToSkip = 6
const targetsHeldBack = 3
const partTargetsHeldBack = 3

/** Renders the media playlist for the rendition's current state. All clients receive the same bytes. */
export const renderMediaPlaylist = (input: MediaPlaylistInput): string => {
  const { rendition, targets, hasEnded, reports, isLowLatency } = input
  const { segments, currentSegment } = rendition
  const { targetDurationSeconds, partTargetSeconds } = targets
  const openParts = isLowLatency && !hasEnded ? rendition.openParts : []
  const listed = { segments, openParts }
  const skipped = input.isDelta && !hasEnded ? countSkipped(listed, targets) : 0
  const firstWithParts =
    isLowLatency && !hasEnded
      ? firstSegmentWithin(listed, targetsWithParts * targetDurationSeconds)
      : segments.length
  const shown = skipped > 0 ? segments.slice(skipped) : segments
  const initUri = uris.init((shown[0] ?? currentSegment).initVersion, rendition)
  const written = skipped > 0 ? undefined : input.lines.before(rendition, firstWithParts)
  const first = skipped + (written?.count ?? 0)
  const playlist: MediaPlaylist = {
    targetDurationSeconds,
    mediaSequence: segments[0]?.number ?? currentSegment.number,
    discontinuitySequence: rendition.discontinuitySequence,
    hasEnded,
    // EXT-X-INDEPENDENT-SEGMENTS applies to all segments, so one segment split from a long group prevents it.
    independentSegments: segments.every((segment) => segment.isIndependent || segment.isGap),
    ...(hasEnded
      ? {}
      : {
          serverControl: {
            canBlockReload: true,
            canSkipUntilSeconds: targetsToSkip * targetDurationSeconds,
            holdBackSeconds: targetsHeldBack * targetDurationSeconds,
            ...(isLowLatency && { partHoldBackSeconds: partHoldBack(partTargetSeconds) }),
          },
          ...(isLowLatency && {
            partTargetSeconds,
            preloadHintUri: uris.part(currentSegment, openParts.length),
            ...(currentSegment.isDiscontinuity && { openSegment: startOf(currentSegment, rendition) }),
            openParts: openParts.map((part) => partEntry(part, currentSegment)),
          }),
          renditionReports: reports,
        }),
    ...(skipped > 0 && { skippedSegments: skipped }),
    initUri,
    segments: segments.slice(first).map((segment, index) => ({
      ...segmentEntry(segment, rendition),
      ...(first + index >= firstWithParts && {
        parts: segment.parts.map((part) => partEntry(part, segment)),
      }),
    })),
  }
  return writeMediaPlaylist(playlist, written)
}

/** Parts after a discontinuity need a different init segment. */
const startOf = ({ initVersion, startedAtMs }: SegmentHeader, rendition: Rendition): SegmentStart => ({
  discontinuity: true,
  initUri: uris.init(initVersion, rendition),
  ...(startedAtMs !== undefined && { programDateTime: new Date(startedAtMs) }),
})

const partHoldBack = (partTargetSeconds: number): number =>
  (partTargetsHeldBack * Math.round(partTargetSeconds * 1_000)) / 1_000

const partEntry = (part: LivePart, segment: SegmentHeader): Part => ({
  uri: uris.part(segment, part.index),
  durationSeconds: part.durationSeconds,
  ...(part.isIndependent && { isIndependent: true }),
  ...(part.isGap && { isGap: true }),
})

const secondsOf = (list: readonly { durationSeconds: number }[]): number =>
  list.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)

/** Returns the index of the first segment that ends less than `seconds` before the end of the playlist. */
const firstSegmentWithin = (
  { segments, openParts }: Pick<Rendition, 'segments' | 'openParts'>,
  seconds: number,
): number => {
  let behindSeconds = secondsOf(openParts)
  let index = segments.length
  while (index > 0 && behindSeconds < seconds) behindSeconds += segments[--index]!.durationSeconds
  return index
}

/**
 * RFC 8216bis 6.2.5.1: skips the segments before the skip boundary, including their tags. Gaps at the boundary may be
 * the numbers that a takeover has left out. Players do not know them, nor what the former owner listed shortly before.
 */
export const countSkipped = (
  listed: Pick<Rendition, 'segments' | 'openParts'>,
  { targetDurationSeconds }: Pick<StreamTargets, 'targetDurationSeconds'>,
): number => {
  const seconds = targetsToSkip * targetDurationSeconds
  const boundary = firstSegmentWithin(listed, seconds)
  let first = boundary
  while (listed.segments[first - 1]?.isGap === true) first--
  if (first === boundary) return boundary
  return firstSegmentWithin({ segments: listed.segments.slice(0, first), openParts: [] }, seconds)
}

export const reportOf = (
  uri: string,
  { segments, openParts, currentSegment }: Rendition,
  isLowLatency: boolean,
): RenditionReport | undefined => {
  if (isLowLatency && openParts.length > 0) {
    return { uri, lastMediaSequence: currentSegment.number, lastPart: openParts.length - 1 }
  }
  const last: LiveSegment | undefined = segments.at(-1)
  return (
    last && {
      uri,
      lastMediaSequence: last.number,
      ...(isLowLatency && { lastPart: Math.max(0, last.parts.length - 1) }),
    }
  )
}

import { writeMediaPlaylist, type Part, type RenditionReport } from '@zoetrope/hls'
import type { LivePart, LiveSegment } from './live-media.ts'
import type { Rendition } from './rendition.ts'
import type { StreamTargets } from './stream-measure.ts'

export interface MediaPlaylistInput {
  readonly rendition: Rendition
  readonly targets: StreamTargets
  readonly hasEnded: boolean
  readonly reports: readonly RenditionReport[]
  /** `_HLS_skip=YES`: leave out what players have that ask for the newest only. */
  readonly isDelta: boolean
}

/** Names that never come to mean something else; they say nothing of where they are. */
export const uris = {
  init: (version: number) => `init-${version}.mp4`,
  segment: (number: number) => `${number}.m4s`,
  part: (number: number, index: number) => `${number}.${index}.m4s`,
} as const

/** RFC 8216bis 4.4.4.9 lets parts go that are farther from the end than this many target durations. */
const targetsWithParts = 3
/** 4.4.3.8: the least that the attributes may say. */
const targetsToSkip = 6
const targetsHeldBack = 3
const partTargetsHeldBack = 3

/** The media playlist of one state of a rendition: the same bytes for all who ask. */
export const renderMediaPlaylist = (input: MediaPlaylistInput): string => {
  const { rendition, targets, hasEnded, reports } = input
  const { segments, openParts, opening } = rendition
  const { targetDurationSeconds, partTargetSeconds } = targets
  const skipped = input.isDelta && !hasEnded ? countSkipped(rendition, targetDurationSeconds) : 0
  const firstWithParts = firstSegmentWithin(rendition, targetsWithParts * targetDurationSeconds)
  const shown = segments.slice(skipped)
  const initUri = uris.init((shown[0] ?? opening).initVersion)
  return writeMediaPlaylist({
    targetDurationSeconds,
    mediaSequence: segments[0]?.number ?? opening.number,
    discontinuitySequence: rendition.discontinuitySequence,
    hasEnded,
    // A tag for all of them: one segment that was split off a long group takes it away.
    independentSegments: segments.every((segment) => segment.isIndependent || segment.isGap),
    ...(hasEnded
      ? {}
      : {
          serverControl: {
            canBlockReload: true,
            canSkipUntilSeconds: targetsToSkip * targetDurationSeconds,
            holdBackSeconds: targetsHeldBack * targetDurationSeconds,
            partHoldBackSeconds: (partTargetsHeldBack * Math.round(partTargetSeconds * 1_000)) / 1_000,
          },
          partTargetSeconds,
          preloadHintUri: uris.part(opening.number, openParts.length),
          openParts: openParts.map((part) => partEntry(part, opening.number)),
          renditionReports: reports,
        }),
    ...(skipped > 0 && { skippedSegments: skipped }),
    initUri,
    segments: shown.map((segment, index) => ({
      uri: uris.segment(segment.number),
      durationSeconds: segment.durationSeconds,
      programDateTime: new Date(segment.startedAtMs),
      initUri: uris.init(segment.initVersion),
      ...(segment.isDiscontinuity && { discontinuity: true }),
      ...(segment.isGap && { isGap: true }),
      ...(!hasEnded &&
        index + skipped >= firstWithParts && {
          parts: segment.parts.map((part) => partEntry(part, segment.number)),
        }),
    })),
  })
}

const partEntry = (part: LivePart, number: number): Part => ({
  uri: uris.part(number, part.index),
  durationSeconds: part.durationSeconds,
  ...(part.isIndependent && { isIndependent: true }),
  ...(part.isGap && { isGap: true }),
})

const secondsOf = (list: readonly { durationSeconds: number }[]): number =>
  list.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)

/** The index of the first segment that ends less than `seconds` before the end of the playlist. */
const firstSegmentWithin = ({ segments, openParts }: Rendition, seconds: number): number => {
  let behindSeconds = secondsOf(openParts)
  let index = segments.length
  while (index > 0 && behindSeconds < seconds) behindSeconds += segments[--index]!.durationSeconds
  return index
}

/** 6.2.5.1: what lies before the skip boundary; the tags of a segment that is left out go with it. */
const countSkipped = (rendition: Rendition, targetDurationSeconds: number): number =>
  firstSegmentWithin(rendition, targetsToSkip * targetDurationSeconds)

/** What another rendition's playlist says of this one. */
export const reportOf = (
  uri: string,
  { segments, openParts, opening }: Rendition,
): RenditionReport | undefined => {
  if (openParts.length > 0) {
    return { uri, lastMediaSequence: opening.number, lastPart: openParts.length - 1 }
  }
  const last: LiveSegment | undefined = segments.at(-1)
  return last && { uri, lastMediaSequence: last.number, lastPart: last.parts.length - 1 }
}

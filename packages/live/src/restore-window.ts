import type { LiveSegment, StretchOrigin } from './live-media.ts'
import type { RenditionStart } from './rendition.ts'
import type { TrackStretch } from './segment-store.ts'
import type { StreamTargets } from './stream-measure.ts'

/** Where a broadcast goes on that another process began. Numbers never go back, and a URI never comes to mean something else. */
export interface PackagerResume {
  readonly firstNumber: number
  /** How many breaks there have been. */
  readonly discontinuitySequence: number
  /** How many stretches: init segments are numbered by them. */
  readonly stretchCount: number
  readonly timelineSeconds: number
  /** The rest is unknown where nothing was kept. */
  readonly targets?: StreamTargets
  readonly availableFromMs?: number
  readonly origins?: readonly StretchOrigin[]
  readonly renditions?: readonly (RenditionStart & { readonly track: string })[]
}

/** What a store has of a broadcast, in any order. */
export interface StoredWindow {
  readonly stretches: readonly TrackStretch[]
  /** Those without bytes become gaps. */
  readonly segments: readonly StoredSegment[]
}
export interface StoredSegment {
  readonly track: string
  readonly segment: LiveSegment
  readonly hasBytes: boolean
}

/** Viewers may know parts of the segment that was being made, and one more may have been on its way to the store. */
const lostSegments = 2

/** Holes in the numbers become gaps, which last as long as the segment before them: a later look at the same store makes the same of them. */
export const restoreWindow = ({ stretches, segments }: StoredWindow): PackagerResume | null => {
  const [newest] = stretches.toSorted((a, b) => b.origin.version - a.origin.version)
  if (newest === undefined) return null
  const numbers = segments.map(({ segment }) => segment.number)
  const firstNumber = Math.max(0, ...latest(numbers)) + 1 + lostSegments
  const breaks = segments.map(({ segment }) => segment.discontinuitySequence)
  const discontinuitySequence = Math.max(0, ...latest(breaks))
  const breakAt = new Map(
    segments.flatMap(({ segment }) => (segment.isDiscontinuity ? [[segment.number, segment] as const] : [])),
  )
  const renditions = [...new Set(segments.map(({ track }) => track))].flatMap((track) => {
    const ofTrack = segments.filter((item) => item.track === track)
    const formats = new Map(
      stretches.flatMap((stretch) =>
        stretch.track === track ? [[stretch.origin.version, stretch.format] as const] : [],
      ),
    )
    const filled = fill(ofTrack, firstNumber, (gap) => {
      // What broke for others broke here, too.
      const broken = breakAt.get(gap.number)
      if (broken === undefined) return gap
      const { isDiscontinuity, discontinuitySequence: sequence } = broken
      const initVersion = formats.has(broken.initVersion) ? broken.initVersion : gap.initVersion
      return { ...gap, isDiscontinuity, discontinuitySequence: sequence, initVersion }
    })
    const whole = filled.slice(filled.findLastIndex(({ initVersion }) => !formats.has(initVersion)) + 1)
    const last = whole.at(-1)
    if (last === undefined) return []
    const { initVersion } = last
    const inits = [...formats]
      .map(([version, format]) => ({ version, format }))
      .filter(({ version }) => version >= whole[0]!.initVersion && version <= initVersion)
      .toSorted((a, b) => a.version - b.version)
    const opening = { number: firstNumber, isDiscontinuity: false, discontinuitySequence, initVersion }
    return [{ track, segments: whole, inits, opening }]
  })
  const ends = renditions.map(({ segments: whole }) => endOf(whole.at(-1)!))
  const origins = new Map(stretches.map(({ origin }) => [origin.version, origin]))
  return {
    firstNumber,
    discontinuitySequence,
    stretchCount: newest.origin.version,
    timelineSeconds: Math.max(newest.origin.timelineSeconds, ...ends),
    targets: newest.targets,
    availableFromMs: newest.availableFromMs,
    origins: [...origins.values()].toSorted((a, b) => a.version - b.version),
    renditions,
  }
}

/** Where nothing of a broadcast was kept: so far on that no number can have been used. */
export const resumeAfter = (broadcastSeconds: number): PackagerResume => {
  // Segments last a second and more, and so do stretches.
  const number = Math.ceil(Math.max(0, broadcastSeconds)) + lostSegments
  return {
    firstNumber: number,
    discontinuitySequence: number,
    stretchCount: number,
    timelineSeconds: number,
  }
}

const latest = (numbers: readonly number[]): number[] =>
  numbers.length === 0 ? [] : [numbers.reduce((a, b) => Math.max(a, b))]

const endOf = ({ startSeconds, durationSeconds }: LiveSegment): number => startSeconds + durationSeconds

/** From the first segment that has bytes up to `end`. */
const fill = (
  stored: readonly StoredSegment[],
  end: number,
  settle: (gap: LiveSegment) => LiveSegment,
): LiveSegment[] => {
  const byNumber = new Map(
    stored.flatMap(({ segment, hasBytes }) =>
      hasBytes || segment.isGap ? [[segment.number, segment] as const] : [],
    ),
  )
  const first = stored
    .filter(({ segment, hasBytes }) => hasBytes && !segment.isGap)
    .reduce((least, { segment }) => Math.min(least, segment.number), end)
  const whole: LiveSegment[] = []
  for (let number = first; number < end; number++)
    whole.push(byNumber.get(number) ?? settle(gapAfter(whole.at(-1)!)))
  return whole
}

const gapAfter = (before: LiveSegment): LiveSegment => ({
  number: before.number + 1,
  isDiscontinuity: false,
  discontinuitySequence: before.discontinuitySequence,
  initVersion: before.initVersion,
  startTicks: before.startTicks + before.durationTicks,
  startSeconds: endOf(before),
  durationTicks: before.durationTicks,
  durationSeconds: before.durationSeconds,
  startedAtMs: before.startedAtMs + before.durationSeconds * 1_000,
  isIndependent: false,
  isGap: true,
  parts: [],
  sizeBytes: 0,
})

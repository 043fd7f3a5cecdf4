import type { LiveSegment, StretchOrigin } from './live-media.ts'
import type { RenditionStart } from './rendition.ts'
import type { TrackStretch } from './segment-store.ts'
import type { StreamTargets } from './stream-measure.ts'

/** Where every media timeline of ours begins: what is decoded before it is shown has room there. */
export const timelineStartSeconds = 1

/**
 * Where a broadcast begins behind the names of the one before it, or goes on that another process began. Numbers never go back, and a URI never
 * comes to mean something else.
 */
export interface PackagerResume {
  readonly firstNumber: number
  /** How many breaks there have been; null where nothing has been shown, so that the beginning is none. */
  readonly discontinuitySequence: number | null
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
/** A stretch that has just begun may not have come to the store. */
const lostStretches = 1
/** A store that is farther behind what viewers have seen is of no use: there would be more gaps than window. */
const longestLagMs = 30_000

/**
 * Holes in the numbers become gaps, which last as long as the segment before them: a later look at the same store makes the same of them.
 * Null where nothing is stored, or the store had failed long before `leftAtMs`, when the other process or its publisher was last there.
 */
export const restoreWindow = (
  { stretches, segments }: StoredWindow,
  leftAtMs: number | null = null,
): PackagerResume | null => {
  const [newest] = stretches.toSorted((a, b) => b.origin.version - a.origin.version)
  if (newest === undefined) return null
  const endMs = segments.reduce(
    (latestMs, { segment }) => Math.max(latestMs, segment.startedAtMs + segment.durationSeconds * 1_000),
    newest.origin.startedAtMs,
  )
  // While a segment is being made, the one before it is the newest that is stored.
  const lagMs = (leftAtMs ?? endMs) - endMs - newest.targets.targetDurationSeconds * 1_000
  if (lagMs > longestLagMs) return null
  // Segments last a second and more.
  const lost = lostSegments + Math.max(0, Math.ceil(lagMs / 1_000))
  const numbers = segments.map(({ segment }) => segment.number)
  const firstNumber = Math.max(newest.firstNumber - 1, ...latest(numbers)) + 1 + lost
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
    stretchCount: newest.origin.version + lostStretches,
    timelineSeconds: Math.max(newest.origin.timelineSeconds, ...ends),
    targets: newest.targets,
    availableFromMs: newest.availableFromMs,
    origins: [...origins.values()].toSorted((a, b) => a.version - b.version),
    renditions,
  }
}

/**
 * Names of a new broadcast are those of the second that it begins in. Segments last a second and more, and so do stretches: no broadcast before
 * it can have come so far. Players get by with them, as they are below 2³¹, and DASH wants them below 2³².
 */
const namesAt = (nowMs: number) => {
  const number = Math.floor(nowMs / 1_000)
  return { firstNumber: number, stretchCount: number }
}

/** A broadcast that nobody has seen anything of. */
export const beginAt = (nowMs: number): PackagerResume => ({
  ...namesAt(nowMs),
  discontinuitySequence: null,
  timelineSeconds: timelineStartSeconds,
})

/** Where nothing of a broadcast was kept: so far on that no number can have been used. */
export const resumeAfter = (onlineAtMs: number, nowMs: number): PackagerResume => {
  const seconds = Math.ceil(Math.max(0, nowMs - onlineAtMs) / 1_000) + lostSegments
  const { firstNumber, stretchCount } = namesAt(Math.max(onlineAtMs, nowMs))
  return {
    firstNumber: firstNumber + lostSegments,
    discontinuitySequence: seconds,
    stretchCount: stretchCount + lostStretches,
    timelineSeconds: timelineStartSeconds + seconds,
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

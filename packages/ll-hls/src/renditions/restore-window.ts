import type { LiveSegment, PeriodOrigin } from '../media/live-media.ts'
import type { RenditionStart } from './rendition.ts'
import type { TrackPeriod } from './segment-store.ts'
import type { StreamTargets } from '../media/stream-measure.ts'

/**
 * Start of every media timeline. The time before it is for samples that are decoded before they are
 * presented.
 */
export const timelineStartSeconds = 1

/**
 * State from which a broadcast starts after a previous one or continues in another process. Numbers never
 * decrease, and a URI never changes its meaning.
 */
export interface PackagerResume {
  /** Epoch of the current owner. Segments of earlier owners keep their names. */
  readonly epoch: number
  readonly firstNumber: number
  /**
   * Number of discontinuities so far. Null when nothing has been published, so that the start is not a
   * discontinuity.
   */
  readonly discontinuitySequence: number | null
  /** Number of periods, which also numbers the init segments. */
  readonly periodCount: number
  readonly timelineSeconds: number
  /** These fields are undefined when nothing was stored. */
  readonly targets?: StreamTargets
  readonly availableFromMs?: number
  readonly origins?: readonly PeriodOrigin[]
  readonly renditions?: readonly (RenditionStart & { readonly track: string })[]
}

export interface StoredWindow {
  readonly periods: readonly TrackPeriod[]
  /** Segments without bytes become gaps of the same duration. */
  readonly segments: readonly StoredSegment[]
}
export interface StoredSegment {
  readonly track: string
  readonly segment: LiveSegment
  readonly hasBytes: boolean
}

/**
 * Viewers may know parts of the segment that was in progress, and one more segment may not have reached the
 * store.
 */
const lostSegments = 2
/** A period that has just begun may not have reached the store. */
const lostPeriods = 1
/** A store that lags further behind is useless: the window would consist mostly of gaps. */
const longestLagMs = 30_000

/** Shortest duration of segments and periods. A gap whose duration is unknown is as long, so that skipped numbers take real time. */
const shortestSeconds = 1

/**
 * Restores the window from a store. Missing numbers become gaps of a length that depends only on what is stored, so
 * that every restore yields the same result.
 *
 * Returns null when nothing is stored, or when the store failed long before `leftAtMs`. That is when the
 * other process or its publisher was last active. Until `lostUntilMs`, it may have published what the store does not
 * show: those numbers are skipped.
 */
export const restoreWindow = (
  { periods, segments }: StoredWindow,
  epoch: number,
  leftAtMs: number | null = null,
  lostUntilMs: number | null = null,
): PackagerResume | null => {
  const [newest] = periods.toSorted((a, b) => b.origin.version - a.origin.version)
  if (newest === undefined) return null
  const endMs = segments.reduce(
    (latestMs, { segment }) => Math.max(latestMs, segment.startedAtMs + segment.durationSeconds * 1_000),
    newest.origin.startedAtMs,
  )
  // While a segment is in progress, the newest stored segment is the one before it.
  const openMs = newest.targets.targetDurationSeconds * 1_000
  const lagMs = (leftAtMs ?? endMs) - endMs - openMs
  if (lagMs > longestLagMs) return null
  const unknownMs = Math.max(lagMs, (lostUntilMs ?? endMs) - endMs - openMs)
  const unknown = Math.max(0, Math.ceil(unknownMs / 1_000 / shortestSeconds))
  const lost = lostSegments + unknown
  const numbers = segments.map(({ segment }) => segment.number)
  const firstNumber = Math.max(newest.firstNumber - 1, ...latest(numbers)) + 1 + lost
  const breaks = segments.map(({ segment }) => segment.discontinuitySequence)
  const discontinuitySequence = Math.max(0, ...latest(breaks))
  const ofAnyTrack = new Map(segments.map(({ segment }) => [segment.number, segment]))
  const breakAt = new Map<number, Break>([
    ...lostBreaks([...ofAnyTrack.values()]),
    ...segments.flatMap(({ segment }) =>
      segment.isDiscontinuity ? [[segment.number, segment] as const] : [],
    ),
  ])
  const renditions = [...new Set(segments.map(({ track }) => track))].flatMap((track) => {
    const ofTrack = segments.filter((item) => item.track === track)
    const formats = new Map(
      periods.flatMap(({ origin: { version, epoch: ofPeriod }, ...period }) =>
        period.track === track
          ? [[version, { version, epoch: ofPeriod, format: period.format }] as const]
          : [],
      ),
    )
    const filled = fill(ofTrack, firstNumber, (previous) => {
      const gap = gapAfter(previous, ofAnyTrack.get(previous.number + 1))
      // A discontinuity of the other tracks applies to this track too.
      const broken = breakAt.get(gap.number)
      if (broken === undefined) return gap
      const { discontinuitySequence: sequence } = broken
      const initVersion = formats.has(broken.initVersion) ? broken.initVersion : gap.initVersion
      return { ...gap, isDiscontinuity: true, discontinuitySequence: sequence, initVersion }
    })
    const whole = filled.slice(filled.findLastIndex(({ initVersion }) => !formats.has(initVersion)) + 1)
    const last = whole.at(-1)
    if (last === undefined) return []
    const { initVersion } = last
    const inits = [...formats.values()]
      .filter(({ version }) => version >= whole[0]!.initVersion && version <= initVersion)
      .toSorted((a, b) => a.version - b.version)
    const currentSegment = {
      number: firstNumber,
      epoch,
      isDiscontinuity: false,
      discontinuitySequence,
      initVersion,
    }
    return [{ track, segments: whole, inits, currentSegment }]
  })
  const ends = renditions.map(({ segments: whole }) => endOf(whole.at(-1)!))
  const origins = new Map(periods.map(({ origin }) => [origin.version, origin]))
  return {
    epoch,
    firstNumber,
    discontinuitySequence,
    periodCount: newest.origin.version + lostPeriods + unknown,
    timelineSeconds: Math.max(newest.origin.timelineSeconds, ...ends),
    targets: newest.targets,
    availableFromMs: newest.availableFromMs,
    origins: [...origins.values()].toSorted((a, b) => a.version - b.version),
    renditions,
  }
}

/**
 * Derives the numbers of a new broadcast from its start time in seconds. Segments and periods last at least a
 * second, so no earlier broadcast can have reached them. They are below 2³¹, which players support, and below
 * the DASH limit of 2³².
 */
const namesAt = (nowMs: number) => {
  const number = Math.floor(nowMs / 1_000)
  return { firstNumber: number, periodCount: number }
}

/** Returns the state of a broadcast that has published nothing. */
export const beginAt = (nowMs: number, epoch: number): PackagerResume => ({
  epoch,
  ...namesAt(nowMs),
  discontinuitySequence: null,
  timelineSeconds: timelineStartSeconds,
})

/** Returns numbers that a broadcast without stored state cannot have used yet. */
export const resumeAfter = (onlineAtMs: number, nowMs: number, epoch: number): PackagerResume => {
  const seconds = Math.ceil(Math.max(0, nowMs - onlineAtMs) / 1_000) + lostSegments
  const { firstNumber, periodCount } = namesAt(Math.max(onlineAtMs, nowMs))
  return {
    epoch,
    firstNumber: firstNumber + lostSegments,
    discontinuitySequence: seconds,
    periodCount: periodCount + lostPeriods,
    timelineSeconds: timelineStartSeconds + seconds,
  }
}

const latest = (numbers: readonly number[]): number[] =>
  numbers.length === 0 ? [] : [numbers.reduce((a, b) => Math.max(a, b))]

type Break = Pick<LiveSegment, 'discontinuitySequence' | 'initVersion'>

/**
 * Returns the discontinuities whose segments were not stored, by number. Each period lasts at least one segment, so the
 * lost beginnings are the numbers before the next stored segment.
 */
const lostBreaks = (stored: readonly LiveSegment[]): (readonly [number, Break])[] => {
  const sorted = stored.toSorted((a, b) => a.number - b.number)
  return sorted.flatMap((next, index) => {
    const before = sorted[index - 1]
    if (before === undefined) return []
    const newest = next.discontinuitySequence - (next.isDiscontinuity ? 1 : 0)
    const count = Math.min(newest - before.discontinuitySequence, next.number - before.number - 1)
    return Array.from({ length: Math.max(0, count) }, (_, back) => [
      next.number - 1 - back,
      {
        discontinuitySequence: newest - back,
        initVersion: (back === 0 && !next.isDiscontinuity ? next : before).initVersion,
      },
    ])
  })
}

const endOf = ({ startSeconds, durationSeconds }: LiveSegment): number => startSeconds + durationSeconds

/** Without any bytes, only the newest segments are listed, as gaps: players keep the playlist that they have. */
const longestGapSeconds = 30

/** Returns the segments from the first one with bytes up to `end`, exclusive. */
const fill = (
  stored: readonly StoredSegment[],
  end: number,
  gapFor: (previous: LiveSegment) => LiveSegment,
): LiveSegment[] => {
  const byNumber = new Map(
    stored.map(({ segment, hasBytes }) => [segment.number, hasBytes ? segment : toGap(segment)] as const),
  )
  const withBytes = stored.filter(({ segment, hasBytes }) => hasBytes && !segment.isGap)
  const fromSeconds = Math.max(...latest(stored.map(({ segment }) => endOf(segment)))) - longestGapSeconds
  const first = (
    withBytes.length > 0 ? withBytes : stored.filter(({ segment }) => segment.startSeconds >= fromSeconds)
  ).reduce((least, { segment }) => Math.min(least, segment.number), end)
  const whole: LiveSegment[] = []
  for (let number = first; number < end; number++) whole.push(byNumber.get(number) ?? gapFor(whole.at(-1)!))
  return whole
}

const toGap = (segment: LiveSegment): LiveSegment => ({ ...segment, isGap: true, parts: [], sizeBytes: 0 })

/** `other` is the segment of another track with the number of the gap. */
const gapAfter = (
  before: LiveSegment,
  { epoch, durationSeconds }: Pick<LiveSegment, 'epoch' | 'durationSeconds'> = {
    epoch: before.epoch,
    durationSeconds: shortestSeconds,
  },
): LiveSegment => ({
  number: before.number + 1,
  epoch,
  isDiscontinuity: false,
  discontinuitySequence: before.discontinuitySequence,
  initVersion: before.initVersion,
  startTicks: before.startTicks + before.durationTicks,
  startSeconds: endOf(before),
  durationTicks: Math.round((before.durationTicks / before.durationSeconds) * durationSeconds),
  durationSeconds,
  startedAtMs: before.startedAtMs + before.durationSeconds * 1_000,
  isIndependent: false,
  isGap: true,
  parts: [],
  sizeBytes: 0,
})

import { ManifestError } from './manifest-error.ts'
import type { Representation, TimelineSegment } from './manifest.ts'
import { element } from './xml.ts'
import type { XmlElement } from './xml.ts'

interface Run {
  /** Set when the run does not start at the end of the previous one. */
  startTicks: number | undefined
  durationTicks: number
  count: number
}

/**
 * ISO/IEC 23009-1 5.3.9.6: `@t` is written only when it cannot be derived. `@r` is the number of repeats
 * after the first segment.
 */
export function segmentTimeline(representation: Representation): XmlElement {
  const runs = timelineRuns(representation)
  return element(
    'SegmentTimeline',
    {},
    runs.map(({ startTicks, durationTicks, count }) =>
      element('S', { t: startTicks, d: durationTicks, r: count > 1 ? count - 1 : undefined }),
    ),
  )
}

function timelineRuns({ id, segments }: Representation): Run[] {
  if (segments.length === 0) throw new ManifestError(`Representation ${id} has no segments.`)
  const runs: Run[] = []
  let endTicks: number | undefined
  for (const { startTicks, durationTicks } of segments) {
    if (!Number.isSafeInteger(startTicks) || startTicks < 0)
      throw new ManifestError(
        `Representation ${id}: startTicks must be a whole number from 0, not ${startTicks}.`,
      )
    if (!Number.isSafeInteger(durationTicks) || durationTicks <= 0)
      throw new ManifestError(
        `Representation ${id}: durationTicks must be a whole number from 1, not ${durationTicks}.`,
      )
    if (endTicks !== undefined && startTicks < endTicks)
      throw new ManifestError(
        `Representation ${id}: the segment at ${startTicks} ticks overlaps the previous one.`,
      )

    const last = runs.at(-1)
    const isContiguous = startTicks === endTicks
    if (last && isContiguous && last.durationTicks === durationTicks) last.count += 1
    else runs.push({ startTicks: isContiguous ? undefined : startTicks, durationTicks, count: 1 })
    endTicks = startTicks + durationTicks
  }
  return runs
}

/**
 * Returns true when all timelines start and cut at the same instants, so that players can switch at any
 * segment.
 */
export function areAligned(representations: readonly Representation[]): boolean {
  const [first, ...others] = representations
  return first === undefined || others.every((other) => isAlignedWith(first, other))
}

function isAlignedWith(a: Representation, b: Representation): boolean {
  // Ticks multiplied by the other timescale can exceed the safe integers of a double.
  const isSameInstant = (ticksOfA: number, ticksOfB: number) =>
    BigInt(ticksOfA) * BigInt(b.timescale) === BigInt(ticksOfB) * BigInt(a.timescale)
  const isSameSegment = (ofA: TimelineSegment, ofB: TimelineSegment | undefined) =>
    ofB !== undefined &&
    isSameInstant(ofA.startTicks, ofB.startTicks) &&
    isSameInstant(ofA.durationTicks, ofB.durationTicks)
  return (
    a.segments.length === b.segments.length &&
    a.segments.every((segment, index) => isSameSegment(segment, b.segments[index]))
  )
}

export function longestSegmentSeconds({ segments, timescale }: Representation): number {
  return segments.reduce((longest, { durationTicks }) => Math.max(longest, durationTicks / timescale), 0)
}

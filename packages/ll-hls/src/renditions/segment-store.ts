import type { LiveSegment, PeriodOrigin } from '../media/live-media.ts'
import type { StreamTargets } from '../media/stream-measure.ts'
import type { TrackFormat } from '../media/track-format.ts'

/** Properties that the segments of one track in one period share. */
export interface TrackPeriod {
  readonly track: string
  readonly format: TrackFormat
  readonly origin: PeriodOrigin
  /** Next segment number when the period began. */
  readonly firstNumber: number
  readonly targets: StreamTargets
  /** Start of the first period. */
  readonly availableFromMs: number
}

/**
 * Stores packaged segments, so that old ones can leave memory and another process can continue. Methods
 * return immediately and never throw. Segments that cannot be stored stay in memory up to the byte limit.
 */
export interface SegmentStore {
  readonly addPeriod: (period: TrackPeriod) => void
  readonly addSegment: (track: string, segment: LiveSegment) => void
  readonly has: (track: string, number: number) => boolean
  /** Rejects when the segment has been deleted in the meantime. */
  readonly read: (track: string, number: number) => Promise<Buffer>
  /** Earlier segments have been dropped for lack of space; 0 when none. */
  readonly firstNumber: () => number
  /** Earlier segments are no longer in the window. */
  readonly dropBefore: (firstNumber: number) => void
}

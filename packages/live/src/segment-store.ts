import type { LiveSegment, StretchOrigin } from './live-media.ts'
import type { StreamTargets } from './stream-measure.ts'
import type { TrackFormat } from './track-format.ts'

/** What the segments of one stretch of a track share. */
export interface TrackStretch {
  /** The name of its rendition. */
  readonly track: string
  readonly format: TrackFormat
  readonly origin: StretchOrigin
  /** The segment that was to be made next when it began. */
  readonly firstNumber: number
  readonly targets: StreamTargets
  /** When the first stretch of all began. */
  readonly availableFromMs: number
}

/**
 * Takes what is made, so that the bytes of old segments need not lie in memory, and so that another process can go on. Its functions return at
 * once and never throw. What it fails to keep stays in memory, as far as the limit of bytes allows.
 */
export interface SegmentStore {
  readonly addStretch: (stretch: TrackStretch) => void
  readonly addSegment: (track: string, segment: LiveSegment) => void
  /** Whether it can be read. */
  readonly has: (track: string, number: number) => boolean
  /** Rejects where it has gone meanwhile. */
  readonly read: (track: string, number: number) => Promise<Buffer>
  /** Segments below have been dropped for lack of room; 0 before that. */
  readonly firstNumber: () => number
  /** Segments below are out of the window. */
  readonly forget: (firstNumber: number) => void
}

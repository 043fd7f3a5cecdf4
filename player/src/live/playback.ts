import type { Addresses } from '../engine/addresses.ts'
import type { Choices } from '../engine/choices.ts'

/** Distances behind the live position, and their effect on a viewer who follows the stream. */
export interface LiveLimits {
  readonly liveWithinSeconds: number
  readonly jumpAfterSeconds: number
  /** 1 where the browser itself keeps up with the live edge. */
  readonly fastestRate: number
}

export interface Playback {
  /** Current position of the live edge. Null until it is known. */
  readonly livePosition: () => number | null
  readonly limits: LiveLimits
  /** Time, by the clock of the live node, at which the shown frame was ingested. */
  readonly shownAtMs: () => number | null
  /**
   * Resumes after a failure, once the server is reachable and live. `isStuck`: playback does not move,
   * whatever state the engine reports.
   */
  readonly resume: (isStuck: boolean) => void
  readonly stop: () => void
  /** Null where the browser selects the quality itself. */
  readonly choices: Choices | null
}

export interface PlaybackOptions {
  readonly video: HTMLVideoElement
  readonly addresses: Addresses
  readonly isLowLatency: boolean
  /** Playback has stopped until `resume` is called. */
  readonly onLost: () => void
  /** The browser lacks the codecs of all current renditions. */
  readonly onUnplayable: () => void
  readonly onQuality: () => void
}

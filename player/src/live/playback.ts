import type { Addresses } from '../engine/addresses.ts'
import type { Choices } from '../engine/choices.ts'

/** Distances behind the live position, and what happens there to a viewer who follows the stream. */
export interface LiveLimits {
  readonly liveWithinSeconds: number
  readonly jumpAfterSeconds: number
  /** 1 where the browser keeps up by itself. */
  readonly fastestRate: number
}

/** A broadcast that is played, whatever plays it. */
export interface Playback {
  /** Where one is who watches live; null until that is known. */
  readonly livePosition: () => number | null
  readonly limits: LiveLimits
  /** The instant, by the live node's clock, at which what is shown now came in. */
  readonly shownAtMs: () => number | null
  /** The server can be reached, and is live: what was given up is taken up again. `isStuck`: nothing moves, whatever the engine thinks. */
  readonly goOn: (isStuck: boolean) => void
  readonly stop: () => void
  /** Null where the browser chooses by itself. */
  readonly choices: Choices | null
}

export interface PlaybackOptions {
  readonly video: HTMLVideoElement
  readonly addresses: Addresses
  readonly isLowLatency: boolean
  /** The playback has given up until it is told to go on. */
  readonly onLost: () => void
  /** All that is offered now is in codecs that this browser lacks. */
  readonly onUnplayable: () => void
  readonly onQuality: () => void
}

import type { TrackKind } from './track-format.ts'

/** A larger timestamp step is a discontinuity. */
const longestPauseMs = 10_000
const longestStepBackMs = 1_000

/** The timestamps of a publisher. RTMP clocks never run backwards, but other clocks may. */
export class PublisherClock {
  #lastMs: Partial<Record<TrackKind, number>> = {}

  get latestMs(): number {
    return Math.max(this.#lastMs.video ?? -Infinity, this.#lastMs.audio ?? -Infinity)
  }

  clear(): void {
    this.#lastMs = {}
  }

  hasJumped(kind: TrackKind, timestampMs: number): boolean {
    const stepMs = timestampMs - (this.#lastMs[kind] ?? timestampMs)
    return stepMs > longestPauseMs || stepMs < -longestStepBackMs
  }

  /** Whether this first frame of its track has a clock far from that of the other track. */
  isFarFromOther(kind: TrackKind, timestampMs: number): boolean {
    const otherMs = this.#lastMs[kind === 'video' ? 'audio' : 'video']
    return (
      this.#lastMs[kind] === undefined &&
      otherMs !== undefined &&
      Math.abs(timestampMs - otherMs) > longestPauseMs
    )
  }

  advance(kind: TrackKind, timestampMs: number): void {
    this.#lastMs[kind] = timestampMs
  }
}

/** A larger deviation from the expected timestamp is not jitter: audio is missing or duplicated. */
const jitterSeconds = 0.04
/**
 * Mean deviation at which the grid is shifted. Timestamps truncated to milliseconds are early by half a
 * millisecond on average.
 */
const driftSeconds = 0.000_3
const weight = 1 / 32

/**
 * Places audio frames back to back on the sample grid, although their timestamps are rounded to milliseconds.
 * When the encoder's clock and its audio run at different rates, the grid follows in inaudible steps.
 */
export class AudioClock {
  readonly #timescale: number
  #nextTicks: number | null = null
  #meanTicks = 0

  constructor(timescale: number) {
    this.#timescale = timescale
  }

  /** Returns the start of a frame, or null when the frame overlaps earlier ones and must be dropped. */
  place(stampTicks: number, durationTicks: number): number | null {
    const startTicks = this.#start(stampTicks)
    if (startTicks !== null) this.#nextTicks = startTicks + durationTicks
    return startTicks
  }

  #start(stampTicks: number): number | null {
    if (this.#nextTicks === null) return Math.round(stampTicks)
    const distance = stampTicks - this.#nextTicks
    const jitterTicks = jitterSeconds * this.#timescale
    if (distance < -jitterTicks) return null
    if (distance > jitterTicks) {
      this.#meanTicks = 0
      return Math.round(stampTicks)
    }
    this.#meanTicks += (distance - this.#meanTicks) * weight
    if (Math.abs(this.#meanTicks) < driftSeconds * this.#timescale) return this.#nextTicks
    const step = Math.round(this.#meanTicks)
    this.#meanTicks = 0
    return this.#nextTicks + step
  }
}

/** A stamp so far from what is expected is no jitter: sound is missing, or there is too much of it. */
const jitterSeconds = 0.04
/** The mean distance at which the grid is moved. Stamps cut to whole milliseconds are half of one early on average. */
const driftSeconds = 0.000_3
/** Of each stamp's distance, what goes into the mean. */
const weight = 1 / 32

/**
 * Puts frames of sound side by side on the grid of their samples, though their stamps are rounded to milliseconds; where an encoder's
 * clock runs at another rate than its sound, the grid follows in steps that nobody hears.
 */
export class AudioClock {
  readonly #timescale: number
  #nextTicks: number | null = null
  #meanTicks = 0

  constructor(timescale: number) {
    this.#timescale = timescale
  }

  /** Where a frame begins; null where it would lie on others and is to be left out. */
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

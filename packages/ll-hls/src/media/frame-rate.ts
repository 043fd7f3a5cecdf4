const usualRates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 120]
/** Smaller than the relative difference between 29.97 and 30. */
const tolerance = 0.000_6

/**
 * Measures pictures per second. Snaps to a common rate, because timestamps in whole milliseconds distort the
 * result.
 */
export class FrameRateMeter {
  #firstMs: number | undefined
  #lastMs = 0
  #count = 0

  add(decodeMs: number): void {
    this.#firstMs ??= decodeMs
    this.#lastMs = decodeMs
    this.#count++
  }

  get framesPerSecond(): number {
    const seconds = (this.#lastMs - (this.#firstMs ?? 0)) / 1_000
    if (!(seconds > 0)) return 0
    const measured = (this.#count - 1) / seconds
    const nearest = usualRates.toSorted((a, b) => Math.abs(a - measured) - Math.abs(b - measured))[0]!
    return Math.abs(nearest / measured - 1) < tolerance ? nearest : measured
  }
}

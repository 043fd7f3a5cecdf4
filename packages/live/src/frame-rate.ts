const usualRates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 120]
/** 29.97 and 30 are this far apart. */
const tolerance = 0.000_6

/** Counts pictures per second; stamps in whole milliseconds make usual rates of what is nearly one. */
export class FrameRateMeter {
  #firstMs: number | undefined
  #lastMs = 0
  #count = 0

  add(decodeMs: number): void {
    this.#firstMs ??= decodeMs
    this.#lastMs = decodeMs
    this.#count++
  }

  /** 0 until there are two pictures. */
  get framesPerSecond(): number {
    const seconds = (this.#lastMs - (this.#firstMs ?? 0)) / 1_000
    if (!(seconds > 0)) return 0
    const measured = (this.#count - 1) / seconds
    const nearest = usualRates.toSorted((a, b) => Math.abs(a - measured) - Math.abs(b - measured))[0]!
    return Math.abs(nearest / measured - 1) < tolerance ? nearest : measured
  }
}

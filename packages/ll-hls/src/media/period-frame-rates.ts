import { FrameRateMeter } from './frame-rate.ts'

/**
 * Frame rate of each period, measured at its first complete segment, so that a manifest never changes a
 * period.
 */
export class PeriodFrameRates {
  readonly #rates = new Map<number, number>()
  #meter = new FrameRateMeter()

  /** Frame rate of the current period; 0 without video. */
  get current(): number {
    return this.#meter.framesPerSecond
  }
  get all(): ReadonlyMap<number, number> {
    return this.#rates
  }

  add(decodeMs: number): void {
    this.#meter.add(decodeMs)
  }

  restart(): void {
    this.#meter = new FrameRateMeter()
  }

  record(version: number): void {
    if (this.current > 0 && !this.#rates.has(version)) this.#rates.set(version, this.current)
  }

  keep(isNeeded: (version: number) => boolean): void {
    for (const version of this.#rates.keys()) if (!isNeeded(version)) this.#rates.delete(version)
  }
}

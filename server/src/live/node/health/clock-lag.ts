import { longestPauseMs } from './frame-steps.ts'

/**
 * Measures how far the timestamps lag behind the wall clock since the start of the publisher. An initial
 * burst does not count as an advance.
 */
export class ClockLag {
  #start: { readonly stampMs: number; readonly atMs: number } | null = null
  #lagMs = 0

  begin(): void {
    this.#start = null
    this.#lagMs = 0
  }

  /** The next timestamp is from another clock. */
  restartClock(): void {
    this.#start = null
  }

  get lagMs(): number {
    return this.#lagMs
  }

  compare(stampMs: number, nowMs: number, publishedMs: number): void {
    this.#start ??= { stampMs, atMs: nowMs }
    const lagMs = nowMs - this.#start.atMs - (stampMs - this.#start.stampMs)
    if (lagMs < 0 && publishedMs < longestPauseMs) this.#start = { stampMs, atMs: nowMs }
    else this.#lagMs += (lagMs - this.#lagMs) * 0.05
  }
}

import type { StartTimer } from './settings.ts'

/** A single timer that runs a callback when an expected event does not occur in time. */
export class Deadline {
  readonly #startTimer: StartTimer
  #stop: (() => void) | null = null

  constructor(startTimer: StartTimer) {
    this.#startTimer = startTimer
  }

  set(afterMs: number, run: () => void): void {
    this.#stop?.()
    this.#stop = this.#startTimer(afterMs, run)
  }

  clear(): void {
    this.#stop?.()
    this.#stop = null
  }
}

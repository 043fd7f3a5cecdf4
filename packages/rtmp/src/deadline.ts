import type { StartTimer } from './settings.ts'

/** The one thing that a connection waits for, and what happens when it does not come. */
export class Deadline {
  readonly #startTimer: StartTimer
  #stop: (() => void) | null = null

  constructor(startTimer: StartTimer) {
    this.#startTimer = startTimer
  }

  /** Takes the place of the deadline before. */
  set(afterMs: number, run: () => void): void {
    this.#stop?.()
    this.#stop = this.#startTimer(afterMs, run)
  }

  clear(): void {
    this.#stop?.()
    this.#stop = null
  }
}

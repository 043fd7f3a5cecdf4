import type { Frame } from './write-fragment.ts'

export interface WaitingFrame {
  readonly frame: Frame
  readonly durationTicks: number
}

export class WaitingAudio {
  readonly #frames: WaitingFrame[] = []
  #sizeBytes = 0

  get sizeBytes(): number {
    return this.#sizeBytes
  }
  get isEmpty(): boolean {
    return this.#frames.length === 0
  }
  get latestTicks(): number {
    return this.#frames.at(-1)?.frame.startTicks ?? 0
  }

  add(waiting: WaitingFrame): void {
    this.#frames.push(waiting)
    this.#sizeBytes += waiting.frame.data.length
  }

  /** Takes the first frame if it begins before this time. */
  takeBefore(seconds: number, timescale: number): WaitingFrame | null {
    const first = this.#frames[0]
    if (first === undefined || first.frame.startTicks / timescale >= seconds) return null
    this.#frames.shift()
    this.#sizeBytes -= first.frame.data.length
    return first
  }
}

export const longestPauseMs = 10_000
/** Key frames before and after such a pause belong to different runs and give no interval. */
const pauseMs = 1_500

export class FrameSteps {
  #lastFrameMs: number | null = null
  #frameMs = 0
  #lastKeyMs: number | null = null
  #keyIntervalsMs: number[] = []
  #droppedFrames = 0

  begin(): void {
    this.#lastFrameMs = null
    this.#lastKeyMs = null
    this.#keyIntervalsMs = []
  }

  /** The next frame has another clock. */
  restartClock(): void {
    this.#lastFrameMs = null
  }

  get lastFrameMs(): number | null {
    return this.#lastFrameMs
  }
  get droppedFrames(): number {
    return this.#droppedFrames
  }
  get keyFrameIntervalMs(): number | null {
    return this.#keyIntervalsMs.length === 0 ? null : Math.max(...this.#keyIntervalsMs)
  }
  get sinceKeyFrameMs(): number | null {
    return this.#lastKeyMs === null || this.#lastFrameMs === null ? null : this.#lastFrameMs - this.#lastKeyMs
  }

  addFrame(stampMs: number): void {
    const stepMs = this.#lastFrameMs === null ? 0 : stampMs - this.#lastFrameMs
    this.#lastFrameMs = stampMs
    if (stepMs > pauseMs) this.#lastKeyMs = null
    if (stepMs <= 0) return
    if (this.#frameMs > 0 && stepMs > 2.5 * this.#frameMs && stepMs < longestPauseMs)
      this.#droppedFrames += Math.round(stepMs / this.#frameMs) - 1
    else this.#frameMs += (stepMs - this.#frameMs) * (this.#frameMs === 0 ? 1 : 0.05)
  }

  addKeyFrame(stampMs: number): void {
    if (this.#lastKeyMs !== null)
      this.#keyIntervalsMs = [...this.#keyIntervalsMs.slice(-4), stampMs - this.#lastKeyMs]
    this.#lastKeyMs = stampMs
  }
}

export interface FrameLagLimits {
  /**
   * A frame that stays inside longer means that the encoder is too slow; groups of pictures are then dropped.
   */
  readonly slowMs: number
  /** Largest lag at which the encoder gets the next group again. */
  readonly caughtUpMs: number
  /** Lag after which the encoder counts as stuck. */
  readonly stuckMs: number
  /** Limit of the bytes that wait for the encoder. */
  readonly waitingBytes: number
}

export const usualLag: FrameLagLimits = {
  slowMs: 2_000,
  caughtUpMs: 500,
  stuckMs: 10_000,
  waitingBytes: 16 * 2 ** 20,
}

/** Measures how long frames stay in an encoder, and decides which frames to drop. Times are of any clock. */
export class FrameLag {
  readonly #limits: FrameLagLimits
  #inside: { readonly shownMs: number; readonly fedAtMs: number }[] = []
  #isDropping = false

  constructor(limits: FrameLagLimits) {
    this.#limits = limits
  }

  /** Returns `drop` for the first frame that is left out, and `skip` for those after it. */
  judge(
    frame: { isKeyFrame: boolean },
    nowMs: number,
    waitingBytes: number,
  ): 'take' | 'drop' | 'skip' | 'stuck' {
    const lagMs = this.#lagMs(nowMs)
    if (lagMs > this.#limits.stuckMs) return 'stuck'
    if (this.#isDropping) {
      const hasCaughtUp = lagMs <= this.#limits.caughtUpMs && waitingBytes <= this.#limits.waitingBytes / 2
      if (!frame.isKeyFrame || !hasCaughtUp) return 'skip'
      this.#isDropping = false
      return 'take'
    }
    if (lagMs <= this.#limits.slowMs && waitingBytes <= this.#limits.waitingBytes) return 'take'
    this.#isDropping = true
    return 'drop'
  }

  feed(shownMs: number, nowMs: number): void {
    this.#inside.push({ shownMs, fedAtMs: nowMs })
  }

  /** Records that all frames up to here have been output, or never will be. */
  comeOut(shownMs: number): void {
    let count = 0
    while (count < this.#inside.length && this.#inside[count]!.shownMs <= shownMs + 0.5) count++
    this.#inside.splice(0, count)
  }

  #lagMs(nowMs: number): number {
    const [oldest] = this.#inside
    return oldest === undefined ? 0 : nowMs - oldest.fedAtMs
  }
}

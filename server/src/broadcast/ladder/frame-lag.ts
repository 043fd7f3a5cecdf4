export interface FrameLagLimits {
  /** A frame that has not come out after so long: the encoder is too slow, and groups of pictures are left out. */
  readonly slowMs: number
  /** So far it must have caught up before it gets the next group. */
  readonly caughtUpMs: number
  /** It does nothing any more. */
  readonly stuckMs: number
  /** What may wait for it, in bytes. */
  readonly waitingBytes: number
}

export const usualLag: FrameLagLimits = {
  slowMs: 2_000,
  caughtUpMs: 500,
  stuckMs: 10_000,
  waitingBytes: 16 * 2 ** 20,
}

/** Watches how long frames stay in an encoder, and says which of them it had better not get. Times are of any clock. */
export class FrameLag {
  readonly #limits: FrameLagLimits
  /** Frames that went in, in their order, and have not come out. */
  #inside: { readonly shownMs: number; readonly fedAtMs: number }[] = []
  #isDropping = false

  constructor(limits: FrameLagLimits) {
    this.#limits = limits
  }

  /** `drop` begins what is left out, `skip` goes on with it. */
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

  /** Everything up to here has come out, or never will. */
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

/** Audio and video come interleaved, each a little before or behind the other. */
const toleratedStepBackMs = 5_000
/** No frame follows another after so long: the idle time-out ends a stream long before. */
const longestGapMs = 600_000

type FrameKind = 'video' | 'audio'

/** Makes safe integers of the 32 bits of milliseconds that RTMP has, which turn over after 49.7 days. */
export class StreamClock {
  /** The last timestamp as it was sent, and what became of it. */
  #sent: number | null = null
  #nowMs = 0
  readonly #lastMs: Record<FrameKind, number> = { video: 0, audio: 0 }

  /** The time of what is no frame: that of the last one; before the first one, what is sent. */
  read(sent: number): number {
    return this.#sent === null ? sent : this.#latestMs
  }

  /**
   * The time of a frame, which never runs backwards within its kind. Where the publisher's clock was set back or far forward, time goes on
   * from the latest frame's, and `jumpedMs` says how far it leapt.
   */
  advance(kind: FrameKind, sent: number): { timestampMs: number; jumpedMs: number } {
    // The difference as a signed number of 32 bits: right on both sides of the turn.
    const stepMs = this.#sent === null ? sent : (sent - this.#sent) | 0
    const nextMs = this.#nowMs + stepMs
    const hasJumped =
      this.#sent !== null && (nextMs < this.#latestMs - toleratedStepBackMs || stepMs > longestGapMs)
    this.#nowMs = hasJumped ? this.#latestMs : nextMs
    this.#sent = sent
    this.#lastMs[kind] = Math.max(this.#lastMs[kind], this.#nowMs)
    return { timestampMs: this.#lastMs[kind], jumpedMs: hasJumped ? stepMs : 0 }
  }

  get #latestMs(): number {
    return Math.max(this.#lastMs.video, this.#lastMs.audio)
  }
}

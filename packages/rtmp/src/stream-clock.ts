/** Audio and video come interleaved, each a little before or behind the other. */
const toleratedStepBackMs = 1_000
/** No frame follows another after so long: the idle time-out ends a stream long before. */
const longestGapMs = 600_000

type FrameKind = 'video' | 'audio'

/** Makes safe integers that never run backwards of the 32 bits of milliseconds that RTMP has: they turn over after 49.7 days. */
export class StreamClock {
  /** The last timestamp as it was sent, and what became of it. */
  #sent: number | null = null
  #nowMs = 0
  readonly #lastMs: Record<FrameKind, number> = { video: 0, audio: 0 }

  /** How long after the beginning of the publisher's clock the last frame stands; before the first one, what is sent. */
  read(sent: number): number {
    return this.#sent === null ? sent : this.#nowMs
  }

  /**
   * The time of a frame. Where the publisher's clock was set anew (back, or far forward) its time goes on from the last frame's, and
   * `jumpedMs` says how far it leapt.
   */
  advance(kind: FrameKind, sent: number): { timestampMs: number; jumpedMs: number } {
    // The difference as a signed number of 32 bits: right on both sides of the turn.
    const stepMs = this.#sent === null ? 0 : (sent - this.#sent) | 0
    const jumped = stepMs < -toleratedStepBackMs || stepMs > longestGapMs
    this.#nowMs = this.#sent === null ? sent : this.#nowMs + (jumped ? 0 : stepMs)
    this.#sent = sent
    this.#lastMs[kind] = Math.max(this.#lastMs[kind], this.#nowMs)
    return { timestampMs: this.#lastMs[kind], jumpedMs: jumped ? stepMs : 0 }
  }
}

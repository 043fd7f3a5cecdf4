/** Interleaved audio and video may be slightly out of order. */
const toleratedStepBackMs = 5_000
/** Longer gaps cannot occur, because the idle timeout ends the stream earlier. */
const longestGapMs = 600_000

type FrameKind = 'video' | 'audio'

/** Extends RTMP's 32-bit millisecond timestamps, which wrap after 49.7 days, to safe integers. */
export class StreamClock {
  /** Last timestamp as sent, and its extended value. */
  #sent: number | null = null
  #nowMs = 0
  readonly #lastMs: Record<FrameKind, number> = { video: 0, audio: 0 }

  /**
   * Returns the time of a message that is not a frame: that of the last frame, or the sent time before the
   * first one.
   */
  read(sent: number): number {
    return this.#sent === null ? sent : this.#latestMs
  }

  /**
   * Returns the time of a frame, which never decreases within its kind. When the publisher's clock jumps back
   * or far forward, time continues from the latest frame, and `jumpedMs` is the size of the jump.
   */
  advance(kind: FrameKind, sent: number): { timestampMs: number; jumpedMs: number } {
    // Signed 32-bit difference, which is correct across a wraparound.
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

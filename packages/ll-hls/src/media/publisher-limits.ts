/**
 * Limit for media that waits for a part, a segment or the start: ten seconds of the heaviest real streams.
 */
const mostUnfinishedBytes = 128 * 2 ** 20
/** Encoders that lost their network send their backlog at once, and pulls start slightly in the past. */
const farthestAheadMs = 120_000
const breaksMs = 60_000
const mostBreaks = 20

/**
 * Limits the resources that a publisher can use. Segment numbers grow by at most one per second, so that they
 * never collide with those of the next broadcast.
 */
export class PublisherLimits {
  #breaksAtMs: number[] = []

  addBreak(nowMs: number): void {
    this.#breaksAtMs = [...this.#breaksAtMs.filter((atMs) => nowMs - atMs < breaksMs), nowMs]
  }

  clear(): void {
    this.#breaksAtMs = []
  }

  isFull(unfinishedBytes: number): boolean {
    return unfinishedBytes > mostUnfinishedBytes
  }

  /**
   * Returns why this publisher should be disconnected, or null. `aheadMs` is how far its timestamps have run
   * ahead of real time.
   */
  trouble({ unfinishedBytes, aheadMs }: { unfinishedBytes: number; aheadMs: number }): string | null {
    if (this.isFull(unfinishedBytes))
      return 'The time stamps of the encoder do not advance with what it sends.'
    if (this.#breaksAtMs.length > mostBreaks)
      return 'The time stamps or the settings of the encoder change again and again.'
    if (aheadMs > farthestAheadMs)
      return 'The encoder sends faster than time passes; a file must be sent at the speed that it is played at.'
    return null
  }
}

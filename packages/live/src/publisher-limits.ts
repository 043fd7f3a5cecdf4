/** What waits for a part, a segment or a start: ten seconds of the heaviest streams that there are. */
const mostUnfinishedBytes = 128 * 2 ** 20
/** Encoders that lost their network send what they kept at once, and pulls begin a little way back. */
const farthestAheadMs = 120_000
const breaksMs = 60_000
const mostBreaks = 20

/** Bounds on what a publisher costs. Segments are numbered by the second at most: no number may come again with the next broadcast. */
export class PublisherLimits {
  #breaksAtMs: number[] = []

  addBreak(nowMs: number): void {
    this.#breaksAtMs = [...this.#breaksAtMs.filter((atMs) => nowMs - atMs < breaksMs), nowMs]
  }

  /** Of another publisher nothing is known. */
  clear(): void {
    this.#breaksAtMs = []
  }

  isFull(unfinishedBytes: number): boolean {
    return unfinishedBytes > mostUnfinishedBytes
  }

  /** Why this publisher is to be sent away; null while all is well. `aheadMs` is how much faster than the clock its stamps have gone. */
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

interface Second {
  readonly atSecond: number
  videoBytes: number
  audioBytes: number
  frames: number
}

/** Window of the rates, and the longer window that shows a drop. */
const rateSeconds = 5
const longSeconds = 40

export class ArrivalRates {
  #seconds: Second[] = []
  #begunAtMs = 0

  begin(nowMs: number): void {
    this.#begunAtMs = nowMs
    this.#seconds = []
  }

  publishedMs(nowMs: number): number {
    return nowMs - this.#begunAtMs
  }

  addVideo(bytes: number, nowMs: number): void {
    const second = this.#second(nowMs)
    second.videoBytes += bytes
    second.frames++
  }

  addAudio(bytes: number, nowMs: number): void {
    this.#second(nowMs).audioBytes += bytes
  }

  figures(nowMs: number) {
    const recent = this.#last(rateSeconds, nowMs)
    const long = this.#last(longSeconds, nowMs)
    const measured = Math.min(rateSeconds, Math.floor(this.publishedMs(nowMs) / 1_000))
    const rate = (pick: (second: Second) => number): number =>
      measured === 0 ? 0 : recent.reduce((sum, second) => sum + pick(second), 0) / measured
    return {
      videoBitsPerSecond: Math.round(8 * rate(({ videoBytes }) => videoBytes)),
      audioBitsPerSecond: Math.round(8 * rate(({ audioBytes }) => audioBytes)),
      framesPerSecond: rate(({ frames }) => frames),
      // The median ignores an initial burst.
      usualFramesPerSecond: medianOf(long.map(({ frames }) => frames)),
      bitRateSwing: swingOf(long.map(({ videoBytes }) => videoBytes).filter((bytes) => bytes > 0)),
    }
  }

  #second(nowMs: number): Second {
    const atSecond = Math.floor(nowMs / 1_000)
    const last = this.#seconds.at(-1)
    if (last?.atSecond === atSecond) return last
    const next = { atSecond, videoBytes: 0, audioBytes: 0, frames: 0 }
    this.#seconds.push(next)
    if (this.#seconds.length > longSeconds + 1) this.#seconds.shift()
    return next
  }

  /** Returns complete seconds only, because the current one is not over. */
  #last(count: number, nowMs: number): Second[] {
    const present = Math.floor(nowMs / 1_000)
    return this.#seconds.filter(({ atSecond }) => atSecond >= present - count && atSecond < present)
  }
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

const swingGroup = 4

/**
 * Standard deviation of the bit rate over groups of four seconds, as a share of the mean; 0 with less than
 * five groups.
 */
const swingOf = (bytes: readonly number[]): number => {
  const groups: number[] = []
  for (let at = 0; at + swingGroup <= bytes.length; at += swingGroup)
    groups.push(bytes.slice(at, at + swingGroup).reduce((sum, value) => sum + value, 0))
  if (groups.length < 5) return 0
  const mean = groups.reduce((sum, value) => sum + value, 0) / groups.length
  if (mean === 0) return 0
  const variance = groups.reduce((sum, value) => sum + (value - mean) ** 2, 0) / groups.length
  return Math.sqrt(variance) / mean
}

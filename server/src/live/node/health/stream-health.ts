import type { TrackKind } from '@zoetrope/ll-hls'
import type { MediaMessage } from '@zoetrope/rtmp'
import { findFaults, healthFaults, type HealthFigures } from './health-rules.ts'
import type { LiveWarnings } from './live-warnings.ts'

interface Second {
  readonly atSecond: number
  videoBytes: number
  audioBytes: number
  frames: number
}

/** Window of the rates, and the longer window that shows a drop. */
const rateSeconds = 5
const longSeconds = 40
const longestPauseMs = 10_000
/** Key frames before and after such a pause belong to different runs and give no interval. */
const pauseMs = 1_500
/** Number of checks that a fault must last before it is raised, or be gone before it is cleared. */
const raisedAfterChecks = 3
const clearedAfterChecks = 10
/** Smoothing factor of the offset between audio and video. */
const driftWeight = 0.02
const driftBaselineFrames = 100

export interface HealthTotals {
  readonly receivedBytes: number
  readonly droppedFrames: number
}

/** Measures a stream as it arrives, at the cost of a few additions per frame. */
export class StreamHealth {
  #seconds: Second[] = []
  #begunAtMs = 0
  #lastFrameMs: number | null = null
  #frameMs = 0
  #lastKeyMs: number | null = null
  #keyIntervalsMs: number[] = []
  #droppedFrames = 0
  #receivedBytes = 0
  #lastVideoAtMs: number | null = null
  #lastAudioAtMs: number | null = null
  #lastAudioMs: number | null = null
  #shownAtMs = { video: 0, audio: 0 }
  #driftMs: number | null = null
  #driftFrames = 0
  #driftBaselineMs = 0
  #clockStart: { readonly stampMs: number; readonly atMs: number } | null = null
  #lagMs = 0
  readonly #checks = new Map<string, number>()

  /** Starts over for a new publisher, which has its own clock. */
  begin(nowMs: number): void {
    this.#begunAtMs = nowMs
    this.#seconds = []
    this.#lastFrameMs = null
    this.#lastKeyMs = null
    this.#keyIntervalsMs = []
    this.#lastVideoAtMs = null
    this.#lastAudioAtMs = null
    this.#lastAudioMs = null
    this.#shownAtMs = { video: nowMs, audio: nowMs }
    this.#driftMs = null
    this.#driftFrames = 0
    this.#clockStart = null
    this.#lagMs = 0
    this.#checks.clear()
  }

  /** Totals of all publishers of the broadcast. */
  get totals(): HealthTotals {
    return { receivedBytes: this.#receivedBytes, droppedFrames: this.#droppedFrames }
  }

  hear(message: MediaMessage, nowMs: number): void {
    if ('data' in message) this.#receivedBytes += message.data.length
    if (message.type === 'video-frame') {
      const second = this.#second(nowMs)
      second.videoBytes += message.data.length
      second.frames++
      this.#lastVideoAtMs = nowMs
      this.#hearFrame(message.timestampMs)
      if (message.isKeyFrame) this.#hearKey(message.timestampMs)
      this.#compareClocks(message.timestampMs, nowMs)
    } else if (message.type === 'audio-frame') {
      this.#second(nowMs).audioBytes += message.data.length
      this.#lastAudioAtMs = nowMs
      this.#lastAudioMs = message.timestampMs
      if (this.#lastFrameMs === null) this.#compareClocks(message.timestampMs, nowMs)
    } else if (message.type === 'warning' && message.code === 'clock_jumped') {
      this.#clockStart = null
      this.#lastFrameMs = null
    }
  }

  /** Records that media of the track was packaged for viewers. */
  seeShown(track: TrackKind, nowMs: number): void {
    this.#shownAtMs[track] = nowMs
  }

  figures(nowMs: number): HealthFigures {
    const recent = this.#last(rateSeconds, nowMs)
    const long = this.#last(longSeconds, nowMs)
    const rate = (seconds: readonly Second[], pick: (second: Second) => number, over: number): number => {
      const measured = Math.min(over, Math.floor((nowMs - this.#begunAtMs) / 1_000))
      return measured === 0 ? 0 : seconds.reduce((sum, second) => sum + pick(second), 0) / measured
    }
    return {
      publishedMs: nowMs - this.#begunAtMs,
      videoBitsPerSecond: Math.round(8 * rate(recent, ({ videoBytes }) => videoBytes, rateSeconds)),
      audioBitsPerSecond: Math.round(8 * rate(recent, ({ audioBytes }) => audioBytes, rateSeconds)),
      framesPerSecond: rate(recent, ({ frames }) => frames, rateSeconds),
      // The median ignores an initial burst.
      usualFramesPerSecond: medianOf(long.map(({ frames }) => frames)),
      bitRateSwing: swingOf(long.map(({ videoBytes }) => videoBytes).filter((bytes) => bytes > 0)),
      keyFrameIntervalMs: this.#keyIntervalsMs.length === 0 ? null : Math.max(...this.#keyIntervalsMs),
      sinceKeyFrameMs:
        this.#lastKeyMs === null || this.#lastFrameMs === null ? null : this.#lastFrameMs - this.#lastKeyMs,
      droppedFrames: this.#droppedFrames,
      driftMs: this.#driftMs === null ? null : this.#driftMs - this.#driftBaselineMs,
      lagMs: this.#lagMs,
      sinceVideoMs: this.#lastVideoAtMs === null ? null : nowMs - this.#lastVideoAtMs,
      sinceAudioMs: this.#lastAudioAtMs === null ? null : nowMs - this.#lastAudioAtMs,
      sinceVideoShownMs: nowMs - this.#shownAtMs.video,
      sinceAudioShownMs: nowMs - this.#shownAtMs.audio,
    }
  }

  /** Must be called about once a second. */
  check(nowMs: number, warnings: LiveWarnings): void {
    const found = findFaults(this.figures(nowMs))
    for (const code of Object.keys(healthFaults) as (keyof typeof healthFaults)[]) {
      // Positive: number of consecutive checks with the fault. Negative: number without it.
      const before = this.#checks.get(code) ?? 0
      const count = found.has(code) ? Math.max(before, 0) + 1 : Math.min(before, 0) - 1
      this.#checks.set(code, count)
      if (count === raisedAfterChecks) warnings.raise(code, healthFaults[code])
      if (count === -clearedAfterChecks) warnings.clear(code)
    }
  }

  /** Clears the warnings about a publisher that has left. */
  clear(warnings: LiveWarnings): void {
    for (const code of Object.keys(healthFaults)) warnings.clear(code)
  }

  #hearFrame(stampMs: number): void {
    const stepMs = this.#lastFrameMs === null ? 0 : stampMs - this.#lastFrameMs
    this.#lastFrameMs = stampMs
    if (stepMs > pauseMs) this.#lastKeyMs = null
    if (stepMs > 0) {
      if (this.#frameMs > 0 && stepMs > 2.5 * this.#frameMs && stepMs < longestPauseMs)
        this.#droppedFrames += Math.round(stepMs / this.#frameMs) - 1
      else this.#frameMs += (stepMs - this.#frameMs) * (this.#frameMs === 0 ? 1 : 0.05)
    }
    if (this.#lastAudioMs === null) return
    const offsetMs = this.#lastAudioMs - stampMs
    this.#driftMs =
      this.#driftMs === null ? offsetMs : this.#driftMs + (offsetMs - this.#driftMs) * driftWeight
    this.#driftFrames++
    if (this.#driftFrames === driftBaselineFrames) this.#driftBaselineMs = this.#driftMs
    // Until then, the baseline follows the offset.
    if (this.#driftFrames < driftBaselineFrames) this.#driftBaselineMs = this.#driftMs
  }

  #hearKey(stampMs: number): void {
    if (this.#lastKeyMs !== null)
      this.#keyIntervalsMs = [...this.#keyIntervalsMs.slice(-4), stampMs - this.#lastKeyMs]
    this.#lastKeyMs = stampMs
  }

  /**
   * Measures how far the timestamps lag behind the wall clock since the start of the publisher. An initial
   * burst does not count as an advance.
   */
  #compareClocks(stampMs: number, nowMs: number): void {
    this.#clockStart ??= { stampMs, atMs: nowMs }
    const lagMs = nowMs - this.#clockStart.atMs - (stampMs - this.#clockStart.stampMs)
    if (lagMs < 0 && nowMs - this.#begunAtMs < longestPauseMs) this.#clockStart = { stampMs, atMs: nowMs }
    else this.#lagMs += (lagMs - this.#lagMs) * 0.05
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

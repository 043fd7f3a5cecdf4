import type { TrackKind } from '@zoetrope/ll-hls'
import type { MediaMessage } from '@zoetrope/rtmp'
import { ArrivalRates } from './arrival-rates.ts'
import { AudioDrift } from './audio-drift.ts'
import { ClockLag } from './clock-lag.ts'
import { FrameSteps } from './frame-steps.ts'
import { findFaults, healthFaults, type HealthFigures } from './health-rules.ts'
import type { LiveWarnings } from './live-warnings.ts'

/** Number of checks that a fault must last before it is raised, or be gone before it is cleared. */
const raisedAfterChecks = 3
const clearedAfterChecks = 10

export interface HealthTotals {
  readonly receivedBytes: number
  readonly droppedFrames: number
}

/** Measures a stream as it arrives, at the cost of a few additions per frame. */
export class StreamHealth {
  readonly #rates = new ArrivalRates()
  readonly #frames = new FrameSteps()
  readonly #drift = new AudioDrift()
  readonly #clock = new ClockLag()
  #receivedBytes = 0
  #videoAtMs: number | null = null
  #audioAtMs: number | null = null
  #shownAtMs = { video: 0, audio: 0 }
  readonly #checks = new Map<string, number>()

  /** Starts over for a new publisher, which has its own clock. */
  begin(nowMs: number): void {
    this.#rates.begin(nowMs)
    this.#frames.begin()
    this.#drift.begin()
    this.#clock.begin()
    this.#videoAtMs = null
    this.#audioAtMs = null
    this.#shownAtMs = { video: nowMs, audio: nowMs }
    this.#checks.clear()
  }

  get totals(): HealthTotals {
    return { receivedBytes: this.#receivedBytes, droppedFrames: this.#frames.droppedFrames }
  }

  receive(message: MediaMessage, nowMs: number): void {
    if ('data' in message) this.#receivedBytes += message.data.length
    if (message.type === 'video-frame') {
      this.#rates.addVideo(message.data.length, nowMs)
      this.#videoAtMs = nowMs
      this.#frames.addFrame(message.timestampMs)
      this.#drift.addVideo(message.timestampMs)
      if (message.isKeyFrame) this.#frames.addKeyFrame(message.timestampMs)
      this.#compareClocks(message.timestampMs, nowMs)
    } else if (message.type === 'audio-frame') {
      this.#rates.addAudio(message.data.length, nowMs)
      this.#audioAtMs = nowMs
      this.#drift.addAudio(message.timestampMs)
      if (this.#frames.lastFrameMs === null) this.#compareClocks(message.timestampMs, nowMs)
    } else if (message.type === 'warning' && message.code === 'clock_jumped') {
      this.#clock.restartClock()
      this.#frames.restartClock()
    }
  }

  seeShown(track: TrackKind, nowMs: number): void {
    this.#shownAtMs[track] = nowMs
  }

  figures(nowMs: number): HealthFigures {
    return {
      ...this.#rates.figures(nowMs),
      publishedMs: this.#rates.publishedMs(nowMs),
      keyFrameIntervalMs: this.#frames.keyFrameIntervalMs,
      sinceKeyFrameMs: this.#frames.sinceKeyFrameMs,
      droppedFrames: this.#frames.droppedFrames,
      driftMs: this.#drift.driftMs,
      lagMs: this.#clock.lagMs,
      sinceVideoMs: this.#videoAtMs === null ? null : nowMs - this.#videoAtMs,
      sinceAudioMs: this.#audioAtMs === null ? null : nowMs - this.#audioAtMs,
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

  clear(warnings: LiveWarnings): void {
    for (const code of Object.keys(healthFaults)) warnings.clear(code)
  }

  #compareClocks(stampMs: number, nowMs: number): void {
    this.#clock.compare(stampMs, nowMs, this.#rates.publishedMs(nowMs))
  }
}

import { LadderRendition, type SourceSegment } from './ladder-rendition.ts'
import type { LiveSegment, SegmentHeader } from '../media/live-media.ts'
import type { WindowPlan } from './plan-window.ts'
import type { Rendition } from './rendition.ts'
import type { PackagerResume } from './restore-window.ts'
import type { SegmentStore } from './segment-store.ts'
import type { StreamTargets } from '../media/stream-measure.ts'
import { isLadderTrack, videoTimescale, type LadderTrack, type TrackFormat } from '../media/track-format.ts'

/** Maps the publisher's clock to the media timeline until the next discontinuity. */
export interface LadderPeriod {
  readonly version: number
  /** Publisher time at which the period begins. */
  readonly originMs: number
  readonly startTicks: number
}

/** Maximum extra presentation delay of a key frame compared to other pictures. */
const longestLeadSeconds = 0.5

export interface LadderRenditionsOptions {
  readonly store: SegmentStore | undefined
  readonly resume: PackagerResume | undefined
  /** Announces the init segment for a track's segments in this period. */
  readonly onInit: (track: LadderTrack, version: number, format: TrackFormat) => void
}

interface Rung {
  readonly rendition: LadderRendition
  isFed: boolean
}

const segmentsBehind = 2

export class LadderRenditions {
  readonly #options: LadderRenditionsOptions
  readonly #rungs = new Map<LadderTrack, Rung>()
  readonly #listeners = new Set<() => void>()
  #period: LadderPeriod | undefined
  #partTicks = 0
  #keyMs = -Infinity
  #atTicks = 0
  #open: SourceSegment | undefined

  constructor(options: LadderRenditionsOptions) {
    this.#options = options
    const { targets, renditions = [] } = options.resume ?? {}
    if (targets === undefined) return
    this.#partTicks = partTicksOf(targets)
    for (const { track } of renditions) if (isLadderTrack(track)) this.#add(track)
  }

  get period(): LadderPeriod | undefined {
    return this.#period
  }
  /** Renditions with at least one segment that is not a gap. */
  get renditions(): readonly Rendition[] {
    return [...this.#rungs.values()]
      .flatMap(({ rendition }) => rendition.rendition ?? [])
      .filter(({ segments }) => segments.some(({ isGap }) => !isGap))
  }
  get isThere(): boolean {
    return this.renditions.length > 0 || this.#rungs.values().some(({ isFed }) => isFed)
  }
  get keptBytes(): number {
    return this.#rungs.values().reduce((sum, { rendition }) => sum + rendition.keptBytes, 0)
  }

  find(track: string): Rendition | undefined {
    return this.#rungs.get(track as LadderTrack)?.rendition.rendition
  }

  /** Calls `run` when a rung gets a part or segment, or when the source starts a period. */
  onChange(run: () => void): () => void {
    this.#listeners.add(run)
    return () => void this.#listeners.delete(run)
  }

  /**
   * Marks a rung as being encoded, so that the encoder's delay is not treated as missing media. Requires a
   * period.
   */
  expect(track: LadderTrack): LadderRendition {
    const rung = this.#rungs.get(track) ?? this.#add(track)
    rung.isFed = true
    return rung.rendition
  }

  /**
   * Marks the encoder output of a period as complete. When the period is over, its last segments are closed.
   */
  finish(track: LadderTrack, version: number): void {
    this.#rungs.get(track)?.rendition.missUntil(-Infinity, version + 1)
  }

  rest(track: LadderTrack): void {
    const rung = this.#rungs.get(track)
    if (rung === undefined) return
    rung.isFed = false
    if (this.#period) rung.rendition.missUntil(this.#atTicks, this.#period.version)
  }

  beginPeriod(period: LadderPeriod, currentSegment: SegmentHeader, targets: StreamTargets): void {
    this.#period = period
    this.#partTicks = partTicksOf(targets)
    const { startTicks } = period
    this.#atTicks = startTicks
    this.#follow({ currentSegment, startTicks, endTicks: undefined, startedAtMs: 0 })
    this.#notify()
  }

  /** Called when a period ends, before the next one begins. */
  endPeriod(): void {
    this.#open = undefined
    for (const { rendition } of this.#rungs.values()) rendition.breakOff()
  }

  advanceTo(ticks: number): void {
    const { version } = this.#period!
    this.#atTicks = ticks
    for (const { rendition, isFed } of this.#rungs.values()) if (!isFed) rendition.missUntil(ticks, version)
  }

  /** Reports a key frame of the source. `shownMs` is on the publisher's clock. */
  meetKey(shownMs: number): void {
    this.#keyMs = shownMs
  }

  closeSegment(segment: LiveSegment, currentSegment: SegmentHeader): void {
    const { startTicks, durationTicks, startedAtMs } = segment
    const endTicks = this.#cutTicks(startTicks + durationTicks)
    this.#follow({ ...this.#open!, endTicks, startedAtMs })
    this.#follow({ currentSegment, startTicks: endTicks, endTicks: undefined, startedAtMs: 0 })
    this.advanceTo(endTicks)
  }

  /**
   * Applies the window of the source. Rungs lag slightly behind, and the parts of their newest segments are
   * still listed.
   */
  keep(plan: WindowPlan): void {
    const firstInMemory = plan.firstInMemory - segmentsBehind
    for (const { rendition } of this.#rungs.values()) rendition.keep({ ...plan, firstInMemory })
  }

  /** Called when neither the source nor its rungs produce more media. */
  end(): void {
    for (const { rendition } of this.#rungs.values()) rendition.missUntil(Infinity, Infinity)
  }

  /**
   * After an open group of pictures, the key frame is presented later than pictures decoded after it. Rungs
   * have their key frame at its presentation time.
   */
  #cutTicks(sourceTicks: number): number {
    const { originMs, startTicks } = this.#period!
    const keyTicks = startTicks + Math.round(((this.#keyMs - originMs) * videoTimescale) / 1_000)
    const isCutByKey = keyTicks > sourceTicks && keyTicks - sourceTicks < longestLeadSeconds * videoTimescale
    return isCutByKey ? keyTicks : sourceTicks
  }

  #follow(segment: SourceSegment): void {
    this.#open = segment
    for (const { rendition } of this.#rungs.values()) rendition.follow(segment)
  }

  #add(track: LadderTrack): Rung {
    const partTicks = this.#partTicks
    const { store, resume, onInit } = this.#options
    const rendition = new LadderRendition({
      track,
      partTicks,
      timescale: videoTimescale,
      store,
      start: resume?.renditions?.find((item) => item.track === track),
      onInit: (version, format) => onInit(track, version, format),
      onChange: () => this.#notify(),
    })
    if (this.#open) rendition.follow(this.#open)
    const rung = { rendition, isFed: false }
    this.#rungs.set(track, rung)
    return rung
  }

  #notify(): void {
    for (const run of this.#listeners) run()
  }
}

const partTicksOf = ({ partTargetSeconds }: StreamTargets): number =>
  Math.floor(partTargetSeconds * videoTimescale)

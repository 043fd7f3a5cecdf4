import type { AudioUnit, VideoUnit } from './live-media.ts'
import { chooseTargets, medianOf, type StreamTargets, type TargetOptions } from './stream-measure.ts'

export type TimedUnit =
  | { readonly kind: 'video'; readonly unit: VideoUnit; readonly arrivedAtMs: number }
  | { readonly kind: 'audio'; readonly unit: AudioUnit; readonly arrivedAtMs: number }

export interface PeriodStart {
  readonly originMs: number
  readonly compositionMs: number
  readonly startedAtMs: number
  readonly units: readonly TimedUnit[]
}

export interface MeasureOptions extends TargetOptions {
  /** How long to wait for the second key frame. */
  readonly measureSeconds: number
}

/** Video may still start until a publisher has sent only audio for this long. */
const soundAloneMs = 1_000
/** Ten seconds of audio, and more pictures than any encoder sends in that time. */
const mostUnits = 5_000

/**
 * Buffers frames until a period can begin: up to its first key frame, and for the first period until the
 * targets are known.
 */
export class StartBuffer {
  #units: TimedUnit[] = []
  #sizeBytes = 0

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  clear(): void {
    this.#units = []
    this.#sizeBytes = 0
  }

  add(unit: TimedUnit): void {
    const isVideoBeforeKey =
      unit.kind === 'video' && !unit.unit.isKeyFrame && !this.#units.some(({ kind }) => kind === 'video')
    if (isVideoBeforeKey) return
    this.#units.push(unit)
    this.#sizeBytes += unit.unit.data.length
    if (this.#units.length > mostUnits) this.#sizeBytes -= this.#units.shift()!.unit.data.length
  }

  start(hasVideo: boolean): PeriodStart | null {
    const first = this.#units.find(({ kind }) => kind === (hasVideo ? 'video' : 'audio'))
    if (first === undefined) return null
    if (first.kind === 'video') {
      const { decodeMs, compositionMs } = first.unit
      const shownAfterMs = Math.max(0, compositionMs)
      return this.#startAt(decodeMs + shownAfterMs, shownAfterMs, first.arrivedAtMs)
    }
    const last = this.#units.at(-1)!
    const spanMs = last.kind === 'audio' ? last.unit.timestampMs - first.unit.timestampMs : 0
    return spanMs >= soundAloneMs ? this.#startAt(first.unit.timestampMs, 0, first.arrivedAtMs) : null
  }

  measure(hasVideo: boolean, options: MeasureOptions): StreamTargets | null {
    const times = this.#units.flatMap(({ kind, unit }) => (kind === 'audio' ? [unit.timestampMs] : []))
    const sound = typicalSeconds(times)
    if (!hasVideo) return chooseTargets(options, { longestGroupSeconds: 0, frameSeconds: [sound] })
    const pictures = this.#units.flatMap(({ kind, unit }) => (kind === 'video' ? [unit] : []))
    const keys = pictures.filter(({ isKeyFrame }) => isKeyFrame).map(({ decodeMs }) => decodeMs)
    const pictureTimes = pictures.map(({ decodeMs }) => decodeMs)
    const spanSeconds = ((pictureTimes.at(-1) ?? 0) - (pictureTimes[0] ?? 0)) / 1_000
    const groupSeconds = ((keys.at(-1) ?? 0) - (keys[0] ?? 0)) / 1_000
    const isLongEnough = keys.length > 1 && groupSeconds >= options.firstSegmentSeconds - 0.01
    const isOver = spanSeconds >= options.measureSeconds || this.#units.length === mostUnits
    if (!isLongEnough && !isOver) return null
    const longestGroupSeconds = keys.length > 1 ? Math.max(...differences(keys)) / 1_000 : undefined
    return chooseTargets(options, {
      longestGroupSeconds,
      frameSeconds: [sound, typicalSeconds(pictureTimes)],
    })
  }

  #startAt(originMs: number, compositionMs: number, startedAtMs: number): PeriodStart {
    return { originMs, compositionMs, startedAtMs, units: this.#units }
  }
}

const differences = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - times[index]!)

const typicalSeconds = (times: readonly number[]): number => medianOf(differences(times)) / 1_000

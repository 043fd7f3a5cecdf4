import type { StretchOrigin } from './live-manifest.ts'
import type { LivePart, LiveSegment, AudioUnit, VideoUnit } from './live-media.ts'
import { FrameRateMeter } from './frame-rate.ts'
import { PartMaker } from './part-maker.ts'
import { planWindow, type WindowLimits } from './plan-window.ts'
import { Rendition, type SegmentOpening } from './rendition.ts'
import { StartBuffer, type MeasureOptions, type StretchStart, type TimedUnit } from './start-buffer.ts'
import type { StreamTargets } from './stream-measure.ts'
import { Stretch, type StretchTrack } from './stretch.ts'
import {
  describeAudio,
  describeVideo,
  type LiveAudioCodec,
  type LiveVideoCodec,
  type TrackFormat,
  type TrackKind,
} from './track-format.ts'

export interface LivePackagerOptions extends MeasureOptions, WindowLimits {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Gets what is made, in order: a recording is the same bytes. */
  readonly sink?: LiveSink
}

/** Functions that return before the next frame. */
export interface LiveSink {
  readonly onInit?: (kind: TrackKind, version: number, format: TrackFormat) => void
  readonly onPart?: (kind: TrackKind, segmentNumber: number, part: LivePart) => void
  readonly onSegment?: (kind: TrackKind, segment: LiveSegment) => void
}

export const defaultPackaging = {
  segmentSeconds: 2,
  longestSegmentSeconds: 10,
  partTargetSeconds: 0.333,
  measureSeconds: 4.5,
  windowSeconds: 30,
  windowBytes: 256 * 2 ** 20,
} as const satisfies MeasureOptions & WindowLimits

/** Where every media timeline of ours begins: what is decoded before it is shown has room there. */
const timelineStartSeconds = 1
/** Frames so far apart are not of one piece. */
const longestPauseMs = 10_000
const longestStepBackMs = 1_000

const kinds = ['video', 'audio'] as const

/** Makes parts and segments of a publisher's frames, and keeps those of the window. */
export class LivePackager {
  readonly #options: LivePackagerOptions
  readonly #renditions = new Map<TrackKind, Rendition>()
  readonly #start = new StartBuffer()
  /** What the publisher has announced. */
  #formats: Partial<Record<TrackKind, TrackFormat>> = {}
  #lastMs: Partial<Record<TrackKind, number>> = {}
  #targets: StreamTargets | undefined
  #stretch: Stretch | undefined
  #stretchCount = 0
  #frameRate = new FrameRateMeter()
  #origins: StretchOrigin[] = []
  #availableFromMs: number | undefined
  /** The wall clock where the timeline is 0. */
  #wallOriginMs = 0
  #timelineSeconds: number = timelineStartSeconds
  #hasEnded = false

  constructor(options: LivePackagerOptions) {
    this.#options = options
  }

  /** Undefined until the first frames have been measured; the same ever after. */
  get targets(): StreamTargets | undefined {
    return this.#targets
  }
  get hasEnded(): boolean {
    return this.#hasEnded
  }
  get keptBytes(): number {
    return this.#renditions.values().reduce((sum, { keptBytes }) => sum + keptBytes, 0)
  }

  /** Of the stretch that goes on; 0 where there are no pictures. */
  get frameRate(): number {
    return this.#frameRate.framesPerSecond
  }

  /** What a manifest says of time; undefined before the first stretch. */
  get timing():
    | {
        readonly availableFromMs: number
        readonly origins: readonly StretchOrigin[]
        readonly windowSeconds: number
      }
    | undefined {
    const availableFromMs = this.#availableFromMs
    const { windowSeconds } = this.#options
    return availableFromMs === undefined
      ? undefined
      : { availableFromMs, origins: this.#origins, windowSeconds }
  }

  rendition(kind: TrackKind): Rendition | undefined {
    return this.#renditions.get(kind)
  }

  /** A configuration that differs from the one before makes a discontinuity. Throws IsobmffError where it cannot be read. */
  setVideo(codec: LiveVideoCodec, configuration: Buffer): void {
    this.#setFormat(describeVideo(codec, configuration))
  }

  setAudio(codec: LiveAudioCodec, configuration: Buffer): void {
    this.#setFormat(describeAudio(codec, configuration))
  }

  addVideo(unit: VideoUnit): void {
    if (this.#hasEnded || this.#formats.video === undefined || !this.#isOnTime('video', unit.decodeMs)) return
    this.#frameRate.add(unit.decodeMs)
    if (this.#stretch) this.#stretch.addVideo(unit)
    else this.#begin({ kind: 'video', unit, arrivedAtMs: this.#options.now() })
  }

  addAudio(unit: AudioUnit): void {
    if (this.#hasEnded || this.#formats.audio === undefined || !this.#isOnTime('audio', unit.timestampMs))
      return
    if (this.#stretch) this.#stretch.addAudio(unit)
    else this.#begin({ kind: 'audio', unit, arrivedAtMs: this.#options.now() })
  }

  /** The publisher has gone and may come back, with configurations of its own: segments so far are closed, numbers go on. */
  discontinue(): void {
    this.#break()
    this.#formats = {}
  }

  /** No frame follows, ever. */
  end(): void {
    if (this.#hasEnded) return
    // A publisher that left at once: what there is suffices to be served.
    this.#measureAndStart({ ...this.#options, measureSeconds: 0 })
    this.#break()
    this.#hasEnded = true
  }

  #setFormat(format: TrackFormat): void {
    const { kind } = format
    if (this.#formats[kind]?.initSegment.equals(format.initSegment) === true) return
    const isLateSound = kind === 'audio' && !this.#renditions.has('audio')
    this.#formats[kind] = format
    if (this.#stretch === undefined) this.#start.clear()
    else if (isLateSound) this.#stretch.addAudioTrack(this.#addTrack(format))
    else this.#break()
  }

  /** RTMP's own clock never runs backwards; others may. Where time leaps, a new stretch begins with the next key frame. */
  #isOnTime(kind: TrackKind, timestampMs: number): boolean {
    if (!Number.isFinite(timestampMs)) return false
    const stepMs = timestampMs - (this.#lastMs[kind] ?? timestampMs)
    if (stepMs > longestPauseMs || stepMs < -longestStepBackMs) this.#break()
    this.#lastMs[kind] = timestampMs
    return true
  }

  #break(): void {
    this.#start.clear()
    this.#lastMs = {}
    this.#frameRate = new FrameRateMeter()
    if (this.#stretch === undefined) return
    this.#timelineSeconds = this.#stretch.end()
    this.#stretch = undefined
  }

  #begin(unit: TimedUnit): void {
    this.#start.add(unit)
    this.#measureAndStart(this.#options)
  }

  #measureAndStart(options: MeasureOptions): void {
    if (this.#stretch !== undefined) return
    const hasVideo = this.#formats.video !== undefined
    const start = this.#start.start(hasVideo)
    if (start === null) return
    const targets = this.#targets ?? this.#start.measure(hasVideo, options)
    if (targets === null) return
    this.#targets = targets
    this.#startStretch(start, targets)
  }

  #startStretch(start: StretchStart, { targetDurationSeconds }: StreamTargets): void {
    this.#stretchCount++
    this.#wallOriginMs = start.startedAtMs - this.#timelineSeconds * 1_000
    this.#availableFromMs ??= start.startedAtMs
    const timelineSeconds = this.#timelineSeconds
    this.#origins.push({ version: this.#stretchCount, startedAtMs: start.startedAtMs, timelineSeconds })
    const tracks: Partial<Record<TrackKind, StretchTrack>> = {}
    for (const kind of kinds) {
      // A track that this publisher lacks stays in the playlists, with gaps.
      const format = this.#formats[kind] ?? this.#renditions.get(kind)?.format
      if (format) tracks[kind] = this.#addTrack(format)
    }
    const stretch = new Stretch({
      startSeconds: this.#timelineSeconds,
      originMs: start.originMs,
      compositionMs: start.compositionMs,
      segmentSeconds: this.#options.segmentSeconds,
      targetDurationSeconds,
      video: tracks.video,
      audio: tracks.audio,
    })
    this.#stretch = stretch
    for (const { kind, unit } of start.units) {
      if (kind === 'video') stretch.addVideo(unit)
      else stretch.addAudio(unit)
    }
    this.#start.clear()
  }

  #addTrack(format: TrackFormat): StretchTrack {
    const rendition = this.#openRendition(format)
    const { kind, timescale } = format
    const { sink } = this.#options
    sink?.onInit?.(kind, this.#stretchCount, format)
    const maker = new PartMaker({
      timescale,
      partTicks: Math.floor(this.#targets!.partTargetSeconds * timescale),
      onPart: (part) => {
        rendition.addPart(part)
        sink?.onPart?.(kind, rendition.opening.number, part)
      },
      onSegment: (span) => {
        const startedAtMs = this.#wallOriginMs + (span.startTicks / timescale) * 1_000
        rendition.closeSegment({ ...span, startedAtMs })
        sink?.onSegment?.(kind, rendition.segments.at(-1)!)
        this.#forgetOld()
      },
    })
    return { format, maker }
  }

  #openRendition(format: TrackFormat): Rendition {
    const existing = this.#renditions.get(format.kind)
    if (existing) {
      existing.breakWith(format, this.#stretchCount)
      return existing
    }
    const [elder] = this.#renditions.values()
    const opening: SegmentOpening = {
      number: elder?.opening.number ?? 0,
      isDiscontinuity: false,
      initVersion: this.#stretchCount,
    }
    const discontinuities = elder
      ? elder.discontinuitySequence + [...elder.segments, elder.opening].filter(isBreak).length
      : 0
    const rendition = new Rendition(format.kind, format, opening, discontinuities)
    this.#renditions.set(format.kind, rendition)
    return rendition
  }

  #forgetOld(): void {
    const renditions = [...this.#renditions.values()]
    const openBytes = renditions
      .flatMap(({ openParts }) => openParts)
      .reduce((sum, { data }) => sum + data.length, 0)
    const kept = renditions.map(({ leaving, segments }) => [...leaving, ...segments])
    const limits = { ...this.#options, targetDurationSeconds: this.#targets!.targetDurationSeconds }
    const { firstNumber, firstKept } = planWindow(kept, openBytes, limits)
    for (const rendition of renditions) rendition.forget(firstNumber, firstKept)
    const isNeeded = ({ version }: StretchOrigin) =>
      renditions.some((rendition) => rendition.formatOf(version))
    this.#origins = this.#origins.filter(isNeeded)
  }
}

const isBreak = ({ isDiscontinuity }: { isDiscontinuity: boolean }) => isDiscontinuity

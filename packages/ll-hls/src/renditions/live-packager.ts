import type { LivePart, LiveSegment, AudioUnit, VideoUnit, PeriodOrigin } from '../media/live-media.ts'
import { PeriodFrameRates } from '../media/period-frame-rates.ts'
import { PublisherClock } from '../media/publisher-clock.ts'
import { LadderRenditions } from './ladder-renditions.ts'
import { PeriodTimeline } from './period-timeline.ts'
import { PartMaker } from '../media/part-maker.ts'
import { planWindow, type WindowLimits } from './plan-window.ts'
import { PublisherLimits } from '../media/publisher-limits.ts'
import { RenditionSet } from './rendition-set.ts'
import { Rendition } from './rendition.ts'
import type { PackagerResume } from './restore-window.ts'
import type { SegmentStore } from './segment-store.ts'
import { StartBuffer, type MeasureOptions, type PeriodStart, type TimedUnit } from '../media/start-buffer.ts'
import type { StreamTargets } from '../media/stream-measure.ts'
import { Period, type PeriodTrack } from '../media/period.ts'
import {
  describeAudio,
  describeVideo,
  trackIds,
  videoTimescale,
  type LiveAudioCodec,
  type LiveVideoCodec,
  type TrackFormat,
  type TrackKind,
  type TrackName,
} from '../media/track-format.ts'

export interface LivePackagerOptions extends MeasureOptions, WindowLimits {
  readonly now: () => number
  /** Receives the packaged media in order, so that a recording has the same bytes. */
  readonly sink?: LiveSink
  /** Stores old segments instead of memory. */
  readonly store?: SegmentStore
  /** State to continue from. Without it, numbers start at 0. */
  readonly resume?: PackagerResume
}

/** These callbacks are synchronous and return before the next frame. */
export interface LiveSink {
  readonly onInit?: (kind: TrackKind, version: number, format: TrackFormat) => void
  readonly onPart?: (kind: TrackKind, segmentNumber: number, part: LivePart) => void
  readonly onSegment?: (kind: TrackKind, segment: LiveSegment) => void
}

export const defaultPackaging = {
  segmentSeconds: 2,
  firstSegmentSeconds: 1,
  longestSegmentSeconds: 10,
  // Ten pictures at 30 frames/s, with timestamps in whole milliseconds.
  partTargetSeconds: 0.334,
  measureSeconds: 4.5,
  windowSeconds: 30,
  windowBytes: 64 * 2 ** 20,
} as const satisfies MeasureOptions & WindowLimits

const kinds = ['video', 'audio'] as const

/** Packages a publisher's frames into parts and segments, and keeps those in the window. */
export class LivePackager {
  readonly #options: LivePackagerOptions
  readonly #timeline: PeriodTimeline
  readonly #set: RenditionSet
  readonly #start = new StartBuffer()
  readonly #limits = new PublisherLimits()
  readonly #clock = new PublisherClock()
  readonly #frameRates = new PeriodFrameRates()
  #formats: Partial<Record<TrackKind, TrackFormat>> = {}
  #targets: StreamTargets | undefined
  #period: Period | undefined

  constructor(options: LivePackagerOptions) {
    const { resume, store } = options
    this.#options = options
    this.#targets = resume?.targets
    this.#timeline = new PeriodTimeline(resume)
    this.#set = new RenditionSet(
      new LadderRenditions({
        store,
        resume,
        onInit: (track, version, format) => this.#addPeriodToStore(track, version, format),
      }),
    )
    for (const kind of kinds) {
      const start = resume?.renditions?.find(({ track }) => track === kind)
      if (start) this.#set.source.set(kind, new Rendition(kind, start, store))
    }
    if (this.#set.muxedTracks) this.#set.muxed.resume(this.#set.muxedTracks)
    // A store drops segments in blocks, so it may hold more than the playlists listed.
    if (this.#set.source.size > 0) this.#dropOld()
  }

  get ladder(): LadderRenditions {
    return this.#set.ladder
  }
  /** Undefined until the first frames are measured; constant afterwards. */
  get targets(): StreamTargets | undefined {
    return this.#targets
  }
  get hasEnded(): boolean {
    return this.#timeline.hasEnded
  }
  get keptBytes(): number {
    return this.#set.keptBytes
  }

  /** Returns why the publisher should be disconnected, as text for the operator, or null. */
  get trouble(): string | null {
    const aheadMs = this.#timeline.aheadMs(this.#clock.latestMs, this.#options.now())
    return this.#limits.trouble({ unfinishedBytes: this.#unfinishedBytes, aheadMs })
  }

  /** Frame rate of the current period; 0 without video. */
  get frameRate(): number {
    return this.#frameRates.current
  }

  get timing():
    | {
        readonly availableFromMs: number
        readonly origins: readonly PeriodOrigin[]
        readonly windowSeconds: number
        readonly frameRates: ReadonlyMap<number, number>
      }
    | undefined {
    const { availableFromMs, origins } = this.#timeline
    const { windowSeconds } = this.#options
    return availableFromMs === undefined
      ? undefined
      : { availableFromMs, origins, windowSeconds, frameRates: this.#frameRates.all }
  }

  rendition(track: TrackName): Rendition | undefined {
    return this.#set.find(track)
  }

  /** The muxed rendition, if it is offered. */
  get muxed(): Rendition | undefined {
    return this.#set.offeredMuxed
  }

  get renditions(): readonly Rendition[] {
    return this.#set.playable
  }

  /**
   * A changed configuration causes a discontinuity. Throws IsobmffError when the configuration cannot be
   * parsed.
   */
  setVideo(codec: LiveVideoCodec, configuration: Buffer): void {
    this.#setFormat(describeVideo(codec, configuration))
  }

  setAudio(codec: LiveAudioCodec, configuration: Buffer): void {
    this.#setFormat(describeAudio(codec, configuration))
  }

  addVideo(unit: VideoUnit): void {
    if (!this.#takes('video', unit.decodeMs)) return
    this.#frameRates.add(unit.decodeMs)
    if (this.#period) this.#addPicture(this.#period, unit)
    else this.#begin({ kind: 'video', unit, arrivedAtMs: this.#options.now() })
    this.#set.muxed.flush()
  }

  addAudio(unit: AudioUnit): void {
    if (!this.#takes('audio', unit.timestampMs)) return
    if (this.#period) this.#period.addAudio(unit)
    else this.#begin({ kind: 'audio', unit, arrivedAtMs: this.#options.now() })
    this.#set.muxed.flush()
  }

  /**
   * Called when the publisher disconnects and may reconnect with other configurations. Closes the current
   * segments; segment numbers continue.
   */
  discontinue(): void {
    this.#break()
    this.#limits.clear()
    this.#formats = {}
  }

  end(): void {
    if (this.hasEnded) return
    // A publisher may leave before the measurement completes; serve what it sent.
    this.#measureAndStart({ ...this.#options, measureSeconds: 0 })
    this.#break()
    this.ladder.end()
    this.#timeline.end()
  }

  #setFormat(format: TrackFormat): void {
    const { kind } = format
    if (this.#formats[kind]?.initSegment.equals(format.initSegment) === true) return
    const isLateSound = kind === 'audio' && !this.#set.source.has('audio')
    this.#formats[kind] = format
    if (this.#period === undefined) this.#start.clear()
    else if (isLateSound) this.#period.addAudioTrack(this.#addTrack(format))
    else this.#break()
  }

  #takes(kind: TrackKind, timestampMs: number): boolean {
    if (this.hasEnded || this.#formats[kind] === undefined || !Number.isFinite(timestampMs)) return false
    return !this.#limits.isFull(this.#unfinishedBytes) && this.#isOnTime(kind, timestampMs)
  }

  get #unfinishedBytes(): number {
    return this.#start.sizeBytes + (this.#period?.waitingBytes ?? 0) + this.#set.unfinishedBytes
  }

  /**
   * Starts a new period at the next key frame when timestamps jump. Audio with a clock far from that of the
   * video is dropped.
   */
  #isOnTime(kind: TrackKind, timestampMs: number): boolean {
    if (this.#clock.hasJumped(kind, timestampMs)) this.#break()
    if (this.#clock.isFarFromOther(kind, timestampMs)) {
      if (kind === 'audio') return false
      this.#start.clear()
      this.#clock.clear()
    }
    this.#clock.advance(kind, timestampMs)
    return true
  }

  #break(): void {
    this.#start.clear()
    this.#clock.clear()
    this.#frameRates.restart()
    if (this.#period === undefined) return
    this.#limits.addBreak(this.#options.now())
    this.#timeline.endPeriod(this.#period.end())
    this.#set.muxed.flush()
    this.ladder.endPeriod()
    this.#period = undefined
  }

  #begin(unit: TimedUnit): void {
    this.#start.add(unit)
    this.#measureAndStart(this.#options)
  }

  #measureAndStart(options: MeasureOptions): void {
    if (this.#period !== undefined) return
    const hasVideo = this.#formats.video !== undefined
    const start = this.#start.start(hasVideo)
    if (start === null) return
    const targets = this.#targets ?? this.#start.measure(hasVideo, options)
    if (targets === null) return
    this.#targets = targets
    this.#startPeriod(start, targets)
  }

  #startPeriod(start: PeriodStart, { targetDurationSeconds }: StreamTargets): void {
    const { segmentSeconds, firstSegmentSeconds } = this.#options
    const isFirst = this.#timeline.origins.length === 0
    this.#timeline.begin(start)
    const tracks: Partial<Record<TrackKind, PeriodTrack>> = {}
    for (const kind of kinds) {
      // A track that this publisher lacks stays in the playlists as gaps.
      const format = this.#formats[kind] ?? this.#set.source.get(kind)?.format
      if (format) tracks[kind] = this.#addTrack(format)
    }
    if (tracks.video) this.#startLadder(start.originMs)
    if (this.#set.muxedTracks) this.#set.muxed.begin(this.#set.muxedTracks)
    const period = new Period({
      startSeconds: this.#timeline.seconds,
      originMs: start.originMs,
      compositionMs: start.compositionMs,
      segmentSeconds,
      firstSegmentSeconds: isFirst ? firstSegmentSeconds : segmentSeconds,
      targetDurationSeconds,
      video: tracks.video,
      audio: tracks.audio,
    })
    this.#period = period
    for (const { kind, unit } of start.units) {
      if (kind === 'video') this.#addPicture(period, unit)
      else period.addAudio(unit)
    }
    this.#start.clear()
  }

  #addPicture(period: Period, unit: VideoUnit): void {
    if (unit.isKeyFrame) this.ladder.meetKey(unit.decodeMs + unit.compositionMs)
    period.addVideo(unit)
  }

  #startLadder(originMs: number): void {
    const startTicks = Math.round(this.#timeline.seconds * videoTimescale)
    const { currentSegment } = this.#set.source.get('video')!
    this.ladder.beginPeriod(
      { version: this.#timeline.version, originMs, startTicks },
      currentSegment,
      this.#targets!,
    )
  }

  #addTrack(format: TrackFormat): PeriodTrack {
    const rendition = this.#openRendition(format)
    const { kind, timescale } = format
    const { sink, store } = this.#options
    sink?.onInit?.(kind, this.#timeline.version, format)
    this.#addPeriodToStore(kind, this.#timeline.version, format)
    const isVideo = kind === 'video'
    const maker = new PartMaker({
      timescale,
      trackId: trackIds[kind],
      partTicks: Math.floor(this.#targets!.partTargetSeconds * timescale),
      ...(!isVideo && {
        onFrame: (frame) => this.#set.muxed.addSound(rendition.currentSegment.number, frame, timescale),
      }),
      onPart: (part) => {
        rendition.addPart(part)
        const endTicks = maker.positionTicks
        if (isVideo) this.ladder.advanceTo(endTicks)
        if (isVideo) this.#set.muxed.addPictures(rendition.currentSegment, part, endTicks / timescale)
        sink?.onPart?.(kind, rendition.currentSegment.number, part)
      },
      onSegment: (span) => {
        const startedAtMs = this.#timeline.wallMs(span.startTicks / timescale)
        const segment = rendition.closeSegment({ ...span, startedAtMs })
        if (isVideo) this.#closePictures(segment)
        sink?.onSegment?.(kind, segment)
        store?.addSegment(kind, segment)
        this.#dropOld()
      },
    })
    return { format, maker }
  }

  #closePictures(segment: LiveSegment): void {
    this.#frameRates.record(segment.initVersion)
    this.ladder.closeSegment(segment, this.#set.source.get('video')!.currentSegment)
    this.#set.muxed.closePictures(segment)
    // Audio may be announced after the period began.
    if (this.#set.muxed.rendition === undefined && this.#set.muxedTracks)
      this.#set.muxed.begin(this.#set.muxedTracks)
  }

  #addPeriodToStore(track: TrackName, version: number, format: TrackFormat): void {
    const origin = this.#timeline.originOf(version)
    const availableFromMs = this.#timeline.availableFromMs!
    const firstNumber = Math.max(
      ...this.#set.source.values().map(({ currentSegment }) => currentSegment.number),
    )
    const targets = this.#targets!
    if (origin)
      this.#options.store?.addPeriod({ track, format, origin, firstNumber, targets, availableFromMs })
  }

  #openRendition(format: TrackFormat): Rendition {
    const existing = this.#set.source.get(format.kind)
    const startTicks = Math.round(this.#timeline.seconds * format.timescale)
    const startedAtMs = this.#timeline.wallMs(startTicks / format.timescale)
    if (existing) {
      existing.breakWith(format, this.#timeline.version, startedAtMs)
      return existing
    }
    const { resume, store } = this.#options
    const [elder] = this.#set.source.values()
    const breaksBefore = resume?.discontinuitySequence ?? null
    const currentSegment = {
      number: elder?.currentSegment.number ?? resume?.firstNumber ?? 0,
      epoch: resume?.epoch ?? 0,
      isDiscontinuity: elder?.currentSegment.isDiscontinuity ?? breaksBefore !== null,
      discontinuitySequence:
        elder?.currentSegment.discontinuitySequence ?? (breaksBefore === null ? 0 : breaksBefore + 1),
      initVersion: this.#timeline.version,
      startedAtMs,
    }
    const inits = [{ version: this.#timeline.version, epoch: currentSegment.epoch, format }]
    const rendition = new Rendition(format.kind, { inits, segments: [], currentSegment }, store)
    this.#set.source.set(format.kind, rendition)
    return rendition
  }

  #dropOld(): void {
    const { store } = this.#options
    const renditions = [...this.#set.source.values()]
    // The first rendition leads: it has a segment as soon as any rendition has one.
    if (renditions[0]!.segments.length === 0) return
    const { rendition: muxed } = this.#set.muxed
    const plan = planWindow(renditions, [...this.ladder.renditions, ...(muxed ? [muxed] : [])], {
      ...this.#options,
      targetDurationSeconds: this.#targets!.targetDurationSeconds,
      firstStored: store?.firstNumber() ?? 0,
    })
    for (const rendition of renditions) rendition.keep(plan)
    this.ladder.keep(plan)
    muxed?.keep(plan)
    store?.dropBefore(plan.firstKept)
    const isNeeded = (version: number) => renditions.some((rendition) => rendition.formatOf(version))
    if (this.#timeline.keep(isNeeded))
      this.#frameRates.keep((version) => this.#timeline.originOf(version) !== undefined)
  }
}

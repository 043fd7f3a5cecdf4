import type { LivePart, LiveSegment, AudioUnit, VideoUnit, StretchOrigin } from '../media/live-media.ts'
import { FrameRateMeter } from '../media/frame-rate.ts'
import { LadderRenditions } from './ladder-renditions.ts'
import { MuxedParts } from './muxed-parts.ts'
import type { MuxedTracks } from './muxed-rendition.ts'
import { PartMaker } from '../media/part-maker.ts'
import { planWindow, type WindowLimits } from './plan-window.ts'
import { PublisherLimits } from '../media/publisher-limits.ts'
import { Rendition } from './rendition.ts'
import { timelineStartSeconds, type PackagerResume } from './restore-window.ts'
import type { SegmentStore } from './segment-store.ts'
import { StartBuffer, type MeasureOptions, type StretchStart, type TimedUnit } from '../media/start-buffer.ts'
import type { StreamTargets } from '../media/stream-measure.ts'
import { Stretch, type StretchTrack } from '../media/stretch.ts'
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

/** A larger timestamp step is a discontinuity. */
const longestPauseMs = 10_000
const longestStepBackMs = 1_000

const kinds = ['video', 'audio'] as const

/** Packages a publisher's frames into parts and segments, and keeps those in the window. */
export class LivePackager {
  readonly ladder: LadderRenditions
  readonly #options: LivePackagerOptions
  readonly #renditions = new Map<TrackKind, Rendition>()
  readonly #start = new StartBuffer()
  readonly #limits = new PublisherLimits()
  readonly #muxed = new MuxedParts()
  #formats: Partial<Record<TrackKind, TrackFormat>> = {}
  #lastMs: Partial<Record<TrackKind, number>> = {}
  #targets: StreamTargets | undefined
  #stretch: Stretch | undefined
  #stretchOrigin: { readonly stampMs: number; readonly arrivedAtMs: number } | undefined
  #stretchCount: number
  #frameRate = new FrameRateMeter()
  /**
   * Frame rate of each period, measured at its first complete segment, so that a manifest never changes a
   * period.
   */
  readonly #frameRates = new Map<number, number>()
  #origins: readonly StretchOrigin[]
  #availableFromMs: number | undefined
  #wallOriginMs = 0
  #timelineSeconds: number
  #hasEnded = false

  constructor(options: LivePackagerOptions) {
    const { resume, store } = options
    this.#options = options
    this.#targets = resume?.targets
    this.#stretchCount = resume?.stretchCount ?? 0
    this.#origins = resume?.origins ?? []
    this.#availableFromMs = resume?.availableFromMs
    this.#timelineSeconds = resume?.timelineSeconds ?? timelineStartSeconds
    for (const kind of kinds) {
      const start = resume?.renditions?.find(({ track }) => track === kind)
      if (start) this.#renditions.set(kind, new Rendition(kind, start, store))
    }
    const tracks = this.#muxedTracks
    if (tracks) this.#muxed.resume(tracks)
    this.ladder = new LadderRenditions({
      store,
      resume,
      onInit: (track, version, format) => this.#tellStore(track, version, format),
    })
    // A store drops segments in blocks, so it may hold more than the playlists listed.
    if (this.#renditions.size > 0) this.#forgetOld()
  }

  /** Undefined until the first frames are measured; constant afterwards. */
  get targets(): StreamTargets | undefined {
    return this.#targets
  }
  get hasEnded(): boolean {
    return this.#hasEnded
  }
  get keptBytes(): number {
    const beside = this.ladder.keptBytes + this.#muxed.keptBytes
    return this.#renditions.values().reduce((sum, { keptBytes }) => sum + keptBytes, beside)
  }

  /** Returns why the publisher should be disconnected, as text for the operator, or null. */
  get trouble(): string | null {
    const origin = this.#stretchOrigin
    const lastMs = Math.max(this.#lastMs.video ?? -Infinity, this.#lastMs.audio ?? -Infinity)
    const aheadMs = origin ? lastMs - origin.stampMs - (this.#options.now() - origin.arrivedAtMs) : -Infinity
    return this.#limits.trouble({ unfinishedBytes: this.#unfinishedBytes, aheadMs })
  }

  /** Frame rate of the current period; 0 without video. */
  get frameRate(): number {
    return this.#frameRate.framesPerSecond
  }

  get timing():
    | {
        readonly availableFromMs: number
        readonly origins: readonly StretchOrigin[]
        readonly windowSeconds: number
        readonly frameRates: ReadonlyMap<number, number>
      }
    | undefined {
    const availableFromMs = this.#availableFromMs
    const { windowSeconds } = this.#options
    return availableFromMs === undefined
      ? undefined
      : { availableFromMs, origins: this.#origins, windowSeconds, frameRates: this.#frameRates }
  }

  rendition(track: TrackName): Rendition | undefined {
    if (track === 'av') return this.#muxed.rendition
    return track === 'video' || track === 'audio' ? this.#renditions.get(track) : this.ladder.find(track)
  }

  /**
   * The muxed rendition, offered when there are no alternatives to choose from. It halves the number of
   * requests per viewer.
   */
  get muxed(): Rendition | undefined {
    const { rendition } = this.#muxed
    const isEmpty = (one: Rendition | undefined) => one?.segments.length === 0 && one.openParts.length === 0
    // When audio joins late, only the video is playable until both have media.
    const isBehind = isEmpty(rendition) && !isEmpty(this.#renditions.get('video'))
    return isBehind || this.ladder.isThere ? undefined : rendition
  }

  /** All playable renditions: the source video, its lower rungs, and audio. */
  get renditions(): readonly Rendition[] {
    const [video, audio] = kinds.map((kind) => this.#renditions.get(kind))
    return [video, ...this.ladder.renditions, audio].filter((rendition) => rendition !== undefined)
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
    this.#frameRate.add(unit.decodeMs)
    if (this.#stretch) this.#addPicture(this.#stretch, unit)
    else this.#begin({ kind: 'video', unit, arrivedAtMs: this.#options.now() })
    this.#muxed.flush()
  }

  addAudio(unit: AudioUnit): void {
    if (!this.#takes('audio', unit.timestampMs)) return
    if (this.#stretch) this.#stretch.addAudio(unit)
    else this.#begin({ kind: 'audio', unit, arrivedAtMs: this.#options.now() })
    this.#muxed.flush()
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
    if (this.#hasEnded) return
    // A publisher may leave before the measurement completes; serve what it sent.
    this.#measureAndStart({ ...this.#options, measureSeconds: 0 })
    this.#break()
    this.ladder.end()
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

  #takes(kind: TrackKind, timestampMs: number): boolean {
    if (this.#hasEnded || this.#formats[kind] === undefined || !Number.isFinite(timestampMs)) return false
    return !this.#limits.isFull(this.#unfinishedBytes) && this.#isOnTime(kind, timestampMs)
  }

  get #unfinishedBytes(): number {
    const waitingBytes =
      this.#start.sizeBytes + (this.#stretch?.waitingBytes ?? 0) + this.#muxed.unfinishedBytes
    return this.#renditions.values().reduce((sum, { openBytes }) => sum + openBytes, waitingBytes)
  }

  /**
   * Starts a new period at the next key frame when timestamps jump; RTMP clocks never run backwards, but
   * other clocks may. Audio with a clock far from that of the video is dropped.
   */
  #isOnTime(kind: TrackKind, timestampMs: number): boolean {
    const stepMs = timestampMs - (this.#lastMs[kind] ?? timestampMs)
    if (stepMs > longestPauseMs || stepMs < -longestStepBackMs) this.#break()
    const { video, audio } = this.#lastMs
    const isFar = (otherMs: number | undefined) =>
      otherMs !== undefined && Math.abs(timestampMs - otherMs) > longestPauseMs
    if (kind === 'audio' && audio === undefined && isFar(video)) return false
    if (kind === 'video' && video === undefined && isFar(audio)) {
      this.#start.clear()
      this.#lastMs = {}
    }
    this.#lastMs[kind] = timestampMs
    return true
  }

  #break(): void {
    this.#start.clear()
    this.#lastMs = {}
    this.#frameRate = new FrameRateMeter()
    if (this.#stretch === undefined) return
    this.#limits.addBreak(this.#options.now())
    this.#stretchOrigin = undefined
    this.#timelineSeconds = this.#stretch.end()
    this.#muxed.flush()
    this.ladder.endStretch()
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
    const { segmentSeconds, firstSegmentSeconds } = this.#options
    const isFirst = this.#origins.length === 0
    this.#stretchOrigin = { stampMs: start.originMs, arrivedAtMs: start.startedAtMs }
    this.#wallOriginMs = start.startedAtMs - this.#timelineSeconds * 1_000
    this.#availableFromMs ??= start.startedAtMs
    const timelineSeconds = this.#timelineSeconds
    const origin = { version: this.#stretchCount, startedAtMs: start.startedAtMs, timelineSeconds }
    this.#origins = [...this.#origins, origin]
    const tracks: Partial<Record<TrackKind, StretchTrack>> = {}
    for (const kind of kinds) {
      // A track that this publisher lacks stays in the playlists as gaps.
      const format = this.#formats[kind] ?? this.#renditions.get(kind)?.format
      if (format) tracks[kind] = this.#addTrack(format)
    }
    if (tracks.video) this.#startLadder(start.originMs)
    if (this.#muxedTracks) this.#muxed.begin(this.#muxedTracks)
    const stretch = new Stretch({
      startSeconds: this.#timelineSeconds,
      originMs: start.originMs,
      compositionMs: start.compositionMs,
      segmentSeconds,
      firstSegmentSeconds: isFirst ? firstSegmentSeconds : segmentSeconds,
      targetDurationSeconds,
      video: tracks.video,
      audio: tracks.audio,
    })
    this.#stretch = stretch
    for (const { kind, unit } of start.units) {
      if (kind === 'video') this.#addPicture(stretch, unit)
      else stretch.addAudio(unit)
    }
    this.#start.clear()
  }

  #addPicture(stretch: Stretch, unit: VideoUnit): void {
    if (unit.isKeyFrame) this.ladder.meetKey(unit.decodeMs + unit.compositionMs)
    stretch.addVideo(unit)
  }

  #startLadder(originMs: number): void {
    const startTicks = Math.round(this.#timelineSeconds * videoTimescale)
    const { opening } = this.#renditions.get('video')!
    this.ladder.beginStretch({ version: this.#stretchCount, originMs, startTicks }, opening, this.#targets!)
  }

  #addTrack(format: TrackFormat): StretchTrack {
    const rendition = this.#openRendition(format)
    const { kind, timescale } = format
    const { sink, store } = this.#options
    sink?.onInit?.(kind, this.#stretchCount, format)
    this.#tellStore(kind, this.#stretchCount, format)
    const isVideo = kind === 'video'
    const maker = new PartMaker({
      timescale,
      trackId: trackIds[kind],
      partTicks: Math.floor(this.#targets!.partTargetSeconds * timescale),
      ...(!isVideo && {
        onFrame: (frame) => this.#muxed.addSound(rendition.opening.number, frame, timescale),
      }),
      onPart: (part) => {
        rendition.addPart(part)
        const endTicks = maker.positionTicks
        if (isVideo) this.ladder.advanceTo(endTicks)
        if (isVideo) this.#muxed.addPictures(rendition.opening, part, endTicks / timescale)
        sink?.onPart?.(kind, rendition.opening.number, part)
      },
      onSegment: (span) => {
        const startedAtMs = this.#wallOriginMs + (span.startTicks / timescale) * 1_000
        const segment = rendition.closeSegment({ ...span, startedAtMs })
        if (isVideo) this.#closePictures(segment)
        sink?.onSegment?.(kind, segment)
        store?.addSegment(kind, segment)
        this.#forgetOld()
      },
    })
    return { format, maker }
  }

  #closePictures(segment: LiveSegment): void {
    const { frameRate } = this
    if (frameRate > 0 && !this.#frameRates.has(segment.initVersion))
      this.#frameRates.set(segment.initVersion, frameRate)
    this.ladder.closeSegment(segment, this.#renditions.get('video')!.opening)
    this.#muxed.closePictures(segment)
    // Audio may be announced after the period began.
    if (this.#muxed.rendition === undefined && this.#muxedTracks) this.#muxed.begin(this.#muxedTracks)
  }

  get #muxedTracks(): MuxedTracks | undefined {
    const [video, audio] = kinds.map((kind) => this.#renditions.get(kind))
    return video && audio && { video, audio }
  }

  #tellStore(track: TrackName, version: number, format: TrackFormat): void {
    const origin = this.#origins.find((item) => item.version === version)
    const availableFromMs = this.#availableFromMs!
    const firstNumber = Math.max(...this.#renditions.values().map(({ opening }) => opening.number))
    const targets = this.#targets!
    if (origin)
      this.#options.store?.addStretch({ track, format, origin, firstNumber, targets, availableFromMs })
  }

  #openRendition(format: TrackFormat): Rendition {
    const existing = this.#renditions.get(format.kind)
    const startTicks = Math.round(this.#timelineSeconds * format.timescale)
    const startedAtMs = this.#wallOriginMs + (startTicks / format.timescale) * 1_000
    if (existing) {
      existing.breakWith(format, this.#stretchCount, startedAtMs)
      return existing
    }
    const { resume, store } = this.#options
    const [elder] = this.#renditions.values()
    const breaksBefore = resume?.discontinuitySequence ?? null
    const opening = {
      number: elder?.opening.number ?? resume?.firstNumber ?? 0,
      isDiscontinuity: elder?.opening.isDiscontinuity ?? breaksBefore !== null,
      discontinuitySequence:
        elder?.opening.discontinuitySequence ?? (breaksBefore === null ? 0 : breaksBefore + 1),
      initVersion: this.#stretchCount,
      startedAtMs,
    }
    const inits = [{ version: this.#stretchCount, format }]
    const rendition = new Rendition(format.kind, { inits, segments: [], opening }, store)
    this.#renditions.set(format.kind, rendition)
    return rendition
  }

  #forgetOld(): void {
    const { store } = this.#options
    const renditions = [...this.#renditions.values()]
    // The first rendition leads: it has a segment as soon as any rendition has one.
    if (renditions[0]!.segments.length === 0) return
    const { rendition: muxed } = this.#muxed
    const plan = planWindow(renditions, [...this.ladder.renditions, ...(muxed ? [muxed] : [])], {
      ...this.#options,
      targetDurationSeconds: this.#targets!.targetDurationSeconds,
      firstStored: store?.firstNumber() ?? 0,
    })
    for (const rendition of renditions) rendition.keep(plan)
    this.ladder.keep(plan)
    muxed?.keep(plan)
    store?.forget(plan.firstKept)
    const isNeeded = ({ version }: StretchOrigin) =>
      renditions.some((rendition) => rendition.formatOf(version))
    if (this.#origins.every(isNeeded)) return
    this.#origins = this.#origins.filter(isNeeded)
    for (const version of this.#frameRates.keys())
      if (!this.#origins.some((origin) => origin.version === version)) this.#frameRates.delete(version)
  }
}

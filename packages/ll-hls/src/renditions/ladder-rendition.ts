import type { SegmentHeader } from '../media/live-media.ts'
import { PartMaker } from '../media/part-maker.ts'
import type { WindowPlan } from './plan-window.ts'
import { Rendition, type RenditionStart } from './rendition.ts'
import type { SegmentStore } from './segment-store.ts'
import { trackIds, type LadderTrack, type TrackFormat } from '../media/track-format.ts'

/** A segment of the source video. All rungs use its number and its cuts. */
export interface SourceSegment {
  readonly currentSegment: SegmentHeader
  readonly startTicks: number
  /** Undefined while the segment is in progress. */
  readonly endTicks: number | undefined
  readonly startedAtMs: number
}

/** A picture of a rung. Decode and presentation time are equal, because rungs have no B-frames. */
export interface RungFrame {
  /** Period of the source that the picture was encoded from. */
  readonly version: number
  /** Position on the media timeline at 90 kHz. */
  readonly ticks: number
  readonly isKeyFrame: boolean
  readonly data: Buffer
}

export interface LadderRenditionOptions {
  readonly track: LadderTrack
  /** Maximum duration of a part. */
  readonly partTicks: number
  readonly timescale: number
  readonly store: SegmentStore | undefined
  /** State left by another process. */
  readonly start: RenditionStart | undefined
  /** Announces the init segment for the rung's segments in a period. */
  readonly onInit: (version: number, format: TrackFormat) => void
  readonly onChange: () => void
}

/** Decode times that were rounded to milliseconds twice deviate by up to this much from the cut. */
const keyToleranceSeconds = 0.005
const roundingTicks = 2

/**
 * Packages a lower rung in step with the source: the same segment numbers and cuts.
 *
 * The source is always ahead, so each cut is known before the rung's first picture after it arrives. Missing
 * pictures become a gap, and the rung continues with the next segment.
 */
export class LadderRendition {
  readonly track: LadderTrack
  readonly #options: LadderRenditionOptions
  readonly #maker: PartMaker
  #rendition: Rendition | undefined
  #format: TrackFormat | undefined
  /** Source segments from the one in progress here to the newest. */
  #source: SourceSegment[] = []
  /** True when the first source segment already has parts here. */
  #isOpen = false
  /** True when no picture is missing since the last key frame. */
  #isWhole = false
  #lastTicks = 0

  constructor(options: LadderRenditionOptions) {
    this.#options = options
    this.track = options.track
    const { timescale, partTicks, start, store } = options
    if (start) this.#rendition = new Rendition(this.track, start, store)
    this.#maker = new PartMaker({
      timescale,
      trackId: trackIds.video,
      partTicks,
      onPart: (part) => {
        this.#rendition!.addPart(part)
        options.onChange()
      },
      onSegment: ({ startTicks, endTicks }) => {
        const source = this.#source[0]!
        const startedAtMs = source.startedAtMs + ((startTicks - source.startTicks) * 1_000) / timescale
        const segment = this.#rendition!.closeSegment({ startTicks, endTicks, startedAtMs })
        store?.addSegment(this.track, segment)
        options.onChange()
      },
    })
  }

  /** Undefined until the first segment is complete. */
  get rendition(): Rendition | undefined {
    return this.#rendition && this.#rendition.firstKept < this.#rendition.currentSegment.number
      ? this.#rendition
      : undefined
  }
  get keptBytes(): number {
    return this.#rendition?.keptBytes ?? 0
  }

  keep(plan: WindowPlan): void {
    this.#rendition?.keep(plan)
  }

  follow(segment: SourceSegment): void {
    if (this.#source.at(-1)?.currentSegment.number === segment.currentSegment.number) this.#source.pop()
    this.#source.push(segment)
  }

  /**
   * Called on a discontinuity of the source. Pictures encoded before it cannot follow the source's last
   * segment.
   */
  breakOff(): void {
    if (this.#source.at(-1)?.endTicks === undefined) this.#source.pop()
  }

  /** Called when an encoder starts. It begins with a key frame and has no earlier state. */
  begin(format: TrackFormat): void {
    this.#format = format
    this.#isWhole = false
  }

  add(frame: RungFrame): void {
    const format = this.#format
    if (format === undefined || !Number.isSafeInteger(frame.ticks)) return
    while (this.#isBehind(frame)) this.#close(frame)
    const source = this.#source[0]
    if (source === undefined || source.currentSegment.initVersion !== frame.version) return
    if (!this.#canTake(source, frame)) {
      this.#isWhole = false
      return
    }
    this.#isWhole = true
    if (!this.#isOpen) this.#open(source, format, source.currentSegment.initVersion)
    const startTicks = Math.max(frame.ticks, this.#lastTicks + 1)
    this.#lastTicks = startTicks
    const { isKeyFrame: isSync, data } = frame
    this.#maker.add({ decodeTicks: startTicks, startTicks, compositionTicks: 0, isSync, data })
  }

  /** Marks everything before `ticks` that has not arrived as permanently missing. */
  missUntil(ticks: number, version: number): void {
    let source = this.#source[0]
    while (
      source?.endTicks !== undefined &&
      (source.currentSegment.initVersion < version || source.endTicks <= ticks)
    ) {
      this.#isWhole = false
      this.#close()
      source = this.#source[0]
    }
    if (
      source === undefined ||
      this.#rendition === undefined ||
      source.currentSegment.initVersion !== version
    )
      return
    if (ticks <= Math.max(this.#lastTicks, source.startTicks)) return
    this.#isWhole = false
    if (!this.#isOpen) this.#openGap(source)
    this.#maker.advanceTo(ticks)
  }

  #isBehind({ version, ticks, isKeyFrame }: RungFrame): boolean {
    const [source] = this.#source
    if (source?.endTicks === undefined) return false
    const ofSource = source.currentSegment.initVersion
    const tolerance = isKeyFrame ? this.#keyTolerance : roundingTicks
    return ofSource < version || (ofSource === version && ticks >= source.endTicks - tolerance)
  }

  /**
   * Rejects a picture that depends on missing ones. Also rejects a key frame that would open its segment away from
   * the segment's start, because the beginning is missing.
   */
  #canTake({ startTicks }: SourceSegment, { ticks, isKeyFrame }: RungFrame): boolean {
    if (this.#isOpen || !isKeyFrame) return this.#isWhole
    return Math.abs(ticks - startTicks) <= this.#keyTolerance
  }

  get #keyTolerance(): number {
    return keyToleranceSeconds * this.#options.timescale
  }

  #open({ currentSegment, startTicks }: SourceSegment, format: TrackFormat, initVersion: number): void {
    const isBreak = currentSegment.isDiscontinuity || this.#rendition === undefined
    if (isBreak) {
      this.#maker.startAt(startTicks)
      this.#lastTicks = 0
    }
    const own = { ...currentSegment, initVersion }
    if (this.#rendition?.formatOf(initVersion) === undefined) this.#options.onInit(initVersion, format)
    if (this.#rendition === undefined) {
      const inits = [{ version: initVersion, epoch: own.epoch, format }]
      this.#rendition = new Rendition(
        this.track,
        { inits, segments: [], currentSegment: own },
        this.#options.store,
      )
    } else this.#rendition.openAs(own, format)
    this.#isOpen = true
  }

  /** The rung's own init segment may still be unknown, so a gap uses the previous one. */
  #openGap(source: SourceSegment): void {
    const { format, currentSegment } = this.#rendition!
    this.#open(source, format, currentSegment.initVersion)
  }

  /** Ends the segment at the end of the source segment, or at the picture that starts the next one. */
  #close(next?: RungFrame): void {
    const source = this.#source[0]!
    if (this.#rendition !== undefined) {
      if (!this.#isOpen) this.#openGap(source)
      const endTicks = source.endTicks!
      const isCutByNext =
        next?.version === source.currentSegment.initVersion &&
        Math.abs(next.ticks - endTicks) <= this.#keyTolerance
      this.#maker.cutAt(isCutByNext ? Math.max(next.ticks, this.#lastTicks + 1) : endTicks)
    }
    this.#source.shift()
    this.#isOpen = false
  }
}

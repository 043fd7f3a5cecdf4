import type { SegmentOpening } from './live-media.ts'
import { PartMaker } from './part-maker.ts'
import type { WindowPlan } from './plan-window.ts'
import { Rendition, type RenditionStart } from './rendition.ts'
import type { SegmentStore } from './segment-store.ts'
import { trackIds, type LadderTrack, type TrackFormat } from './track-format.ts'

/** A segment of the source's pictures, whose number and cuts all rungs have. */
export interface SourceSegment {
  readonly opening: SegmentOpening
  readonly startTicks: number
  /** Undefined while it is being made. */
  readonly endTicks: number | undefined
  readonly startedAtMs: number
}

/** A picture of a rung. It is shown when it is decoded: rungs have no B-frames. */
export interface RungFrame {
  /** Which stretch of the source it was made of. */
  readonly version: number
  /** On the media timeline, at 90 kHz. */
  readonly ticks: number
  readonly isKeyFrame: boolean
  readonly data: Buffer
}

export interface LadderRenditionOptions {
  readonly track: LadderTrack
  /** No part lasts longer. */
  readonly partTicks: number
  readonly timescale: number
  /** Where its old segments lie. */
  readonly store: SegmentStore | undefined
  /** What there is of it from another process. */
  readonly start: RenditionStart | undefined
  /** Its segments of a stretch need this init segment. */
  readonly onInit: (version: number, format: TrackFormat) => void
  /** Something has been added to its playlist. */
  readonly onChange: () => void
}

/** Decode times that were rounded to milliseconds twice lie so far from the cut that they make. */
const keyToleranceSeconds = 0.005
const roundingTicks = 2

/**
 * Makes a lower rung of the source's segments: the same numbers, cut at the same instants. The source is always ahead, so where it was cut is known
 * before the rung's first picture behind the cut comes. What does not come is a gap, and the rung goes on with the next segment.
 */
export class LadderRendition {
  readonly track: LadderTrack
  readonly #options: LadderRenditionOptions
  readonly #maker: PartMaker
  #rendition: Rendition | undefined
  #format: TrackFormat | undefined
  /** From the one that is being made to the newest of the source. */
  #source: SourceSegment[] = []
  /** The first of these has parts. */
  #isOpen = false
  /** Nothing is missing since the last key frame. */
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

  /** Undefined until its first segment is whole. */
  get rendition(): Rendition | undefined {
    return this.#rendition && this.#rendition.firstKept < this.#rendition.opening.number
      ? this.#rendition
      : undefined
  }
  get keptBytes(): number {
    return this.#rendition?.keptBytes ?? 0
  }

  keep(plan: WindowPlan): void {
    this.#rendition?.keep(plan)
  }

  /** The source begins a segment, or has ended it. */
  follow(segment: SourceSegment): void {
    if (this.#source.at(-1)?.opening.number === segment.opening.number) this.#source.pop()
    this.#source.push(segment)
  }

  /** The source breaks: nothing of what was encoded before belongs behind its last segment. */
  breakOff(): void {
    if (this.#source.at(-1)?.endTicks === undefined) this.#source.pop()
  }

  /** An encoder begins: with a key frame, and knowing nothing of what was before. */
  begin(format: TrackFormat): void {
    this.#format = format
    this.#isWhole = false
  }

  add(frame: RungFrame): void {
    const format = this.#format
    if (format === undefined || !Number.isSafeInteger(frame.ticks)) return
    while (this.#isBehind(frame)) this.#close(frame)
    const source = this.#source[0]
    if (source === undefined || source.opening.initVersion !== frame.version) return
    if (!this.#canTake(source, frame)) {
      this.#isWhole = false
      return
    }
    this.#isWhole = true
    if (!this.#isOpen) this.#open(source, format, source.opening.initVersion)
    const startTicks = Math.max(frame.ticks, this.#lastTicks + 1)
    this.#lastTicks = startTicks
    const { isKeyFrame: isSync, data } = frame
    this.#maker.add({ decodeTicks: startTicks, startTicks, compositionTicks: 0, isSync, data })
  }

  /** What has not come of the time before is missing for good. */
  missUntil(ticks: number, version: number): void {
    let source = this.#source[0]
    while (
      source?.endTicks !== undefined &&
      (source.opening.initVersion < version || source.endTicks <= ticks)
    ) {
      this.#isWhole = false
      this.#close()
      source = this.#source[0]
    }
    if (source === undefined || this.#rendition === undefined || source.opening.initVersion !== version)
      return
    if (ticks <= Math.max(this.#lastTicks, source.startTicks)) return
    this.#isWhole = false
    if (!this.#isOpen) this.#openGap(source)
    this.#maker.advanceTo(ticks)
  }

  #isBehind({ version, ticks, isKeyFrame }: RungFrame): boolean {
    const [source] = this.#source
    if (source?.endTicks === undefined) return false
    const ofSource = source.opening.initVersion
    const tolerance = isKeyFrame ? this.#keyTolerance : roundingTicks
    return ofSource < version || (ofSource === version && ticks >= source.endTicks - tolerance)
  }

  /**
   * In the middle of a segment, players would find a picture that needs others, or an init segment that is not what they were told.
   * A key frame there that would be the first of its segment says that the beginning was left out.
   */
  #canTake({ startTicks }: SourceSegment, { ticks, isKeyFrame }: RungFrame): boolean {
    if (this.#isOpen || !isKeyFrame) return this.#isWhole
    return Math.abs(ticks - startTicks) <= this.#keyTolerance
  }

  get #keyTolerance(): number {
    return keyToleranceSeconds * this.#options.timescale
  }

  #open({ opening, startTicks }: SourceSegment, format: TrackFormat, initVersion: number): void {
    const isBreak = opening.isDiscontinuity || this.#rendition === undefined
    if (isBreak) {
      this.#maker.startAt(startTicks)
      this.#lastTicks = 0
    }
    const own = { ...opening, initVersion }
    if (this.#rendition?.formatOf(initVersion) === undefined) this.#options.onInit(initVersion, format)
    if (this.#rendition === undefined) {
      const inits = [{ version: initVersion, format }]
      this.#rendition = new Rendition(this.track, { inits, segments: [], opening: own }, this.#options.store)
    } else this.#rendition.openAs(own, format)
    this.#isOpen = true
  }

  /** Its own init segment may not be known yet: a gap has that of what came before. */
  #openGap(source: SourceSegment): void {
    const { format, opening } = this.#rendition!
    this.#open(source, format, opening.initVersion)
  }

  /** Ends the segment where the source's ended, or with the picture that begins the next one. */
  #close(next?: RungFrame): void {
    const source = this.#source[0]!
    if (this.#rendition !== undefined) {
      if (!this.#isOpen) this.#openGap(source)
      const endTicks = source.endTicks!
      const isCutByNext =
        next?.version === source.opening.initVersion && Math.abs(next.ticks - endTicks) <= this.#keyTolerance
      this.#maker.cutAt(isCutByNext ? Math.max(next.ticks, this.#lastTicks + 1) : endTicks)
    }
    this.#source.shift()
    this.#isOpen = false
  }
}

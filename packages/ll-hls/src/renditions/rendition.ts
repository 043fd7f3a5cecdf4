import type { LivePart, LiveSegment, SegmentHeader } from '../media/live-media.ts'
import type { WindowPlan } from './plan-window.ts'
import type { SegmentStore } from './segment-store.ts'
import type { TrackFormat, TrackKind, TrackName } from '../media/track-format.ts'

/** An init segment, kept as long as a segment needs it. */
export interface InitVersion {
  readonly version: number
  readonly epoch: number
  readonly format: TrackFormat
}

export interface RenditionStart {
  readonly inits: readonly InitVersion[]
  readonly segments: readonly LiveSegment[]
  readonly currentSegment: SegmentHeader
}

export type RenditionStore = Pick<SegmentStore, 'has' | 'read'>

/**
 * The state of one track: the segments in the window, recently removed segments, and the parts of the current
 * segment.
 */
export class Rendition {
  readonly name: TrackName
  readonly #store: RenditionStore | undefined
  #segments: LiveSegment[]
  /** Segments that have left the playlist but are still served to clients with an older one. */
  #leaving: LiveSegment[] = []
  /** The parts of the current segment so far. */
  #open: { parts: LivePart[]; sizeBytes: number } = { parts: [], sizeBytes: 0 }
  #currentSegment: SegmentHeader
  #inits: readonly InitVersion[]
  #keptBytes = 0
  /** First segment whose bytes may be in memory. */
  #firstInMemory: number
  #state = 0

  constructor(name: TrackName, { inits, segments, currentSegment }: RenditionStart, store?: RenditionStore) {
    this.name = name
    this.#store = store
    this.#inits = inits
    this.#segments = [...segments]
    this.#currentSegment = currentSegment
    this.#firstInMemory = currentSegment.number
  }

  get kind(): TrackKind {
    return this.format.kind
  }
  get segments(): readonly LiveSegment[] {
    return this.#segments
  }
  get openParts(): readonly LivePart[] {
    return this.#open.parts
  }
  get openBytes(): number {
    return this.#open.sizeBytes
  }
  get currentSegment(): SegmentHeader {
    return this.#currentSegment
  }
  get firstKept(): number {
    return (this.#leaving[0] ?? this.#segments[0] ?? this.#currentSegment).number
  }
  /** All earlier segments are in the store. */
  get firstInMemory(): number {
    return Math.max(this.#firstInMemory, this.firstKept)
  }
  /** RFC 8216bis 6.2.2: number of discontinuities whose tags have been removed. */
  get discontinuitySequence(): number {
    const { discontinuitySequence, isDiscontinuity } = this.#segments[0] ?? this.#currentSegment
    return discontinuitySequence - (isDiscontinuity ? 1 : 0)
  }
  get state(): number {
    return this.#state
  }
  /** Stays constant while a segment is in progress. */
  get segmentState(): string {
    return `${this.#segments[0]?.number} ${this.#currentSegment.number} ${this.#currentSegment.initVersion}`
  }
  get keptBytes(): number {
    return this.#keptBytes + this.#open.sizeBytes
  }
  get format(): TrackFormat {
    return this.#inits.at(-1)!.format
  }

  formatOf(version: number): TrackFormat | undefined {
    return this.#inits.find((init) => init.version === version)?.format
  }

  epochOf(version: number): number {
    return this.#inits.find((init) => init.version === version)!.epoch
  }

  /** Starts another period with the next segment. */
  breakWith(format: TrackFormat, version: number, startedAtMs: number): void {
    const { number, epoch, isDiscontinuity, discontinuitySequence } = this.#currentSegment
    this.#inits = [...this.#inits, { version, epoch, format }]
    this.#currentSegment = {
      number,
      epoch,
      initVersion: version,
      startedAtMs,
      isDiscontinuity: true,
      discontinuitySequence: discontinuitySequence + (isDiscontinuity ? 0 : 1),
    }
  }

  /** Starts the next segment like another rendition did. `format` is used only for a new init segment. */
  openAs(currentSegment: SegmentHeader, format: TrackFormat): void {
    const { initVersion: version, epoch } = currentSegment
    if (this.formatOf(version) === undefined) this.#inits = [...this.#inits, { version, epoch, format }]
    this.#currentSegment = currentSegment
  }

  addPart(part: LivePart): void {
    this.#open.parts.push(part)
    this.#open.sizeBytes += part.data.length
    this.#state++
  }

  /** Completes the current segment from its parts. `sizeBytes` overrides the total size of the parts. */
  closeSegment(span: {
    startTicks: number
    endTicks: number
    startedAtMs: number
    sizeBytes?: number
  }): LiveSegment {
    const { timescale } = this.formatOf(this.#currentSegment.initVersion)!
    const durationTicks = span.endTicks - span.startTicks
    const parts = this.#open.parts
    const segment: LiveSegment = {
      ...this.#currentSegment,
      startTicks: span.startTicks,
      startSeconds: span.startTicks / timescale,
      durationTicks,
      durationSeconds: durationTicks / timescale,
      startedAtMs: span.startedAtMs,
      isIndependent: parts[0]?.isIndependent === true,
      isGap: parts.every((part) => part.isGap),
      parts,
      sizeBytes: span.sizeBytes ?? this.#open.sizeBytes,
    }
    this.#segments.push(segment)
    this.#keptBytes += this.#open.sizeBytes
    this.#open = { parts: [], sizeBytes: 0 }
    this.#currentSegment = nextOf(this.#currentSegment)
    this.#state++
    return segment
  }

  /** Removes segments from the playlist, drops older ones, and releases bytes that the store has. */
  keep({ firstNumber, firstKept, firstInMemory }: WindowPlan): void {
    const leavingCount = this.#segments.findIndex(({ number }) => number >= firstNumber)
    if (leavingCount !== 0)
      this.#leaving.push(...this.#segments.splice(0, leavingCount < 0 ? Infinity : leavingCount))
    while (this.#leaving.length > 0 && this.#leaving[0]!.number < firstKept)
      this.#keptBytes -= bytesInMemory(this.#leaving.shift()!)
    const oldest = (this.#leaving[0] ?? this.#segments[0] ?? this.#currentSegment).initVersion
    if (this.#inits[0]!.version < oldest) this.#inits = this.#inits.filter(({ version }) => version >= oldest)
    this.#release(firstInMemory)
  }

  /** Returns a complete segment, including one that has recently left the playlist. */
  segment(number: number): LiveSegment | undefined {
    const index = number - this.firstKept
    return index < this.#leaving.length ? this.#leaving[index] : this.#segments[index - this.#leaving.length]
  }

  /**
   * Returns the bytes of a complete segment as consecutive pieces, or undefined when the segment is
   * unavailable.
   */
  read(number: number): readonly Buffer[] | Promise<readonly Buffer[]> | undefined {
    const segment = this.segment(number)
    if (segment === undefined) return undefined
    if (this.#store === undefined || this.isInMemory(number)) return segment.parts.map(({ data }) => data)
    return this.#store.read(this.name, number).then((data) => [data])
  }

  isInMemory(number: number): boolean {
    const segment = this.segment(number)
    return segment !== undefined && (segment.isGap || segment.parts.length > 0)
  }

  part(number: number, index: number): LivePart | undefined {
    return (number === this.#currentSegment.number ? this.#open.parts : this.segment(number)?.parts)?.[index]
  }

  readPart(number: number, index: number): readonly Buffer[] | undefined {
    const part = this.part(number, index)
    return part && [part.data]
  }

  unstoredBytes(number: number): number {
    const segment = this.segment(number)
    return segment === undefined || this.#store?.has(this.name, number) === true ? 0 : bytesInMemory(segment)
  }

  #release(firstInMemory: number): void {
    const store = this.#store
    if (store === undefined) return
    let isAllStored = true
    for (let number = Math.max(this.#firstInMemory, this.firstKept); number < firstInMemory; number++) {
      const segment = this.segment(number)
      if (segment === undefined) break
      const isReleased = segment.isGap || segment.parts.length === 0 || store.has(this.name, number)
      if (isReleased && segment.parts.length > 0) {
        this.#keptBytes -= bytesInMemory(segment)
        this.#replace(number, { ...segment, parts: [] })
      }
      isAllStored &&= isReleased
      if (isAllStored) this.#firstInMemory = number + 1
    }
  }

  #replace(number: number, segment: LiveSegment): void {
    const index = number - this.firstKept
    if (index < this.#leaving.length) this.#leaving[index] = segment
    else this.#segments[index - this.#leaving.length] = segment
  }
}

const nextOf = ({ number, epoch, discontinuitySequence, initVersion }: SegmentHeader): SegmentHeader => ({
  number: number + 1,
  epoch,
  discontinuitySequence,
  initVersion,
  isDiscontinuity: false,
})

const bytesInMemory = ({ parts }: LiveSegment): number =>
  parts.reduce((sum, { data }) => sum + data.length, 0)

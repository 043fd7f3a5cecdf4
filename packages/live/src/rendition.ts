import type { LivePart, LiveSegment, SegmentOpening } from './live-media.ts'
import type { WindowPlan } from './plan-window.ts'
import type { SegmentStore } from './segment-store.ts'
import type { TrackFormat, TrackKind, TrackName } from './track-format.ts'

/** An init segment stays as long as a segment needs it. */
export interface InitVersion {
  readonly version: number
  readonly format: TrackFormat
}

export interface RenditionStart {
  /** At least that of the segment that is being made. */
  readonly inits: readonly InitVersion[]
  /** Whole ones, from another process. */
  readonly segments: readonly LiveSegment[]
  readonly opening: SegmentOpening
}

/** Where bytes lie that are in memory no longer. */
export type RenditionStore = Pick<SegmentStore, 'has' | 'read'>

/** What is kept of one track: the segments of the window, those that have just left it, and the parts of the next one. */
export class Rendition {
  readonly name: TrackName
  readonly #store: RenditionStore | undefined
  #segments: LiveSegment[]
  /** Out of the playlist, but still served to who has an older one. */
  #leaving: LiveSegment[] = []
  #openParts: LivePart[] = []
  #openBytes = 0
  #opening: SegmentOpening
  #inits: readonly InitVersion[]
  #keptBytes = 0
  /** The first one whose bytes may be here. */
  #firstInMemory: number
  /** Grows with each change of what the playlist says. */
  #state = 0

  constructor(name: TrackName, { inits, segments, opening }: RenditionStart, store?: RenditionStore) {
    this.name = name
    this.#store = store
    this.#inits = inits
    this.#segments = [...segments]
    this.#opening = opening
    this.#firstInMemory = opening.number
  }

  get kind(): TrackKind {
    return this.format.kind
  }
  get segments(): readonly LiveSegment[] {
    return this.#segments
  }
  get openParts(): readonly LivePart[] {
    return this.#openParts
  }
  get openBytes(): number {
    return this.#openBytes
  }
  get opening(): SegmentOpening {
    return this.#opening
  }
  /** Of the oldest segment that is still served. */
  get firstKept(): number {
    return (this.#leaving[0] ?? this.#segments[0] ?? this.#opening).number
  }
  /** Below, all is in the store. */
  get firstInMemory(): number {
    return Math.max(this.#firstInMemory, this.firstKept)
  }
  /** RFC 8216bis 6.2.2: counts the discontinuities whose tags have left. */
  get discontinuitySequence(): number {
    const { discontinuitySequence, isDiscontinuity } = this.#segments[0] ?? this.#opening
    return discontinuitySequence - (isDiscontinuity ? 1 : 0)
  }
  get state(): number {
    return this.#state
  }
  /** Stays the same while a segment is being made. */
  get segmentState(): string {
    return `${this.#segments[0]?.number} ${this.#opening.number} ${this.#opening.initVersion}`
  }
  /** In memory. */
  get keptBytes(): number {
    return this.#keptBytes + this.#openBytes
  }
  /** Of the newest init segment. */
  get format(): TrackFormat {
    return this.#inits.at(-1)!.format
  }

  formatOf(version: number): TrackFormat | undefined {
    return this.#inits.find((init) => init.version === version)?.format
  }

  /** What follows belongs to another stretch. */
  breakWith(format: TrackFormat, version: number, startedAtMs: number): void {
    const { number, isDiscontinuity, discontinuitySequence } = this.#opening
    this.#inits = [...this.#inits, { version, format }]
    this.#opening = {
      number,
      initVersion: version,
      startedAtMs,
      isDiscontinuity: true,
      discontinuitySequence: discontinuitySequence + (isDiscontinuity ? 0 : 1),
    }
  }

  /** Begins its next segment as another rendition did; `format` counts where the init segment is a new one. */
  openAs(opening: SegmentOpening, format: TrackFormat): void {
    const version = opening.initVersion
    if (this.formatOf(version) === undefined) this.#inits = [...this.#inits, { version, format }]
    this.#opening = opening
  }

  addPart(part: LivePart): void {
    this.#openParts.push(part)
    this.#openBytes += part.data.length
    this.#state++
  }

  /** The parts so far become a segment, of so many bytes if not of theirs alone. */
  closeSegment(span: {
    startTicks: number
    endTicks: number
    startedAtMs: number
    sizeBytes?: number
  }): LiveSegment {
    const { timescale } = this.formatOf(this.#opening.initVersion)!
    const durationTicks = span.endTicks - span.startTicks
    const parts = this.#openParts
    const segment: LiveSegment = {
      ...this.#opening,
      startTicks: span.startTicks,
      startSeconds: span.startTicks / timescale,
      durationTicks,
      durationSeconds: durationTicks / timescale,
      startedAtMs: span.startedAtMs,
      isIndependent: parts[0]?.isIndependent === true,
      isGap: parts.every((part) => part.isGap),
      parts,
      sizeBytes: span.sizeBytes ?? this.#openBytes,
    }
    this.#segments.push(segment)
    this.#keptBytes += this.#openBytes
    this.#openParts = []
    this.#openBytes = 0
    const { number, discontinuitySequence, initVersion } = this.#opening
    this.#opening = { number: number + 1, discontinuitySequence, initVersion, isDiscontinuity: false }
    this.#state++
    return segment
  }

  /** Takes segments out of the playlist, forgets those before, and leaves bytes to the store that it has. */
  keep({ firstNumber, firstKept, firstInMemory }: WindowPlan): void {
    const leavingCount = this.#segments.findIndex(({ number }) => number >= firstNumber)
    if (leavingCount !== 0)
      this.#leaving.push(...this.#segments.splice(0, leavingCount < 0 ? Infinity : leavingCount))
    while (this.#leaving.length > 0 && this.#leaving[0]!.number < firstKept)
      this.#keptBytes -= bytesInMemory(this.#leaving.shift()!)
    const oldest = (this.#leaving[0] ?? this.#segments[0] ?? this.#opening).initVersion
    if (this.#inits[0]!.version < oldest) this.#inits = this.#inits.filter(({ version }) => version >= oldest)
    this.#release(firstInMemory)
  }

  /** A whole segment, also one that has just left the playlist. */
  segment(number: number): LiveSegment | undefined {
    const index = number - this.firstKept
    return index < this.#leaving.length ? this.#leaving[index] : this.#segments[index - this.#leaving.length]
  }

  /** The bytes of a whole segment, in pieces that belong one behind the other; undefined where it is not, or no longer, there. */
  read(number: number): readonly Buffer[] | Promise<readonly Buffer[]> | undefined {
    const segment = this.segment(number)
    if (segment === undefined) return undefined
    if (this.#store === undefined || this.isInMemory(number)) return segment.parts.map(({ data }) => data)
    return this.#store.read(this.name, number).then((data) => [data])
  }

  /** Whether the bytes of a whole segment are at hand. */
  isInMemory(number: number): boolean {
    const segment = this.segment(number)
    return segment !== undefined && (segment.isGap || segment.parts.length > 0)
  }

  /** Of a whole segment or of the one that is being made. */
  part(number: number, index: number): LivePart | undefined {
    return (number === this.#opening.number ? this.#openParts : this.segment(number)?.parts)?.[index]
  }

  /** The bytes of a part, in pieces. */
  readPart(number: number, index: number): readonly Buffer[] | undefined {
    const part = this.part(number, index)
    return part && [part.data]
  }

  /** Bytes of a segment that lie in memory, because no store has them. */
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

const bytesInMemory = ({ parts }: LiveSegment): number =>
  parts.reduce((sum, { data }) => sum + data.length, 0)

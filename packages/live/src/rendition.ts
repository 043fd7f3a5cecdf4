import type { LivePart, LiveSegment } from './live-media.ts'
import type { TrackFormat, TrackKind } from './track-format.ts'

/** An init segment stays as long as a segment needs it. */
interface InitVersion {
  readonly version: number
  readonly format: TrackFormat
}

/** How a segment that is being made began. */
export interface SegmentOpening {
  readonly number: number
  readonly isDiscontinuity: boolean
  readonly initVersion: number
}

/** What is kept of one track: the segments of the window, those that have just left it, and the parts of the next one. */
export class Rendition {
  readonly kind: TrackKind
  #segments: LiveSegment[] = []
  /** Out of the playlist, but still served to who has an older one. */
  #leaving: LiveSegment[] = []
  #openParts: LivePart[] = []
  #openBytes = 0
  #opening: SegmentOpening
  #inits: InitVersion[]
  #discontinuitiesGone: number
  #keptBytes = 0
  /** Grows with each change of what the playlist says. */
  #state = 0

  /** `discontinuitySequence` is not 0 where other renditions have been there for longer. */
  constructor(kind: TrackKind, format: TrackFormat, opening: SegmentOpening, discontinuitySequence: number) {
    this.kind = kind
    this.#discontinuitiesGone = discontinuitySequence
    this.#opening = opening
    this.#inits = [{ version: opening.initVersion, format }]
  }

  get segments(): readonly LiveSegment[] {
    return this.#segments
  }
  /** Older than all of these, oldest first. */
  get leaving(): readonly LiveSegment[] {
    return this.#leaving
  }
  get openParts(): readonly LivePart[] {
    return this.#openParts
  }
  get opening(): SegmentOpening {
    return this.#opening
  }
  get discontinuitySequence(): number {
    return this.#discontinuitiesGone
  }
  get state(): number {
    return this.#state
  }
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
  breakWith(format: TrackFormat, version: number): void {
    this.#inits.push({ version, format })
    this.#opening = { ...this.#opening, initVersion: version, isDiscontinuity: true }
  }

  addPart(part: LivePart): void {
    this.#openParts.push(part)
    this.#openBytes += part.data.length
    this.#state++
  }

  /** The parts so far become a segment. */
  closeSegment(span: { startTicks: number; endTicks: number; startedAtMs: number }): void {
    const { timescale } = this.formatOf(this.#opening.initVersion)!
    const durationTicks = span.endTicks - span.startTicks
    const parts = this.#openParts
    this.#segments.push({
      ...this.#opening,
      startTicks: span.startTicks,
      durationTicks,
      durationSeconds: durationTicks / timescale,
      startedAtMs: span.startedAtMs,
      isIndependent: parts[0]?.isIndependent === true,
      isGap: parts.every((part) => part.isGap),
      parts,
      sizeBytes: this.#openBytes,
    })
    this.#keptBytes += this.#openBytes
    this.#openParts = []
    this.#openBytes = 0
    this.#opening = { ...this.#opening, number: this.#opening.number + 1, isDiscontinuity: false }
    this.#state++
  }

  /** Takes segments below `firstNumber` out of the playlist, and forgets those below `firstKept`. */
  forget(firstNumber: number, firstKept: number): void {
    while (this.#segments.length > 0 && this.#segments[0]!.number < firstNumber) {
      const segment = this.#segments.shift()!
      // RFC 8216bis 6.2.2: counts the discontinuities whose tags have left.
      if (segment.isDiscontinuity) this.#discontinuitiesGone++
      this.#leaving.push(segment)
    }
    while (this.#leaving.length > 0 && this.#leaving[0]!.number < firstKept) {
      this.#keptBytes -= this.#leaving.shift()!.sizeBytes
    }
    const oldest = (this.#leaving[0] ?? this.#segments[0] ?? this.#opening).initVersion
    this.#inits = this.#inits.filter(({ version }) => version >= oldest)
  }

  /** A whole segment, also one that has just left the playlist. */
  segment(number: number): LiveSegment | undefined {
    const first = this.#leaving[0]?.number ?? this.#segments[0]?.number ?? 0
    const index = number - first
    return index < this.#leaving.length ? this.#leaving[index] : this.#segments[index - this.#leaving.length]
  }
}

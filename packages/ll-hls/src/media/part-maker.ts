import type { LivePart } from './live-media.ts'
import { writeFragment, type Frame } from './write-fragment.ts'

export interface PartMakerOptions {
  readonly timescale: number
  readonly trackId: number
  /** Maximum duration of a part. */
  readonly partTicks: number
  /** Called for each added frame before the frame is in a part. */
  readonly onFrame?: (frame: Frame) => void
  readonly onPart: (part: LivePart) => void
  readonly onSegment: (span: { startTicks: number; endTicks: number }) => void
}

/** RFC 8216bis 4.4.4.9: parts last at least 85 % of the target, except the last one of a segment. */
const leastShare = 0.85

/**
 * Splits one track's frames into parts. A frame's duration is known only when the next frame arrives, so each
 * call first completes the earlier frames.
 *
 * A picture belongs to the part in which it begins. When a picture lasts longer than a part, the part is
 * listed with the target duration, and the following parts are gaps.
 */
export class PartMaker {
  readonly #options: PartMakerOptions
  #frames: Frame[] = []
  #partStart = 0
  #segmentStart = 0
  #partIndex = 0
  #sequenceNumber = 0
  #waitingBytes = 0

  constructor(options: PartMakerOptions) {
    this.#options = options
  }

  get segmentStartTicks(): number {
    return this.#segmentStart
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get positionTicks(): number {
    return this.#partStart
  }

  /** Moves to another position on the timeline. Only allowed between segments. */
  startAt(ticks: number): void {
    this.#partStart = ticks
    this.#segmentStart = ticks
  }

  add(frame: Frame): void {
    this.#options.onFrame?.(frame)
    this.advanceTo(frame.startTicks)
    this.#frames.push(frame)
    this.#waitingBytes += frame.data.length
  }

  /** Reports that no frame begins before `endTicks`. */
  advanceTo(endTicks: number): void {
    const { partTicks } = this.#options
    const isLong = (ticks: number) => ticks - this.#partStart >= leastShare * partTicks
    const last = this.#frames.at(-1)
    if (
      last &&
      endTicks - this.#partStart > partTicks &&
      this.#frames.length > 1 &&
      isLong(last.startTicks)
    ) {
      this.#frames.pop()
      this.#makePart(last.startTicks, last.startTicks)
      this.#frames.push(last)
      this.#waitingBytes = last.data.length
    }
    while (endTicks - this.#partStart > partTicks) this.#makePart(this.#partStart + partTicks, endTicks)
    const nextEnd = last === undefined ? endTicks : endTicks + (endTicks - last.startTicks)
    if (this.#frames.length > 0 && isLong(endTicks) && nextEnd - this.#partStart > partTicks)
      this.#makePart(endTicks, endTicks)
  }

  /** Ends the segment at `endTicks`, or at the end of its last part when that is later. */
  cutAt(endTicks: number): void {
    this.advanceTo(endTicks)
    if (endTicks > this.#partStart || this.#frames.length > 0)
      this.#makePart(Math.max(endTicks, this.#partStart + 1), endTicks)
    this.#options.onSegment({ startTicks: this.#segmentStart, endTicks: this.#partStart })
    this.#segmentStart = this.#partStart
    this.#partIndex = 0
  }

  /** `partEnd` is the listed end of the part; `mediaEnd` is the end of its last frame. */
  #makePart(partEnd: number, mediaEnd: number): void {
    const frames = this.#frames
    this.#frames = []
    this.#waitingBytes = 0
    const durationSeconds = (partEnd - this.#partStart) / this.#options.timescale
    const isGap = frames.length === 0
    const data = isGap ? Buffer.alloc(0) : this.#write(frames, mediaEnd)
    this.#partStart = partEnd
    const index = this.#partIndex++
    this.#options.onPart({ index, durationSeconds, isIndependent: frames[0]?.isSync === true, isGap, data })
  }

  #write(frames: readonly Frame[], mediaEnd: number): Buffer {
    return writeFragment(frames, {
      trackId: this.#options.trackId,
      sequenceNumber: ++this.#sequenceNumber,
      endTicks: mediaEnd,
      isContinuation: this.#partIndex > 0,
    })
  }
}

import type { LivePart } from './live-media.ts'
import { writeFragment, type Frame } from './write-fragment.ts'

export interface PartMakerOptions {
  readonly timescale: number
  readonly trackId: number
  /** No part lasts longer. */
  readonly partTicks: number
  /** Each one that is added, before it is in any part. */
  readonly onFrame?: (frame: Frame) => void
  readonly onPart: (part: LivePart) => void
  readonly onSegment: (span: { startTicks: number; endTicks: number }) => void
}

/** RFC 8216bis 4.4.4.9: but for the last one of a segment, parts last at least 85 % of the target. */
const leastShare = 0.85

/**
 * Makes parts of one track's frames. A frame's duration is known with the next one; so each call first settles what came before.
 * A picture belongs to the part in which it begins. Where one lasts longer than its part may, the part is listed no longer than the target,
 * and parts in which none begins are gaps.
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

  /** Where the segment that is being made begins. */
  get segmentStartTicks(): number {
    return this.#segmentStart
  }

  /** Of frames that are in no part yet. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Where the last part ends. */
  get positionTicks(): number {
    return this.#partStart
  }

  /** Goes on elsewhere on the timeline; between segments only. */
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

  /** Says that nothing begins before `endTicks`. */
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

  /** Ends the segment at `endTicks`, or where its last part ended if that was later. */
  cutAt(endTicks: number): void {
    this.advanceTo(endTicks)
    if (endTicks > this.#partStart || this.#frames.length > 0)
      this.#makePart(Math.max(endTicks, this.#partStart + 1), endTicks)
    this.#options.onSegment({ startTicks: this.#segmentStart, endTicks: this.#partStart })
    this.#segmentStart = this.#partStart
    this.#partIndex = 0
  }

  /** `partEnd` is where the part is said to end, `mediaEnd` where its last frame does. */
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

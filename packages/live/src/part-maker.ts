import { createSampleTable, writeMediaSegment } from '@zoetrope/isobmff'
import type { LivePart } from './live-media.ts'

/** A frame on the media timeline, in ticks. */
export interface Frame {
  readonly decodeTicks: number
  /** Decode time moved by what the pictures of the stream are shown later: the timeline on which parts and segments are cut. */
  readonly startTicks: number
  readonly compositionTicks: number
  readonly isSync: boolean
  readonly data: Buffer
}

export interface PartMakerOptions {
  readonly timescale: number
  /** No part lasts longer. */
  readonly partTicks: number
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

  /** One buffer, so that frames are copied once, and nothing of the publisher's buffers is kept. */
  #write(frames: readonly Frame[], mediaEnd: number): Buffer {
    const table = createSampleTable(frames.length)
    frames.forEach((frame, index) => {
      const end = frames[index + 1]?.startTicks ?? mediaEnd
      table.sizes[index] = frame.data.length
      table.durations[index] = Math.max(0, end - frame.startTicks)
      table.compositionOffsets[index] = frame.compositionTicks
      table.isSync[index] = frame.isSync ? 1 : 0
    })
    return Buffer.concat(
      writeMediaSegment({
        sequenceNumber: ++this.#sequenceNumber,
        baseDecodeTime: frames[0]!.decodeTicks,
        table,
        firstSample: 0,
        sampleCount: frames.length,
        data: frames.map(({ data }) => data),
        isContinuation: this.#partIndex > 0,
      }),
    )
  }
}

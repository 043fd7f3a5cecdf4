import type { LivePart, LiveSegment, SegmentHeader } from '../media/live-media.ts'
import { formatOf, muxedStart, MuxedRendition, type MuxedTracks } from './muxed-rendition.ts'
import { opusPacketSamples } from '../media/opus-duration.ts'
import { trackIds } from '../media/track-format.ts'
import { writeFragment, type Frame } from '../media/write-fragment.ts'

type Pictures =
  | {
      readonly type: 'part'
      readonly currentSegment: SegmentHeader
      readonly part: LivePart
      readonly endSeconds: number
    }
  | { readonly type: 'segment'; readonly segment: LiveSegment }

interface Sound {
  readonly number: number
  readonly startSeconds: number
  readonly frame: Frame
}

/**
 * Appends the audio of the same time to each video part. Slightly late audio goes into the next part, but the
 * last part of a segment waits for its audio. A segment therefore has the same frames, whether it is loaded
 * in parts or as a whole.
 */
export class MuxedParts {
  #tracks: MuxedTracks | undefined
  #rendition: MuxedRendition | undefined
  #pictures: Pictures[] = []
  #sound: Sound[] = []
  #soundBytes = 0
  #sequenceNumber = 0

  /** Undefined until both tracks have started a common segment. */
  get rendition(): MuxedRendition | undefined {
    return this.#rendition
  }
  get keptBytes(): number {
    return this.#rendition?.keptBytes ?? 0
  }
  get unfinishedBytes(): number {
    return this.#soundBytes + (this.#rendition?.openBytes ?? 0)
  }

  /** Continues from the state of another process. */
  resume(tracks: MuxedTracks): void {
    const start = muxedStart(tracks)
    if (start) this.#rendition = new MuxedRendition(tracks, start)
  }

  /** Called when both tracks start their next segment, which may be their first common one. */
  begin(tracks: MuxedTracks): void {
    const { currentSegment } = tracks.video
    const { initVersion: version, epoch } = currentSegment
    const format = formatOf(tracks, version)
    this.#tracks = tracks
    this.#sound = []
    this.#soundBytes = 0
    if (format === null) this.#rendition = undefined
    else if (this.#rendition) this.#rendition.openAs(currentSegment, format)
    else
      this.#rendition = new MuxedRendition(tracks, {
        inits: [{ version, epoch, format }],
        segments: [],
        currentSegment,
      })
  }

  addPictures(currentSegment: SegmentHeader, part: LivePart, endSeconds: number): void {
    if (this.#rendition) this.#pictures.push({ type: 'part', currentSegment, part, endSeconds })
  }

  closePictures(segment: LiveSegment): void {
    if (this.#rendition) this.#pictures.push({ type: 'segment', segment })
  }

  addSound(number: number, frame: Frame, timescale: number): void {
    // Audio before the first common segment arrives after that segment has begun.
    if (this.#rendition === undefined || number < this.#rendition.currentSegment.number) return
    this.#sound.push({ number, startSeconds: frame.startTicks / timescale, frame })
    this.#soundBytes += frame.data.length
  }

  /**
   * Creates all parts that are complete. Called between frames, because the last part of a segment is only
   * known when the segment ends directly after it.
   */
  flush(): void {
    for (let item = this.#pictures[0]; item !== undefined; item = this.#pictures[0]) {
      const next = this.#pictures[1]
      const isLast = item.type === 'segment' || next?.type === 'segment'
      const { number } = item.type === 'part' ? item.currentSegment : item.segment
      if (isLast && !this.#isSoundWhole(number)) return
      this.#pictures.shift()
      if (item.type === 'segment') this.#close(item.segment)
      else this.#add(item, isLast ? Infinity : item.endSeconds)
    }
  }

  #isSoundWhole(number: number): boolean {
    return this.#tracks!.audio.currentSegment.number > number
  }

  #add({ currentSegment, part }: Extract<Pictures, { type: 'part' }>, untilSeconds: number): void {
    const rendition = this.#rendition!
    if (
      rendition.currentSegment.number !== currentSegment.number ||
      rendition.currentSegment.initVersion !== currentSegment.initVersion
    )
      rendition.openAs(currentSegment, rendition.format)
    const isDue = ({ number, startSeconds }: Sound) =>
      number <= currentSegment.number && startSeconds < untilSeconds
    const firstLater = this.#sound.findIndex((sound) => !isDue(sound))
    const due = this.#sound.splice(0, firstLater < 0 ? Infinity : firstLater)
    for (const { frame } of due) this.#soundBytes -= frame.data.length
    const data = due.length === 0 ? Buffer.alloc(0) : this.#write(due.map(({ frame }) => frame))
    rendition.addPart({ ...part, isGap: part.isGap && due.length === 0, data })
  }

  #close(pictures: LiveSegment): void {
    const { number, startTicks, durationTicks, startedAtMs } = pictures
    const endTicks = startTicks + durationTicks
    const sizeBytes = pictures.sizeBytes + (this.#tracks!.audio.segment(number)?.sizeBytes ?? 0)
    this.#rendition!.closeSegment({ startTicks, endTicks, startedAtMs, sizeBytes })
  }

  #write(frames: readonly Frame[]): Buffer {
    const { frameTicks } = this.#tracks!.audio.format
    const last = frames.at(-1)!
    return writeFragment(frames, {
      trackId: trackIds.audio,
      sequenceNumber: ++this.#sequenceNumber,
      endTicks: last.startTicks + (frameTicks || opusPacketSamples(last.data)),
      isContinuation: true,
    })
  }
}

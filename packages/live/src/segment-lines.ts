import { writeSegments, type Segment } from '@zoetrope/hls'
import type { LiveSegment } from './live-media.ts'

/** Names that never come to mean something else; they say nothing of where they are. */
export const uris = {
  init: (version: number) => `init-${version}.mp4`,
  segment: (number: number) => `${number}.m4s`,
  part: (number: number, index: number) => `${number}.${index}.m4s`,
} as const

/** A whole segment, without its parts. */
export const segmentEntry = (segment: LiveSegment): Segment => ({
  uri: uris.segment(segment.number),
  durationSeconds: segment.durationSeconds,
  programDateTime: new Date(segment.startedAtMs),
  initUri: uris.init(segment.initVersion),
  ...(segment.isDiscontinuity && { discontinuity: true }),
  ...(segment.isGap && { isGap: true }),
})

const blockLength = 32

/**
 * The lines of a rendition's segments, which never change once their parts are no longer listed: written once, in blocks of numbers. A playlist
 * of four hours has 7,200 segments, and is written anew for each part.
 */
export class SegmentLines {
  #blocks = new Map<number, string>()

  /** As many of the first `count` segments as have been written before or fill a block; in front of the first of them its init segment is in force. */
  before(
    segments: readonly LiveSegment[],
    count: number,
  ): { text: string; initUri: string; count: number } | undefined {
    const firstNumber = segments[0]?.number ?? 0
    const lead = Math.min((blockLength - (firstNumber % blockLength)) % blockLength, count)
    const end = lead + Math.floor((count - lead) / blockLength) * blockLength
    if (end <= lead) return undefined
    const texts = [this.#write(segments, 0, lead)]
    const blocks = new Map<number, string>()
    for (let from = lead; from < end; from += blockLength) {
      const { number } = segments[from]!
      const text = this.#blocks.get(number) ?? this.#write(segments, from, from + blockLength)
      blocks.set(number, text)
      texts.push(text)
    }
    this.#blocks = blocks
    return { text: texts.join(''), initUri: uris.init(segments[end - 1]!.initVersion), count: end }
  }

  #write(segments: readonly LiveSegment[], from: number, to: number): string {
    const before = segments[Math.max(0, from - 1)]!
    return writeSegments(segments.slice(from, to).map(segmentEntry), uris.init(before.initVersion))
  }
}

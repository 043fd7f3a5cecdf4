import { writeSegments, type Segment } from '@zoetrope/hls'
import type { LiveSegment } from '../media/live-media.ts'

/** URIs, relative to the rendition, that never change their meaning. */
export const uris = {
  init: (version: number) => `init-${version}.mp4`,
  segment: (number: number) => `${number}.m4s`,
  part: (number: number, index: number) => `${number}.${index}.m4s`,
} as const

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
 * Caches playlist lines of segments whose parts are no longer listed, because those lines never change. A
 * four-hour playlist has 7,200 segments and is rendered for each part, so the lines are cached in blocks.
 */
export class SegmentLines {
  #blocks = new Map<number, string>()

  /**
   * Returns the lines of as many of the first `count` segments as possible, in whole blocks. The caller
   * writes the first segment's init segment before them.
   */
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

import { writeSegments, type Segment } from '@zoetrope/hls'
import type { LiveSegment, SegmentHeader } from '../media/live-media.ts'
import type { Rendition } from '../renditions/rendition.ts'

type Named = Pick<SegmentHeader, 'number' | 'epoch'>
type Inits = Pick<Rendition, 'epochOf'>

const suffixOf = (epoch: number): string => (epoch === 0 ? '' : `-${epoch}`)

/** URIs, relative to the rendition, that never change their meaning, whichever process wrote the media. */
export const uris = {
  init: (version: number, inits: Inits) => `init-${version}${suffixOf(inits.epochOf(version))}.mp4`,
  segment: ({ number, epoch }: Named) => `${number}${suffixOf(epoch)}.m4s`,
  part: ({ number, epoch }: Named, index: number) => `${number}${suffixOf(epoch)}.${index}.m4s`,
  /** Template of DASH. */
  segments: (epoch: number) => `$Number$${suffixOf(epoch)}.m4s`,
} as const

export const segmentEntry = (segment: LiveSegment, inits: Inits): Segment => ({
  uri: uris.segment(segment),
  durationSeconds: segment.durationSeconds,
  programDateTime: new Date(segment.startedAtMs),
  initUri: uris.init(segment.initVersion, inits),
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
  before(rendition: Rendition, count: number): { text: string; initUri: string; count: number } | undefined {
    const { segments } = rendition
    const firstNumber = segments[0]?.number ?? 0
    const lead = Math.min((blockLength - (firstNumber % blockLength)) % blockLength, count)
    const end = lead + Math.floor((count - lead) / blockLength) * blockLength
    if (end <= lead) return undefined
    const texts = [this.#write(rendition, 0, lead)]
    const blocks = new Map<number, string>()
    for (let from = lead; from < end; from += blockLength) {
      const { number } = segments[from]!
      const text = this.#blocks.get(number) ?? this.#write(rendition, from, from + blockLength)
      blocks.set(number, text)
      texts.push(text)
    }
    this.#blocks = blocks
    const initUri = uris.init(segments[end - 1]!.initVersion, rendition)
    return { text: texts.join(''), initUri, count: end }
  }

  #write(rendition: Rendition, from: number, to: number): string {
    const { segments } = rendition
    const before = segments[Math.max(0, from - 1)]!
    const entries = segments.slice(from, to).map((segment) => segmentEntry(segment, rendition))
    return writeSegments(entries, uris.init(before.initVersion, rendition))
  }
}

import type { LiveSegment } from './live-media.ts'
import { Rendition, type InitVersion, type RenditionStart, type RenditionStore } from './rendition.ts'
import { formatOfBoth } from './track-format.ts'

/** The source's own. */
export interface MuxedTracks {
  readonly video: Rendition
  readonly audio: Rendition
}

/**
 * Pictures and sound as one. Of the parts only the sound is its own, cut where those of the pictures end; a segment is both others' of its number,
 * one behind the other.
 */
export class MuxedRendition extends Rendition {
  readonly #tracks: MuxedTracks

  constructor(tracks: MuxedTracks, start: RenditionStart) {
    super('av', start, storeOf(tracks))
    this.#tracks = tracks
  }

  override read(number: number): readonly Buffer[] | Promise<readonly Buffer[]> | undefined {
    if (this.segment(number) === undefined) return undefined
    const { video, audio } = this.#tracks
    const pictures = video.read(number)
    const sound = audio.read(number)
    if (pictures === undefined || sound === undefined) return undefined
    if (pictures instanceof Promise || sound instanceof Promise)
      return Promise.all([pictures, sound]).then((both) => both.flat())
    return [...pictures, ...sound]
  }

  override isInMemory(number: number): boolean {
    return areInMemory(this.#tracks, number)
  }

  /** What the others' store has is not lost with a part. */
  override unstoredBytes(number: number): number {
    const { video, audio } = this.#tracks
    const ofOthers = video.unstoredBytes(number) + audio.unstoredBytes(number)
    return ofOthers === 0 ? 0 : super.unstoredBytes(number)
  }

  override readPart(number: number, index: number): readonly Buffer[] | undefined {
    const sound = super.readPart(number, index)
    const pictures = this.#tracks.video.readPart(number, index)
    return pictures && sound && [...pictures, ...sound].filter(({ length }) => length > 0)
  }
}

const areInMemory = ({ video, audio }: MuxedTracks, number: number): boolean =>
  video.isInMemory(number) && audio.isInMemory(number)

/** Its parts are there as long as those of the others; segments lie where the others have them. */
const storeOf = (tracks: MuxedTracks): RenditionStore => ({
  has: (_track, number) => !areInMemory(tracks, number),
  read: () => Promise.reject(new Error('A muxed segment is read out of two others.')),
})

/** What both have of another process; null where that is nothing. */
export const muxedStart = ({ video, audio }: MuxedTracks): RenditionStart | null => {
  const inits: InitVersion[] = []
  const segments: LiveSegment[] = []
  for (const pictures of video.segments.toReversed()) {
    const { initVersion: version } = pictures
    const sound = audio.segment(pictures.number)
    if (sound === undefined) break
    if (inits[0]?.version !== version) {
      const format = formatOf({ video, audio }, version)
      if (format === null) break
      inits.unshift({ version, format })
    }
    const sizeBytes = pictures.sizeBytes + sound.sizeBytes
    segments.unshift({ ...pictures, isGap: pictures.isGap && sound.isGap, sizeBytes })
  }
  return segments.length === 0 ? null : { inits, segments, opening: video.opening }
}

/** Null where nobody could tell their frames apart, or the sound lost its own. */
export const formatOf = ({ video, audio }: MuxedTracks, version: number): InitVersion['format'] | null => {
  const pictures = video.formatOf(version)
  const sound = audio.formatOf(version)
  return pictures && sound ? formatOfBoth(pictures, sound) : null
}

import type { LiveSegment } from '../media/live-media.ts'
import { Rendition, type InitVersion, type RenditionStart, type RenditionStore } from './rendition.ts'
import { formatOfBoth } from '../media/track-format.ts'

export interface MuxedTracks {
  readonly video: Rendition
  readonly audio: Rendition
}

/**
 * Video and audio in one rendition. Each part stores only the audio bytes, cut at the end of the video part.
 * A segment is the concatenation of the video and audio segments with its number.
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

  /** Releasing a part loses nothing when the store of the other renditions has the segment. */
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

/**
 * Parts stay available as long as the parts of the other renditions. Segments are read from those renditions.
 */
const storeOf = (tracks: MuxedTracks): RenditionStore => ({
  has: (_track, number) => !areInMemory(tracks, number),
  read: () => Promise.reject(new Error('Muxed segments are not stored. Read the segments of both tracks.')),
})

/** Returns the restored state that both tracks share, or null when there is none. */
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
      inits.unshift({ version, epoch: video.epochOf(version), format })
    }
    const sizeBytes = pictures.sizeBytes + sound.sizeBytes
    segments.unshift({ ...pictures, isGap: pictures.isGap && sound.isGap, sizeBytes })
  }
  return segments.length === 0 ? null : { inits, segments, currentSegment: video.currentSegment }
}

/** Returns null when the track ids collide or the audio format is unknown. */
export const formatOf = ({ video, audio }: MuxedTracks, version: number): InitVersion['format'] | null => {
  const pictures = video.formatOf(version)
  const sound = audio.formatOf(version)
  return pictures && sound ? formatOfBoth(pictures, sound) : null
}

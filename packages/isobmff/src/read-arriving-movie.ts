import { IsobmffError } from './isobmff-error.ts'
import type { Movie } from './movie.ts'
import { withReadAhead, type RandomAccessReader } from './random-access-reader.ts'
import { readMovie } from './read-movie.ts'
import { topLevelBoxes } from './top-level-boxes.ts'

/**
 * What can be told of a file of which only the beginning is there. `waiting`: not yet, look again when it has so many bytes. `unfit`: not
 * before its end, because its index comes last or it is another format.
 */
export type ArrivingMovie =
  | { readonly state: 'here'; readonly movie: Movie }
  | { readonly state: 'waiting'; readonly neededBytes: number }
  | { readonly state: 'unfit' }

/** The longest header of a box. */
const headerBytes = 16
/**
 * Its bytes need not be there for a sample to be claimed, and whoever serves viewers reads the index: 30 MB of it, of three hours and a half at
 * 30 frames/s with sound.
 */
const maxArrivingSamples = 2 ** 20
/** Where the file does not say how much is missing. */
const someMoreBytes = 256 * 1024

/**
 * Reads the index of an MP4 or QuickTime file that is still arriving; `reader.sizeBytes` is what is there. Where the index comes first, the
 * movie tells of all samples, also of those whose bytes are still to come. Of a fragmented file it tells of the fragments that are whole.
 */
export const readArrivingMovie = async (reader: RandomAccessReader): Promise<ArrivingMovie> => {
  try {
    const extent = await findExtent(reader)
    if (extent.state !== 'here') return extent
    const movie = await readMovie({ ...reader, sizeBytes: extent.sizeBytes }, maxArrivingSamples)
    return { state: 'here', movie }
  } catch (error) {
    if (!(error instanceof IsobmffError)) throw error
    if (error.code !== 'truncated') return { state: 'unfit' }
    return waiting(reader.sizeBytes + someMoreBytes)
  }
}

const waiting = (neededBytes: number) => ({ state: 'waiting', neededBytes }) as const

/** How long the file may be taken to be: to the end of the media that its index speaks of, or of the last whole fragment. */
const findExtent = async (
  reader: RandomAccessReader,
): Promise<Exclude<ArrivingMovie, { state: 'here' }> | { state: 'here'; sizeBytes: number }> => {
  let hasIndex = false
  let isFragmented = false
  let sizeBytes = 0
  let nextOffset = 0
  if (reader.sizeBytes < headerBytes) return waiting(headerBytes)
  for await (const box of topLevelBoxes(withReadAhead(reader))) {
    const isHere = box.endOffset <= reader.sizeBytes
    if (box.type === 'mdat' && !hasIndex) return { state: 'unfit' }
    if (box.type === 'moof') isFragmented = true
    if (!isHere && (box.type === 'moov' || (isFragmented && sizeBytes === 0))) return waiting(box.endOffset)
    if (box.type === 'moov') hasIndex = true
    if (box.type === 'mdat' && (isHere || !isFragmented)) sizeBytes = box.endOffset
    nextOffset = box.endOffset
    // The next header may be cut off.
    if (reader.sizeBytes - nextOffset < headerBytes) break
  }
  return sizeBytes === 0 ? waiting(nextOffset + headerBytes) : { state: 'here', sizeBytes }
}

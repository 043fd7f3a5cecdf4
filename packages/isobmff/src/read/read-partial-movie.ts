import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { Movie } from '../movie/movie.ts'
import { withReadAhead, type RandomAccessReader } from '../boxes/random-access-reader.ts'
import { readMovie } from './read-movie.ts'
import { topLevelBoxes } from '../boxes/top-level-boxes.ts'

/**
 * Result for a file of which only the beginning has been received.
 *
 * - `waiting`: retry when `neededBytes` have been received.
 * - `unfit`: unreadable before the upload completes, because the index comes last or the format is different.
 */
export type PartialMovie =
  | { readonly state: 'here'; readonly movie: Movie }
  | { readonly state: 'waiting'; readonly neededBytes: number }
  | { readonly state: 'unfit' }

const headerBytes = 16
/**
 * Limits the samples claimed before their bytes exist. The index is read while serving viewers, so this
 * bounds it to 30 MB: 3.5 hours at 30 frames/s with audio.
 */
const maxPartialSamples = 2 ** 20
/** Used when the file does not reveal how many bytes are missing. */
const someMoreBytes = 256 * 1024

/**
 * Reads the index of an MP4 or QuickTime file during its upload. `reader.sizeBytes` is the number of bytes
 * received.
 *
 * When the index comes first, the movie describes all samples, including those still missing. For a
 * fragmented file it describes the complete fragments.
 */
export const readPartialMovie = async (reader: RandomAccessReader): Promise<PartialMovie> => {
  try {
    const extent = await findExtent(reader)
    if (extent.state !== 'here') return extent
    const movie = await readMovie({ ...reader, sizeBytes: extent.sizeBytes }, maxPartialSamples)
    return { state: 'here', movie }
  } catch (error) {
    if (!(error instanceof IsobmffError)) throw error
    if (error.code !== 'truncated') return { state: 'unfit' }
    return waiting(reader.sizeBytes + someMoreBytes)
  }
}

const waiting = (neededBytes: number) => ({ state: 'waiting', neededBytes }) as const

/**
 * Determines the usable size: the end of the media that the index describes, or of the last complete
 * fragment.
 */
const findExtent = async (
  reader: RandomAccessReader,
): Promise<Exclude<PartialMovie, { state: 'here' }> | { state: 'here'; sizeBytes: number }> => {
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
    // The next header may be incomplete.
    if (reader.sizeBytes - nextOffset < headerBytes) break
  }
  return sizeBytes === 0 ? waiting(nextOffset + headerBytes) : { state: 'here', sizeBytes }
}

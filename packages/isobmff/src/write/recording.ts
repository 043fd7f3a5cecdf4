import type { Movie } from '../movie/movie.ts'
import { withReadAhead, type RandomAccessReader } from '../boxes/random-access-reader.ts'
import { describeMovie, fragmentedTracks, readBody } from '../read/read-movie.ts'
import { maxMovieBoxBytes, readMovieBox, type MovieBox } from '../read/read-movie-box.ts'
import { maxFragmentBoxBytes, readMovieFragment, type FragmentedTrack } from '../read/read-movie-fragment.ts'
import { SampleBudget, type SampleTable } from '../movie/sample-table.ts'
import { topLevelBoxes } from '../boxes/top-level-boxes.ts'
import type { DescribedTrack } from '../movie/track-boxes.ts'
import { ascii, u32, u64, writeBox } from '../boxes/write-box.ts'
import { writeFragmentedMovieBox } from './write-init-segment.ts'
import { placeTracks, presentedSpan, writeMovieIndex } from './write-movie-index.ts'

/*
 * An MP4 that is playable at any time while it is written, and becomes progressive at the end without moving
 * media:
 *
 *   while in progress  ftyp  free  moov (no samples)  moof  mdat  moof  mdat …
 *   at the end         ftyp  mdat [ …all of the above…                    ]  moov (all samples)
 *
 * The second moov is written first; readers ignore it while the first moov is visible. A single write of
 * sixteen bytes then replaces the free box with an mdat header that covers everything in between.
 */

const ftyp = writeBox('ftyp', ascii('isom'), u32(0x200), ascii('isomiso6mp41'))
const coverBytes = 16
const room = writeBox('free', Buffer.alloc(coverBytes - 8))

/** Bytes at the start of a recording that change at its end. */
export const recordingHeaderBytes = ftyp.length + coverBytes

/** Returns the start of a recording. Its tracks have the ids 1, 2, … in this order. */
export const writeRecordingStart = (tracks: readonly DescribedTrack[]): Buffer =>
  Buffer.concat([ftyp, room, writeFragmentedMovieBox(tracks)])

export interface UnfinishedRecording {
  readonly movie: Movie
  readonly endOffset: number
}

/**
 * Ten seconds of video need a fragment header of this size. Reading more would fetch media, and a recording
 * may have fifty thousand fragments.
 */
const fragmentHeadBytes = 8 * 1024

/**
 * Reads the complete fragments of a recording whose writer may have been killed. Returns null for a finished
 * recording. Throws IsobmffError when the start is incomplete.
 */
export const readRecording = async (reader: RandomAccessReader): Promise<UnfinishedRecording | null> => {
  const source = withReadAhead(reader, fragmentHeadBytes)
  const budget = new SampleBudget(reader.sizeBytes)
  let moov: MovieBox | undefined
  let tracks: ReadonlyMap<number, FragmentedTrack> = new Map()
  let fragment: { readonly body: Buffer; readonly offset: number } | undefined
  let endOffset = 0
  for await (const box of topLevelBoxes(source)) {
    if (box.endOffset > reader.sizeBytes) break
    if (moov === undefined) {
      if (box.type === 'mdat') return null
      endOffset = box.endOffset
      if (box.type !== 'moov') continue
      moov = readMovieBox(await readBody(source, box, maxMovieBoxBytes), budget)
      tracks = fragmentedTracks(moov, budget)
    } else if (box.type === 'moof') {
      fragment = { body: await readBody(source, box, maxFragmentBoxBytes), offset: box.offset }
    } else if (box.type === 'mdat' && fragment !== undefined) {
      readMovieFragment(fragment.body, fragment.offset, reader.sizeBytes, tracks)
      endOffset = box.endOffset
      fragment = undefined
    } else {
      // The index of a recording that stopped before the final write.
      break
    }
  }
  const read = (moov?.tracks ?? []).map((track) => ({
    ...track,
    samples: tracks.get(track.id)?.samples.toTable() ?? track.samples,
  }))
  return { movie: describeMovie(read, true), endOffset }
}

export interface RecordingEnd {
  /** Write this at the end of the last fragment. */
  readonly index: Buffer
  /** Write this at `coverOffset` after the index is written. */
  readonly cover: Buffer
  readonly coverOffset: number
}

/** Returns the writes that finish a recording in place, or null when it has no samples. */
export const writeRecordingEnd = ({ movie, endOffset }: UnfinishedRecording): RecordingEnd | null => {
  const tracks = movie.tracks.filter(({ samples }) => samples.count > 0)
  if (tracks.length === 0) return null
  const laidOut = tracks.map((track) => ({ track, chunks: chunksOf(track.samples) }))
  const placed = placeTracks(
    laidOut.map(({ track, chunks }) => ({ ...track, chunks: chunks.counts })),
    Math.min(...tracks.map(({ samples, timescale }) => presentedSpan(samples).startTicks / timescale)),
  )
  const coverOffset = ftyp.length
  return {
    index: writeMovieIndex(
      placed,
      laidOut.map(({ chunks }) => chunks.offsets),
      endOffset > 0xffff_ffff,
    ),
    cover: Buffer.concat([u32(1), ascii('mdat'), u64(endOffset - coverOffset)]),
    coverOffset,
  }
}

/** Contiguous samples form a chunk: those of one fragment. */
const chunksOf = ({ count, offsets, sizes }: SampleTable): { counts: number[]; offsets: number[] } => {
  const chunks = { counts: [] as number[], offsets: [] as number[] }
  let end = -1
  for (let index = 0; index < count; index++) {
    const offset = offsets[index]!
    if (offset === end) chunks.counts[chunks.counts.length - 1]!++
    else {
      chunks.counts.push(1)
      chunks.offsets.push(offset)
    }
    end = offset + sizes[index]!
  }
  return chunks
}

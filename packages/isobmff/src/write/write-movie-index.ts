import type { SampleTable } from '../movie/sample-table.ts'
import { mediaBox, movieHeader, trackHeader, type DescribedTrack } from '../movie/track-boxes.ts'
import { u32, u64, writeBox, writeFullBox } from '../boxes/write-box.ts'
import { writeChunkOffsets, writeSampleTables } from './write-sample-tables.ts'

export interface FlatTrack extends DescribedTrack {
  /**
   * Decode times are on a timeline that all tracks share. Composition offsets must not be negative. Offsets
   * are ignored.
   */
  readonly samples: SampleTable
  /** Number of samples in each chunk, in order. Their sum is the sample count. */
  readonly chunks: readonly number[]
}

export interface PlacedTrack {
  readonly track: FlatTrack
  readonly tables: readonly Buffer[]
  readonly edits: Edits
  readonly durationTicks: number
}

/**
 * Uses an edit list to start the movie exactly at `startSeconds` of the tracks' timeline. Earlier samples
 * only prime decoders.
 */
export const placeTracks = (tracks: readonly FlatTrack[], startSeconds: number): PlacedTrack[] => {
  const timescale = movieTimescaleOf(tracks)
  return tracks.map((track) => ({
    track,
    tables: writeSampleTables(track.samples, track.chunks),
    edits: planEdits(track, startSeconds, timescale),
    durationTicks: track.samples.durations.reduce((sum, duration) => sum + duration, 0),
  }))
}

/** The first track's timescale, so that its edit needs no rounding. */
const movieTimescaleOf = (tracks: readonly FlatTrack[]): number => tracks[0]?.timescale ?? 1

interface Edits {
  readonly box: Buffer
  readonly durationTicks: number
}

const normalRate = 0x1_0000

/**
 * ISO/IEC 14496-12, 8.6.6: an empty edit when the track starts after the movie, then the media from the
 * movie's start.
 */
const planEdits = (
  { samples, timescale }: FlatTrack,
  startSeconds: number,
  movieTimescale: number,
): Edits => {
  const { startTicks, endTicks } = presentedSpan(samples)
  const movieStartTicks = Math.round(startSeconds * timescale)
  const delayTicks = Math.max(0, startTicks - movieStartTicks)
  const mediaTime = Math.max(startTicks, movieStartTicks) - samples.decodeTimes[0]!
  const toMovieTicks = (ticks: number) => (ticks * movieTimescale) / timescale
  const emptyTicks = Math.round(toMovieTicks(delayTicks))
  // Rounded up, because an edit that ends early cuts off the last picture or audio frame.
  const playedTicks = Math.ceil(toMovieTicks(endTicks - Math.max(startTicks, movieStartTicks)))
  const entries = [
    ...(emptyTicks > 0 ? [u64(emptyTicks), minusOne, u32(normalRate)] : []),
    ...[u64(playedTicks), u64(mediaTime), u32(normalRate)],
  ]
  return {
    box: writeBox('edts', writeFullBox('elst', 1, 0, u32(entries.length / 3), ...entries)),
    durationTicks: emptyTicks + playedTicks,
  }
}

/** Media time -1 marks an empty edit. */
const minusOne = Buffer.alloc(8, 0xff)

export const presentedSpan = ({ count, decodeTimes, compositionOffsets, durations }: SampleTable) => {
  let startTicks = Infinity
  let endTicks = -Infinity
  for (let index = 0; index < count; index++) {
    const presented = decodeTimes[index]! + compositionOffsets[index]!
    startTicks = Math.min(startTicks, presented)
    endTicks = Math.max(endTicks, presented + durations[index]!)
  }
  return { startTicks, endTicks }
}

/** Returns the moov of a progressive MP4. `offsets` are the file offsets of each track's chunks. */
export const writeMovieIndex = (
  placed: readonly PlacedTrack[],
  offsets: readonly (readonly number[])[],
  isLong: boolean,
): Buffer => {
  const timescale = movieTimescaleOf(placed.map(({ track }) => track))
  const durationTicks = Math.max(...placed.map(({ edits }) => edits.durationTicks))
  return writeBox(
    'moov',
    movieHeader({ timescale, durationTicks, nextTrackId: placed.length + 1 }),
    ...placed.map(({ track, tables, edits, durationTicks: mediaTicks }, index) =>
      writeBox(
        'trak',
        trackHeader(track, index + 1, edits.durationTicks),
        edits.box,
        mediaBox(track, mediaTicks, [...tables, writeChunkOffsets(offsets[index] ?? [], isLong)]),
      ),
    ),
  )
}

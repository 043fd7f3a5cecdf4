import type { SampleTable } from './sample-table.ts'
import { mediaBox, movieHeader, trackHeader, type DescribedTrack } from './track-boxes.ts'
import { ascii, u32, u64, writeBox, writeFullBox } from './write-box.ts'
import { writeChunkOffsets, writeSampleTables } from './write-sample-tables.ts'

export interface FlatTrack extends DescribedTrack {
  /** Decode times on a timeline that the tracks share; composition offsets must not be negative. Offsets do not matter. */
  readonly samples: SampleTable
  /** How many samples each chunk holds, in order; together all of them. */
  readonly chunks: readonly number[]
}

export interface FlatChunk {
  /** Numbers of the track, as it was given, and of its chunk. */
  readonly track: number
  readonly chunk: number
  readonly sizeBytes: number
}

/** An MP4 file as it is to be sent: its head, then the bytes of the chunks in this order. */
export interface FlatMovie {
  /** ftyp, moov and the header of the mdat. */
  readonly head: Buffer
  readonly chunks: readonly FlatChunk[]
  readonly sizeBytes: number
}

interface PlacedTrack {
  readonly track: FlatTrack
  readonly tables: readonly Buffer[]
  readonly edits: Edits
  readonly durationTicks: number
}

/**
 * Lays out a progressive MP4 (ISO/IEC 14496-12): the index first, then the chunks of all tracks in the order of their time. The movie
 * begins at `startSeconds` of the tracks' timeline, exactly, with an edit list; what lies before only primes decoders.
 */
export const layOutFlatMovie = (tracks: readonly FlatTrack[], startSeconds: number): FlatMovie => {
  // The first track's own ticks: its edit needs no rounding.
  const timescale = tracks[0]?.timescale ?? 1
  const chunks = interleave(tracks)
  const dataBytes = chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const placed = tracks.map((track): PlacedTrack => ({
    track,
    tables: writeSampleTables(track.samples, track.chunks),
    edits: planEdits(track, startSeconds, timescale),
    durationTicks: track.samples.durations.reduce((sum, duration) => sum + duration, 0),
  }))
  const mdatHeader = writeMdatHeader(dataBytes)
  const isLong = dataBytes > maxShortBytes
  const writeHead = (dataOffset: number) =>
    Buffer.concat([ftyp, writeMovie(placed, timescale, chunkOffsets(chunks, dataOffset), isLong), mdatHeader])
  // Where the chunks lie depends on how long the head is, and that only on how many they are.
  const head = writeHead(writeHead(0).length)
  return { head, chunks, sizeBytes: head.length + dataBytes }
}

const ftyp = writeBox('ftyp', ascii('isom'), u32(0x200), ascii('isomiso2mp41'))

/** With so much less than 4 GiB, every offset behind the index has 32 bits; an index has 256 MiB at most. */
const maxShortBytes = 2 ** 32 - 2 ** 28 - 1

const writeMdatHeader = (dataBytes: number): Buffer =>
  dataBytes > maxShortBytes
    ? Buffer.concat([u32(1), ascii('mdat'), u64(dataBytes + 16)])
    : Buffer.concat([u32(dataBytes + 8), ascii('mdat')])

/** Each chunk beside those of other tracks that are decoded at the same time. */
const interleave = (tracks: readonly FlatTrack[]): FlatChunk[] =>
  tracks
    .flatMap(({ samples, chunks, timescale }, track) => {
      let first = 0
      return chunks.map((count, chunk) => {
        const sizes = samples.sizes.subarray(first, first + count)
        const startSeconds = samples.decodeTimes[first]! / timescale
        first += count
        return { track, chunk, startSeconds, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) }
      })
    })
    .sort((one, other) => one.startSeconds - other.startSeconds)
    .map(({ track, chunk, sizeBytes }) => ({ track, chunk, sizeBytes }))

/** By track, in the order of its chunks. */
const chunkOffsets = (chunks: readonly FlatChunk[], dataOffset: number): number[][] => {
  const offsets: number[][] = []
  let offset = dataOffset
  for (const { track, sizeBytes } of chunks) {
    const ofTrack = (offsets[track] ??= [])
    ofTrack.push(offset)
    offset += sizeBytes
  }
  return offsets
}

interface Edits {
  readonly box: Buffer
  /** In ticks of the movie. */
  readonly durationTicks: number
}

const normalRate = 0x1_0000

/** 8.6.6: an empty edit where the track begins later than the movie, then all of the media from the movie's start on. */
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
  // Rounded up: an edit that ends early takes the last picture or sound away.
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

/** The media time of an empty edit. */
const minusOne = Buffer.alloc(8, 0xff)

const presentedSpan = ({ count, decodeTimes, compositionOffsets, durations }: SampleTable) => {
  let startTicks = Infinity
  let endTicks = -Infinity
  for (let index = 0; index < count; index++) {
    const presented = decodeTimes[index]! + compositionOffsets[index]!
    startTicks = Math.min(startTicks, presented)
    endTicks = Math.max(endTicks, presented + durations[index]!)
  }
  return { startTicks, endTicks }
}

const writeMovie = (
  placed: readonly PlacedTrack[],
  timescale: number,
  offsets: readonly (readonly number[])[],
  isLong: boolean,
): Buffer => {
  const durationTicks = Math.max(...placed.map(({ edits }) => edits.durationTicks))
  return writeBox(
    'moov',
    movieHeader({ timescale, durationTicks, trackCount: placed.length }),
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

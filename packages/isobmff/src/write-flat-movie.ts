import type { FlatTrack } from './write-movie-index.ts'
import { placeTracks, writeMovieIndex } from './write-movie-index.ts'
import { ascii, u32, u64, writeBox } from './write-box.ts'

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

/**
 * Lays out a progressive MP4 (ISO/IEC 14496-12): the index first, then the chunks of all tracks in the order of their time. The movie
 * begins at `startSeconds` of the tracks' timeline, exactly, with an edit list; what lies before only primes decoders.
 */
export const layOutFlatMovie = (tracks: readonly FlatTrack[], startSeconds: number): FlatMovie => {
  const chunks = interleave(tracks)
  const dataBytes = chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const placed = placeTracks(tracks, startSeconds)
  const mdatHeader = writeMdatHeader(dataBytes)
  const isLong = dataBytes > maxShortBytes
  const writeHead = (dataOffset: number) =>
    Buffer.concat([ftyp, writeMovieIndex(placed, chunkOffsets(chunks, dataOffset), isLong), mdatHeader])
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

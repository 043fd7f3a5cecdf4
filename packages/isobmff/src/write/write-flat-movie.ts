import type { FlatTrack } from './write-movie-index.ts'
import { placeTracks, writeMovieIndex } from './write-movie-index.ts'
import { ascii, u32, u64, writeBox } from '../boxes/write-box.ts'

export interface FlatChunk {
  /** Index of the track in the input, and of the chunk in the track. */
  readonly track: number
  readonly chunk: number
  readonly sizeBytes: number
}

/** An MP4 file to send: the head, followed by the bytes of the chunks in this order. */
export interface FlatMovie {
  /** ftyp, moov and the mdat header. */
  readonly head: Buffer
  readonly chunks: readonly FlatChunk[]
  readonly sizeBytes: number
}

/**
 * Lays out a progressive MP4 (ISO/IEC 14496-12): the index, then the chunks of all tracks in time order.
 *
 * An edit list starts the movie exactly at `startSeconds` of the shared timeline. Earlier samples only prime
 * decoders.
 */
export const layOutFlatMovie = (tracks: readonly FlatTrack[], startSeconds: number): FlatMovie => {
  const chunks = interleave(tracks)
  const dataBytes = chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const placed = placeTracks(tracks, startSeconds)
  const mdatHeader = writeMdatHeader(dataBytes)
  const isLong = dataBytes > maxShortBytes
  const writeHead = (dataOffset: number) =>
    Buffer.concat([ftyp, writeMovieIndex(placed, chunkOffsets(chunks, dataOffset), isLong), mdatHeader])
  // Chunk offsets depend on the size of the head, which depends only on the number of chunks.
  const head = writeHead(writeHead(0).length)
  return { head, chunks, sizeBytes: head.length + dataBytes }
}

const ftyp = writeBox('ftyp', ascii('isom'), u32(0x200), ascii('isomiso2mp41'))

/** Leaves 256 MiB below 4 GiB for the index, its maximum size, so that every chunk offset fits in 32 bits. */
const maxShortBytes = 2 ** 32 - 2 ** 28 - 1

const writeMdatHeader = (dataBytes: number): Buffer =>
  dataBytes > maxShortBytes
    ? Buffer.concat([u32(1), ascii('mdat'), u64(dataBytes + 16)])
    : Buffer.concat([u32(dataBytes + 8), ascii('mdat')])

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

import {
  findMoofEnd,
  joinSampleTables,
  layOutFlatMovie,
  readMediaSegmentHead,
  readMovie,
  type FlatMovie,
  type FlatTrack,
  type SampleTable,
  type Track,
} from '@zoetrope/isobmff'
import { servedSamples, timelineStartSeconds } from '@zoetrope/packager'
import { LRUCache } from 'lru-cache'
import type { RenditionRow } from '../files/file-record.ts'
import { initBlob, segmentBlob } from '../files/media-blobs.ts'
import type { Download } from '../files/mp4-download.ts'
import { BlobNotFoundError, type BlobStore, type ByteRange } from '../kernel/blobs/blob-store.ts'
import { Problem } from '../kernel/problem.ts'
import { createCapacity } from './capacity.ts'
import type { InPlaceSources } from './in-place-sources.ts'

/** The index of a film of two hours takes some 5 MB. */
const maxIndexBytes = 128 * 1024 * 1024
/** So that each can be kept: to make one anew, all segments are opened. */
const maxHeadBytes = 64 * 1024 * 1024
const opensAtATime = 2
const waitMs = 5_000
/** Heads of segments that are asked for at a time: on S3 each is a request. */
const readsAtATime = 16
/** The index of four seconds at 60 frames a second has 3 KB. */
const headBytes = 4 * 1024

/** The samples of a rendition, and where the bytes of its chunks are: each is what one segment holds of media. */
interface MovieTrack {
  readonly flat: FlatTrack
  readonly readChunk: (index: number, range: ByteRange) => AsyncIterable<Buffer>
}

export interface DownloadMovie {
  readonly sizeBytes: number
  /** Bytes are read as they are asked for; nothing is held but one piece. */
  readonly read: (range: ByteRange) => AsyncGenerator<Buffer>
}

/** Progressive MP4 files made of segments while they are sent: no second copy, and only their indexes are kept in memory. */
export interface DownloadMovies {
  readonly open: (download: Download) => Promise<DownloadMovie>
}

const describeInit = async (init: Buffer): Promise<Track> => {
  const { tracks } = await readMovie({
    sizeBytes: init.length,
    read: async (offset, length) => init.subarray(offset, offset + length),
  })
  return tracks[0]!
}

const inBatches = async <Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let first = 0; first < items.length; first += readsAtATime) {
    const batch = items.slice(first, first + readsAtATime)
    results.push(...(await Promise.all(batch.map((item, index) => run(item, first + index)))))
  }
  return results
}

const readSegmentTable = async (blobs: BlobStore, key: string, sizeBytes: number): Promise<SampleTable> => {
  const start = await blobs.read(key, { start: 0, end: headBytes })
  const moofEnd = findMoofEnd(start) ?? start.length
  const head =
    moofEnd <= start.length ? start.subarray(0, moofEnd) : await blobs.read(key, { start: 0, end: moofEnd })
  return readMediaSegmentHead(head, sizeBytes)
}

const packagedTrack = async (blobs: BlobStore, rendition: RenditionRow): Promise<MovieTrack> => {
  const { media_blob: mediaBlob } = rendition
  const track = await describeInit(await blobs.read(initBlob(mediaBlob)))
  const segments = JSON.parse(rendition.segments) as [number, number, number][]
  const tables = await inBatches(segments, ([, , sizeBytes], index) =>
    readSegmentTable(blobs, segmentBlob(mediaBlob, index), sizeBytes),
  )
  const dataOffsets = tables.map(({ offsets }) => offsets[0]!)
  return {
    flat: { ...track, samples: joinSampleTables(tables), chunks: tables.map(({ count }) => count) },
    readChunk: async function* (index, { start, end }) {
      const dataOffset = dataOffsets[index]!
      yield* await blobs.stream(segmentBlob(mediaBlob, index), {
        start: dataOffset + start,
        end: dataOffset + end,
      })
    },
  }
}

const inPlaceTrack = async (sources: InPlaceSources, rendition: RenditionRow): Promise<MovieTrack> => {
  const track = await sources.track(rendition)
  if (track === null) throw new BlobNotFoundError(rendition.media_blob)
  return {
    flat: {
      ...(await describeInit(track.initSegment)),
      samples: servedSamples(track),
      chunks: track.segments.map(({ sampleCount }) => sampleCount),
    },
    readChunk: async function* (index, { start, end }) {
      // Its first part is all that lies before the samples.
      const [, ...data] = (await sources.segment(rendition, index)) ?? []
      let at = 0
      for (const part of data) {
        const piece = part.subarray(Math.max(0, start - at), Math.max(0, end - at))
        if (piece.length > 0) yield piece
        at += part.length
      }
    },
  }
}

/** The bytes of the range in order, from the head and from each chunk that it touches. */
async function* readRange(
  { head, chunks }: FlatMovie,
  tracks: readonly Pick<MovieTrack, 'readChunk'>[],
  range: ByteRange,
): AsyncGenerator<Buffer> {
  if (range.start < head.length) yield head.subarray(range.start, range.end)
  let offset = head.length
  for (const { track, chunk, sizeBytes } of chunks) {
    const start = Math.max(0, range.start - offset)
    const end = Math.min(sizeBytes, range.end - offset)
    if (start < end) {
      let missingBytes = end - start
      for await (const piece of tracks[track]!.readChunk(chunk, { start, end })) {
        missingBytes -= piece.length
        yield piece
      }
      if (missingBytes !== 0) throw new Error(`A segment has ${missingBytes} bytes less than before.`)
    }
    offset += sizeBytes
    if (offset >= range.end) return
  }
}

interface OpenMovie {
  readonly isTooLarge: false
  readonly movie: FlatMovie
  readonly tracks: readonly Pick<MovieTrack, 'readChunk'>[]
}

/** Remembered like the others, for it costs as much to find out. */
interface TooLarge {
  readonly isTooLarge: true
}

const tooLarge = () => new Problem('not_found', 'This file is too long for one download; it can be played.')

export const createDownloadMovies = (
  blobs: BlobStore,
  sources: InPlaceSources,
  headBytesLimit = maxHeadBytes,
): DownloadMovies => {
  const opening = createCapacity(opensAtATime, waitMs)
  const load = async ({ video, audio }: Download): Promise<OpenMovie | TooLarge> => {
    const tracks = await Promise.all(
      [video, audio]
        .filter((rendition) => rendition !== null)
        .map((rendition) =>
          rendition.delivery === 'in_place'
            ? inPlaceTrack(sources, rendition)
            : packagedTrack(blobs, rendition),
        ),
    )
    const movie = layOutFlatMovie(
      tracks.map(({ flat }) => flat),
      timelineStartSeconds,
    )
    if (movie.head.length > headBytesLimit) return { isTooLarge: true }
    // Without the tables of samples, which the head now tells of.
    return { isTooLarge: false, movie, tracks: tracks.map(({ readChunk }) => ({ readChunk })) }
  }
  // Complete renditions never change, so their ids stand for what is made of them.
  const movies = new LRUCache<string, OpenMovie | TooLarge, Download>({
    maxSize: maxIndexBytes,
    sizeCalculation: (one) => (one.isTooLarge ? 1 : one.movie.head.length + one.movie.chunks.length * 64),
    fetchMethod: (_key, _stale, { context }) => opening.use(1, () => load(context)),
    // Who waits for one gets it, also if there is no room to keep it.
    ignoreFetchAbort: true,
  })
  return {
    open: async (download) => {
      const key = `${download.video?.id ?? ''} ${download.audio?.id ?? ''}`
      const found = (await movies.fetch(key, { context: download }))!
      if (found.isTooLarge) throw tooLarge()
      const { movie, tracks } = found
      return { sizeBytes: movie.sizeBytes, read: (range) => readRange(movie, tracks, range) }
    },
  }
}

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
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { folderOfSegment, initBlob, segmentBlob } from '../../library/files/media/media-blobs.ts'
import type { Download } from '../../library/files/record/parts/mp4-download.ts'
import { BlobNotFoundError, type BlobStore, type ByteRange } from '../../platform/blobs/blob-store.ts'
import { Problem } from '../../platform/base/problem.ts'
import { createCapacity } from '../access/capacity.ts'
import type { PassthroughSources } from '../media/passthrough-sources.ts'

/** The index of a two-hour film takes about 5 MB. */
const maxIndexBytes = 128 * 1024 * 1024
/** A larger head could not be cached, and building one opens all segments. */
const maxHeadBytes = 64 * 1024 * 1024
const opensAtATime = 2
const waitMs = 5_000
/** Segment heads read concurrently; on S3 each read is a request. */
const readsAtATime = 16
/** The index of four seconds at 60 frames per second has 3 KB. */
const headBytes = 4 * 1024

interface MovieTrack {
  readonly flat: FlatTrack
  readonly readChunk: (index: number, range: ByteRange) => AsyncIterable<Buffer>
}

export interface DownloadMovie {
  readonly sizeBytes: number
  /** Reads bytes on demand and holds only one piece in memory. */
  readonly read: (range: ByteRange) => AsyncGenerator<Buffer>
}

/**
 * Progressive MP4 files built from segments while they are sent. There is no second copy; only the indexes
 * are cached.
 */
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
  const blobOf = (index: number): string => segmentBlob(folderOfSegment(rendition, index), index)
  const track = await describeInit(await blobs.read(initBlob(folderOfSegment(rendition, 0))))
  const segments = JSON.parse(rendition.segments) as [number, number, number][]
  const tables = await inBatches(segments, ([, , sizeBytes], index) =>
    readSegmentTable(blobs, blobOf(index), sizeBytes),
  )
  const dataOffsets = tables.map(({ offsets }) => offsets[0]!)
  return {
    flat: { ...track, samples: joinSampleTables(tables), chunks: tables.map(({ count }) => count) },
    readChunk: async function* (index, { start, end }) {
      const dataOffset = dataOffsets[index]!
      yield* await blobs.stream(blobOf(index), {
        start: dataOffset + start,
        end: dataOffset + end,
      })
    },
  }
}

const passthroughTrack = async (
  sources: PassthroughSources,
  rendition: RenditionRow,
): Promise<MovieTrack> => {
  const track = await sources.track(rendition)
  if (track === null) throw new BlobNotFoundError(rendition.media_blob)
  return {
    flat: {
      ...(await describeInit(track.initSegment)),
      samples: servedSamples(track),
      chunks: track.segments.map(({ sampleCount }) => sampleCount),
    },
    readChunk: async function* (index, { start, end }) {
      // The first buffer is the head of the segment; the samples follow.
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

/** Yields the bytes of the range in order, from the head and from each chunk that it covers. */
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
      if (missingBytes !== 0) throw new Error(`A segment is ${missingBytes} bytes shorter than before.`)
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

/** Cached as well, because finding it out costs as much as building the index. */
interface TooLarge {
  readonly isTooLarge: true
}

const tooLarge = () => new Problem('download_too_long')

export const createDownloadMovies = (
  blobs: BlobStore,
  sources: PassthroughSources,
  headBytesLimit = maxHeadBytes,
): DownloadMovies => {
  const opening = createCapacity(opensAtATime, waitMs)
  const load = async ({ video, audio }: Download): Promise<OpenMovie | TooLarge> => {
    const tracks = await Promise.all(
      [video, audio]
        .filter((rendition) => rendition !== null)
        .map((rendition) =>
          rendition.delivery === 'in_place'
            ? passthroughTrack(sources, rendition)
            : packagedTrack(blobs, rendition),
        ),
    )
    const movie = layOutFlatMovie(
      tracks.map(({ flat }) => flat),
      timelineStartSeconds,
    )
    if (movie.head.length > headBytesLimit) return { isTooLarge: true }
    // Drops the sample tables, because the head now contains them.
    return { isTooLarge: false, movie, tracks: tracks.map(({ readChunk }) => ({ readChunk })) }
  }
  // Complete renditions never change, so their ids identify the movie.
  const movies = new LRUCache<string, OpenMovie | TooLarge, Download>({
    maxSize: maxIndexBytes,
    sizeCalculation: (one) => (one.isTooLarge ? 1 : one.movie.head.length + one.movie.chunks.length * 64),
    fetchMethod: (_key, _stale, { context }) => opening.use(1, () => load(context)),
    // A waiting request gets its movie even when the cache has no room for it.
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

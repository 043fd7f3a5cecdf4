import { readMovie, type Movie, type RandomAccessReader } from '@zoetrope/isobmff'
import {
  createSilentLead,
  planPassthrough,
  readPassthroughSegment,
  segmentReadBytes,
  type PassthroughTrack,
  type SilentLead,
} from '@zoetrope/packager'
import { LRUCache } from 'lru-cache'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { passthroughOptionsOf } from '../../library/files/media/media-blobs.ts'
import { BlobNotFoundError, type BlobStore } from '../../platform/blobs/blob-store.ts'
import { createCapacity } from '../access/capacity.ts'

/** Enough for about fifty hours of video; one index is read again in well under 0.1 s. */
const maxIndexBytes = 256 * 1024 * 1024
/**
 * Limit for source bytes being read for all viewers together: a hundred segments of five seconds at 8 Mbit/s.
 */
const maxReadBytes = 512 * 1024 * 1024
const waitMs = 10_000

export type PassthroughRendition = Pick<RenditionRow, 'media_blob' | 'kind' | 'track_id'>

interface Source {
  readonly reader: RandomAccessReader
  readonly movie: Movie
  readonly tracks: Map<string, PassthroughTrack>
}

/** Just-in-time packaging: segments are cut from a source on request. Indexes are cached, media is not. */
export interface PassthroughSources {
  readonly initSegment: (rendition: PassthroughRendition) => Promise<Buffer | null>
  readonly track: (rendition: PassthroughRendition) => Promise<PassthroughTrack | null>
  /** Silence served before audio that starts late; null when the audio starts in time. */
  readonly silentLead: (rendition: PassthroughRendition) => Promise<SilentLead | null>
  /** Null past the last segment. */
  readonly segment: (rendition: PassthroughRendition, index: number) => Promise<Buffer[] | null>
  /** Keeps the index and the tracks of a source that was read elsewhere. */
  readonly keepIndex: (blob: string, movie: Movie, tracks: readonly PassthroughTrack[]) => Promise<void>
  /** Reads a segment of any source, waiting until memory is free. */
  readonly readSegment: typeof readPassthroughSegment
}

const blobReader = async (blobs: BlobStore, key: string): Promise<RandomAccessReader> => {
  const found = await blobs.stat(key)
  if (found === null) throw new BlobNotFoundError(key)
  return {
    sizeBytes: found.sizeBytes,
    read: (offset, length) => blobs.read(key, { start: offset, end: offset + length }),
  }
}

const trackKey = (kind: 'video' | 'audio', trackId: number | null): string => `${kind} ${trackId}`

const trackOf = (
  { movie, tracks }: Source,
  rendition: PassthroughRendition,
): PassthroughTrack | undefined => {
  const key = trackKey(rendition.kind, rendition.track_id)
  if (!tracks.has(key)) {
    const planned = planPassthrough(movie, passthroughOptionsOf(rendition))
    if (planned.ok) tracks.set(key, planned.track)
  }
  return tracks.get(key)
}

export const createPassthroughSources = (
  blobs: BlobStore,
  indexBytes = maxIndexBytes,
): PassthroughSources => {
  const reading = createCapacity(maxReadBytes, waitMs)
  const readSegment: typeof readPassthroughSegment = (reader, found, index) =>
    reading.use(segmentReadBytes(found, index), () => readPassthroughSegment(reader, found, index))
  const load = async (key: string): Promise<Source> => {
    const reader = await blobReader(blobs, key)
    return { reader, movie: await readMovie(reader), tracks: new Map() }
  }
  const sources = new LRUCache<string, Source>({
    maxSize: indexBytes,
    sizeCalculation: ({ movie }) => Math.max(1, movie.memoryBytes),
    // Concurrent requests for one source share one read of its index.
    fetchMethod: (key) => load(key),
    // A waiting request gets its index even when the cache has no room for it.
    ignoreFetchAbort: true,
  })
  const track = async (rendition: PassthroughRendition): Promise<PassthroughTrack | null> => {
    const source = await sources.fetch(rendition.media_blob)
    return (source && trackOf(source, rendition)) ?? null
  }
  return {
    initSegment: async (rendition) => (await track(rendition))?.initSegment ?? null,
    track,
    silentLead: async (rendition) => {
      const found = await track(rendition)
      return found === null ? null : createSilentLead(found)
    },
    segment: async (rendition, index) => {
      const source = await sources.fetch(rendition.media_blob)
      const found = source && trackOf(source, rendition)
      if (source === undefined || found === undefined || index >= found.segments.length) return null
      return readSegment(source.reader, found, index)
    },
    keepIndex: async (blob, movie, tracks) => {
      const byId = new Map(tracks.map((one) => [trackKey(one.kind, one.trackId), one]))
      sources.set(blob, { reader: await blobReader(blobs, blob), movie, tracks: byId })
    },
    readSegment,
  }
}

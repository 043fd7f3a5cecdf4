import { readMovie, type RandomAccessReader } from '@zoetrope/isobmff'
import { planInPlace, readInPlaceSegment, type InPlaceTrack } from '@zoetrope/packager'
import { LRUCache } from 'lru-cache'
import { inPlaceOptions } from '../files/media-blobs.ts'
import type { BlobStore } from '../kernel/blobs/blob-store.ts'

/** Enough for some fifty hours of video; one index is read again in well under 0.1 s. */
const maxIndexBytes = 256 * 1024 * 1024

interface Source {
  readonly reader: RandomAccessReader
  readonly tracks: Partial<Record<'video' | 'audio', InPlaceTrack>>
  readonly memoryBytes: number
}

/** Segments that are cut from a source on request ("just-in-time packaging"); indexes are kept in memory, media is not. */
export interface InPlaceSources {
  readonly initSegment: (mediaBlob: string, kind: 'video' | 'audio') => Promise<Buffer | null>
  /** Null past the last one. */
  readonly segment: (mediaBlob: string, kind: 'video' | 'audio', index: number) => Promise<Buffer[] | null>
}

const blobReader = async (blobs: BlobStore, key: string): Promise<RandomAccessReader> => {
  const found = await blobs.stat(key)
  return {
    sizeBytes: found?.sizeBytes ?? 0,
    read: (offset, length) => blobs.read(key, { start: offset, end: offset + length }),
  }
}

export const createInPlaceSources = (blobs: BlobStore): InPlaceSources => {
  const load = async (key: string): Promise<Source> => {
    const reader = await blobReader(blobs, key)
    const movie = await readMovie(reader)
    const tracks: Source['tracks'] = {}
    for (const kind of ['video', 'audio'] as const) {
      const planned = planInPlace(movie, { track: kind, ...inPlaceOptions })
      if (planned.ok) tracks[kind] = planned.track
    }
    return { reader, tracks, memoryBytes: movie.memoryBytes }
  }
  const sources = new LRUCache<string, Source>({
    maxSize: maxIndexBytes,
    sizeCalculation: ({ memoryBytes }) => Math.max(1, memoryBytes),
    // Requests for one source that come together wait for one reading of its index.
    fetchMethod: (key) => load(key),
  })
  return {
    initSegment: async (mediaBlob, kind) =>
      (await sources.fetch(mediaBlob))?.tracks[kind]?.initSegment ?? null,
    segment: async (mediaBlob, kind, index) => {
      const source = await sources.fetch(mediaBlob)
      const track = source?.tracks[kind]
      if (source === undefined || track === undefined || index >= track.segments.length) return null
      return readInPlaceSegment(source.reader, track, index)
    },
  }
}

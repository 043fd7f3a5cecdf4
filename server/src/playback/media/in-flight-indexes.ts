import { openFileReader, readPartialMovie, type Movie } from '@zoetrope/isobmff'
import { planPassthrough, segmentByteEnds, type PassthroughTrack } from '@zoetrope/packager'
import { LRUCache } from 'lru-cache'
import type { InFlightBytes } from '../../library/files/media/in-flight-uploads.ts'
import { passthroughOptionsOf } from '../../library/files/media/media-blobs.ts'
import { Problem } from '../../platform/base/problem.ts'
import { createCapacity } from '../access/capacity.ts'
import type { PassthroughRendition } from './passthrough-sources.ts'

/** Few uploads are watched at a time, and an index is read again in well under 0.1 s. */
const maxIndexBytes = 64 * 1024 * 1024
const lookBytes = 1024
/** Shortest interval between two scans of an in-progress upload. */
const lookEveryMs = 500
/**
 * A scan waits ten times as long as the last one took, so a crafted file cannot use more than a tenth of the
 * time.
 */
const restShare = 10
const looksAtATime = 2
const waitMs = 2_000

export interface PlannedTrack {
  readonly track: PassthroughTrack
  /** Bytes of the source needed for each segment (`segmentByteEnds`). */
  readonly byteEnds: Float64Array
}

export interface InFlightIndex {
  readonly isFragmented: boolean
  /** Null when the track cannot be served. */
  readonly trackOf: (rendition: PassthroughRendition) => PlannedTrack | null
}

interface Look {
  /** Null when the source cannot be read yet. */
  readonly movie: Movie | null
  readonly index: InFlightIndex | null
  /** Number of bytes at the scan, and the earliest time of the next one. */
  readonly receivedBytes: number
  readonly againAtMs: number
}

/** Indexes of in-progress uploads. Unreadable sources are cached too, because each scan may take seconds. */
export interface InFlightIndexes {
  readonly of: (bytes: InFlightBytes) => Promise<InFlightIndex | null>
}

/** Returns null when the planner fails; the worker reports the reason once the source is complete. */
const plan = (movie: Movie, rendition: PassthroughRendition): PlannedTrack | null => {
  try {
    const planned = planPassthrough(movie, passthroughOptionsOf(rendition))
    return planned.ok ? { track: planned.track, byteEnds: segmentByteEnds(planned.track) } : null
  } catch {
    return null
  }
}

const indexOf = (movie: Movie): InFlightIndex => {
  const tracks = new Map<string, PlannedTrack | null>()
  return {
    isFragmented: movie.isFragmented,
    trackOf: (rendition) => {
      const key = `${rendition.kind} ${rendition.track_id}`
      const known = tracks.get(key)
      if (known !== undefined) return known
      const planned = plan(movie, rendition)
      tracks.set(key, planned)
      return planned
    },
  }
}

export const createInFlightIndexes = (
  maxDurationSeconds: number,
  readMovie = readPartialMovie,
): InFlightIndexes => {
  const looking = createCapacity(looksAtATime, waitMs)

  const lookAt = async ({ path, receivedBytes }: InFlightBytes, before: Look | undefined): Promise<Look> => {
    const startedAtMs = performance.now()
    await using reader = await openFileReader(path)
    const partial = await readMovie({ ...reader, sizeBytes: receivedBytes })
    const endedAtMs = performance.now()
    const againAtMs = endedAtMs + Math.max(lookEveryMs, restShare * (endedAtMs - startedAtMs))
    // Later fragments may claim any duration, so the index known before stays in use.
    if (partial.state !== 'here' || partial.movie.durationSeconds > maxDurationSeconds)
      return { movie: before?.movie ?? null, index: before?.index ?? null, receivedBytes, againAtMs }
    const { movie } = partial
    return {
      movie,
      index: indexOf(movie),
      receivedBytes,
      againAtMs: movie.isFragmented ? againAtMs : Infinity,
    }
  }

  const looks = new LRUCache<string, Look, InFlightBytes>({
    maxSize: maxIndexBytes,
    sizeCalculation: ({ movie }) => lookBytes + (movie?.memoryBytes ?? 0),
    // Concurrent requests for one source share one scan.
    fetchMethod: (_path, before, { context }) => looking.use(1, () => lookAt(context, before)),
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
  })

  const isFresh = (look: Look, { receivedBytes }: InFlightBytes): boolean =>
    look.receivedBytes === receivedBytes || performance.now() < look.againAtMs

  return {
    of: async (bytes) => {
      const known = looks.get(bytes.path)
      if (known !== undefined && isFresh(known, bytes)) return known.index
      try {
        return (await looks.fetch(bytes.path, { forceRefresh: true, context: bytes }))!.index
      } catch (error) {
        // While all scans are busy, the known index stays in use.
        if (known !== undefined && error instanceof Problem) return known.index
        throw error
      }
    },
  }
}

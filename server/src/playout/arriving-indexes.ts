import { openFileReader, readArrivingMovie, type Movie } from '@zoetrope/isobmff'
import { planInPlace, segmentArrivals, type InPlaceTrack } from '@zoetrope/packager'
import { LRUCache } from 'lru-cache'
import type { ArrivingBytes } from '../files/arriving-files.ts'
import { inPlaceOptionsOf } from '../files/media-blobs.ts'
import { Problem } from '../kernel/problem.ts'
import { createCapacity } from './capacity.ts'
import type { InPlaceRendition } from './in-place-sources.ts'

/** Few uploads are watched at a time, and an index is read again in well under 0.1 s. */
const maxIndexBytes = 64 * 1024 * 1024
const lookBytes = 1024
/** A source that grows is looked through anew once in so long at most. */
const lookEveryMs = 500
/** And at most this share of the time is spent on it: somebody may have made a file that takes long. */
const restShare = 10
const looksAtATime = 2
const waitMs = 2_000

export interface PlannedTrack {
  readonly track: InPlaceTrack
  /** How many bytes of the source its segments take (`segmentArrivals`). */
  readonly arrivals: Float64Array
}

export interface ArrivingIndex {
  readonly isFragmented: boolean
  /** Null where it cannot be served. */
  readonly trackOf: (rendition: InPlaceRendition) => PlannedTrack | null
}

interface Look {
  /** Null where nothing can be told of the source. */
  readonly movie: Movie | null
  readonly index: ArrivingIndex | null
  /** With how many bytes it was looked through, and when it may be again. */
  readonly receivedBytes: number
  readonly againAtMs: number
}

/** What can be told of sources that are still being uploaded. What could not be read is remembered too: each look may cost seconds. */
export interface ArrivingIndexes {
  readonly of: (bytes: ArrivingBytes) => Promise<ArrivingIndex | null>
}

/** What the planner stumbles over, the worker tells of when the source is whole. */
const plan = (movie: Movie, rendition: InPlaceRendition): PlannedTrack | null => {
  try {
    const planned = planInPlace(movie, inPlaceOptionsOf(rendition))
    return planned.ok ? { track: planned.track, arrivals: segmentArrivals(planned.track) } : null
  } catch {
    return null
  }
}

const indexOf = (movie: Movie): ArrivingIndex => {
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

export const createArrivingIndexes = (
  maxDurationSeconds: number,
  readMovie = readArrivingMovie,
): ArrivingIndexes => {
  const looking = createCapacity(looksAtATime, waitMs)

  const lookAt = async ({ path, receivedBytes }: ArrivingBytes, before: Look | undefined): Promise<Look> => {
    const startedAtMs = performance.now()
    await using reader = await openFileReader(path)
    const arriving = await readMovie({ ...reader, sizeBytes: receivedBytes })
    const endedAtMs = performance.now()
    const againAtMs = endedAtMs + Math.max(lookEveryMs, restShare * (endedAtMs - startedAtMs))
    // Fragments that come later may claim any duration: what could be told before stays.
    if (arriving.state !== 'here' || arriving.movie.durationSeconds > maxDurationSeconds)
      return { movie: before?.movie ?? null, index: before?.index ?? null, receivedBytes, againAtMs }
    const { movie } = arriving
    return {
      movie,
      index: indexOf(movie),
      receivedBytes,
      againAtMs: movie.isFragmented ? againAtMs : Infinity,
    }
  }

  const looks = new LRUCache<string, Look, ArrivingBytes>({
    maxSize: maxIndexBytes,
    sizeCalculation: ({ movie }) => lookBytes + (movie?.memoryBytes ?? 0),
    // Requests for one source that come together wait for one look at it.
    fetchMethod: (_path, before, { context }) => looking.use(1, () => lookAt(context, before)),
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
  })

  const isFresh = (look: Look, { receivedBytes }: ArrivingBytes): boolean =>
    look.receivedBytes === receivedBytes || performance.now() < look.againAtMs

  return {
    of: async (bytes) => {
      const known = looks.get(bytes.path)
      if (known !== undefined && isFresh(known, bytes)) return known.index
      try {
        return (await looks.fetch(bytes.path, { forceRefresh: true, context: bytes }))!.index
      } catch (error) {
        // While others take all looks, what is known is served on.
        if (known !== undefined && error instanceof Problem) return known.index
        throw error
      }
    },
  }
}

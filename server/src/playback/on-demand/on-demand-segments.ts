import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Gauge, Histogram } from 'prom-client'
import {
  createChunkReader,
  wantChunks,
  type FoundChunk,
} from '../../library/files/on-demand/wanted-chunks.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ChunkFolder } from '../../platform/db/tables/encoding.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { nothing, type PlayoutRendition } from '../access/find-playout.ts'
import type { ChunkLimits } from './chunk-limits.ts'
import { checkBudget, refused } from './refuse.ts'

/** Players count a longer wait in their estimate of the bandwidth. */
const longestHoldMs = 2_000
const pollMs = 15
/** The job of a chunk may have ended just before the chunk was wanted again. */
const askAgainMs = 1_000
/** For a viewer who plays on, encoders run ahead by this number of segments; otherwise by one. */
const watchedAhead = 6
const firstAhead = 1
/** A segment that is ready asks for those after it no more often than this. */
const extendMs = 3_000
/** Evicted segments stay for hours, so viewers find them this long. */
const knownMs = 600_000
const maxKnown = 20_000

const waits = new Histogram({
  name: 'zoetrope_ondemand_wait_seconds',
  help: 'Time that requests for a segment which had yet to be encoded waited. A player is sent to the same address again after two seconds.',
  labelNames: ['result'],
  buckets: [0.25, 0.5, 0.75, 1, 1.5, 2, 3],
})
const waiting = new Gauge({
  name: 'zoetrope_ondemand_waiting_requests',
  help: 'Requests of viewers that wait for a segment to be encoded.',
})
export interface Viewer {
  readonly playoutId: string
  readonly address: string
}

/** Where a segment is, the rendition that has replaced this one meanwhile, or 'later' after two seconds. */
export type FoundSegment =
  | { readonly folders: readonly ChunkFolder[] }
  | { readonly successorId: number }
  | 'later'

export interface OnDemandSegments {
  /** Throws 'not_found' and 'rate_limited'. */
  readonly find: (viewer: Viewer, rendition: PlayoutRendition, index: number) => Promise<FoundSegment>
}

/** Folder of a chunk that was claimed more than once (ingest/encoding/chunks). */
const foldersOf = (index: number, attempt: number): FoundSegment => ({
  folders: attempt <= 1 ? [] : [[index, index + 1, `${index}-${attempt}`]],
})

export const createOnDemandSegments = ({
  database,
  jobs,
  limits,
  secondsPerDay,
}: {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly limits: ChunkLimits
  /** Media seconds that are encoded on demand for each project and day; 0 = no limit. */
  readonly secondsPerDay: number
}): OnDemandSegments => {
  const read = createChunkReader(database)
  const known = new LRUCache<string, { readonly attempt: number }>({ max: maxKnown, ttl: knownMs })
  const extendedAtMs = new LRUCache<number, number>({ max: maxKnown })
  const underWay = new Map<string, Promise<FoundSegment>>()

  /** Keeps encoders ahead of a viewer whose segments are ready. */
  const extend = (renditionId: number, number: number): void => {
    const nowMs = performance.now()
    if (nowMs - (extendedAtMs.get(renditionId) ?? -Infinity) < extendMs) return
    extendedAtMs.set(renditionId, nowMs)
    // Without it, the next request waits.
    wantChunks(database, jobs, { renditionId, number }, { isAwaited: false, aheadCount: watchedAhead }).catch(
      () => {},
    )
  }

  /** Returns the chunk as soon as it is ready or another rendition has taken its place. */
  const waitFor = async (
    renditionId: number,
    number: number,
    found: FoundChunk,
  ): Promise<FoundChunk | null> => {
    const aheadCount = number === 0 || found.isNextOfReady ? watchedAhead : firstAhead
    const startedMs = performance.now()
    let askedMs = -Infinity
    waiting.inc()
    try {
      for (;;) {
        const nowMs = performance.now()
        if (nowMs - askedMs > askAgainMs) {
          askedMs = nowMs
          await wantChunks(database, jobs, { renditionId, number }, { isAwaited: true, aheadCount })
        }
        const now = await read({ renditionId, number })
        // The rung was withdrawn.
        if (now === null) throw nothing()
        if (now.isReady || now.successorId !== null) return now
        if (performance.now() - startedMs > longestHoldMs) return null
        await delay(pollMs)
      }
    } finally {
      waiting.dec()
    }
  }

  const admit = ({ playoutId, address }: Viewer): void => {
    if (!limits.admits(playoutId, address)) throw refused('address', 10)
  }

  const make = async (renditionId: number, index: number, found: FoundChunk): Promise<FoundSegment> => {
    await checkBudget(database, found.projectId, secondsPerDay)
    const startedMs = performance.now()
    const made = await waitFor(renditionId, index, found)
    const seconds = (performance.now() - startedMs) / 1000
    waits.observe({ result: made?.isReady === true ? 'ready' : 'later' }, seconds)
    if (made === null) return 'later'
    const { attempt, isReady, successorId } = made
    if (!isReady && successorId !== null) return { successorId }
    known.set(`${renditionId} ${index}`, { attempt })
    return foldersOf(index, attempt)
  }

  return {
    find: async (viewer, { id }, index) => {
      const key = `${id} ${index}`
      let attempt = known.get(key)?.attempt
      if (attempt === undefined) {
        const found = await read({ renditionId: id, number: index })
        if (found === null) throw nothing()
        if (!found.isReady) {
          if (found.successorId !== null) return { successorId: found.successorId }
          // Viewers of one chunk share the wait.
          const shared = underWay.get(key)
          if (shared !== undefined) return shared
          admit(viewer)
          const making = make(id, index, found).finally(() => underWay.delete(key))
          underWay.set(key, making)
          return making
        }
        attempt = found.attempt
        known.set(key, { attempt })
      }
      extend(id, index)
      return foldersOf(index, attempt)
    },
  }
}

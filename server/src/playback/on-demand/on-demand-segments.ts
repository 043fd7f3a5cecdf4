import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Gauge, Histogram } from 'prom-client'
import {
  awaitChunk,
  createChunkReader,
  stopAwaiting,
  wantAhead,
  type ChunkKey,
  type FoundChunk,
  type RunAhead,
} from '../../library/files/on-demand/wanted-chunks.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ChunkFolder } from '../../platform/db/tables/encoding.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { createCapacity } from '../access/capacity.ts'
import { nothing, type PlayoutRendition } from '../access/find-playout.ts'
import type { ChunkLimits } from './chunk-limits.ts'
import { checkBudget, refused } from './refuse.ts'
import { createSharedWaits, type SharedWait, type WaitingViewer } from './shared-waits.ts'

/** Players count a longer wait in their estimate of the bandwidth. */
const longestHoldMs = 2_000
const pollMs = 15
/** The job of a chunk may have ended just before the chunk was wanted again. */
const askAgainMs = 1_000
/** Requests of viewers who have gone before their turn cost the database nothing. */
const askedAtOnce = 4
const longestAskMs = 30_000
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

export interface Viewer extends WaitingViewer {
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

const textOf = ({ renditionId, number }: ChunkKey): string => `${renditionId} ${number}`

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
  const shared = createSharedWaits<FoundSegment>()
  const asking = createCapacity(askedAtOnce, longestAskMs)

  /** Keeps encoders ahead of a viewer. Without it, the next request waits. */
  const runAhead = (key: ChunkKey, ahead: RunAhead): void => {
    wantAhead(database, jobs, key, ahead).catch(() => {})
  }

  const extend = (key: ChunkKey): void => {
    const nowMs = performance.now()
    if (nowMs - (extendedAtMs.get(key.renditionId) ?? -Infinity) < extendMs) return
    extendedAtMs.set(key.renditionId, nowMs)
    runAhead(key, { count: watchedAhead, isFirst: false })
  }

  /** Returns whether it has asked for the chunk. Throws 'not_found' when nothing more is encoded today. */
  const ask = (key: ChunkKey, projectId: number, gone: AbortSignal): Promise<boolean> =>
    asking.use(1, async () => {
      if (gone.aborted) return false
      await checkBudget(database, projectId, secondsPerDay)
      await awaitChunk(database, jobs, key)
      return true
    })

  /** Returns the chunk as soon as it is ready or another rendition has taken its place. */
  const waitFor = async (
    key: ChunkKey,
    found: FoundChunk,
    { viewers, gone }: SharedWait,
  ): Promise<FoundChunk | null> => {
    const count = key.number === 0 || found.isNextOfReady ? watchedAhead : firstAhead
    const startedMs = performance.now()
    let askedMs = -Infinity
    let isAsked = false
    let isAheadWanted = false
    while (!gone.aborted && performance.now() - startedMs < longestHoldMs) {
      const nowMs = performance.now()
      if (nowMs - askedMs > askAgainMs) {
        askedMs = nowMs
        if (await ask(key, found.projectId, gone)) isAsked = true
      }
      const now = await read(key)
      // The rung was withdrawn.
      if (now === null) throw nothing()
      if (now.isReady || now.successorId !== null) return now
      if (!now.isOfCurrentRevision) throw nothing()
      // Only for a viewer whose segment is being encoded: a request that is given up leaves nothing to encode.
      if (now.isClaimed && !isAheadWanted) {
        isAheadWanted = true
        runAhead(key, { count, isFirst: true })
      }
      await delay(pollMs)
    }
    if (isAsked && ![...viewers].some(({ isReturning }) => isReturning)) await stopAwaiting(database, key)
    return null
  }

  const admit = ({ playoutId, address }: Viewer): void => {
    if (!limits.admits(playoutId, address)) throw refused('address', 10)
  }

  const make = async (key: ChunkKey, found: FoundChunk, wait: SharedWait): Promise<FoundSegment> => {
    const startedMs = performance.now()
    waiting.inc()
    const made = await waitFor(key, found, wait).finally(() => waiting.dec())
    if (!wait.gone.aborted) {
      const seconds = (performance.now() - startedMs) / 1000
      waits.observe({ result: made?.isReady === true ? 'ready' : 'later' }, seconds)
    }
    if (made === null) return 'later'
    const { attempt, isReady, successorId } = made
    if (!isReady && successorId !== null) return { successorId }
    known.set(textOf(key), { attempt })
    return foldersOf(key.number, attempt)
  }

  return {
    find: async (viewer, { id }, index) => {
      const key = { renditionId: id, number: index }
      let attempt = known.get(textOf(key))?.attempt
      if (attempt === undefined) {
        const found = await read(key)
        if (found === null || !found.isMadeOnRequest) throw nothing()
        if (!found.isReady) {
          if (found.successorId !== null) return { successorId: found.successorId }
          if (!found.isOfCurrentRevision) throw nothing()
          return shared.join(textOf(key), viewer, (wait) => {
            admit(viewer)
            return make(key, found, wait)
          })
        }
        attempt = found.attempt
        known.set(textOf(key), { attempt })
      }
      extend(key)
      return foldersOf(index, attempt)
    },
  }
}

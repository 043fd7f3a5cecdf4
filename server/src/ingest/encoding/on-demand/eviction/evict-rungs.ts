import { Counter } from 'prom-client'
import { initBlob } from '../../../../library/files/media/media-blobs.ts'
import { BlobStoreUnavailableError, type BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { isGone } from '../../encode/file-progress.ts'
import { replaceRung } from '../replace-rung.ts'
import { listEvictable, lockEvictable, type EvictableRung } from './eviction-store.ts'

const evictedRungs = new Counter({
  name: 'zoetrope_ondemand_evicted_renditions_total',
  help: 'Renditions that this process has evicted.',
})
const evictedBytes = new Counter({
  name: 'zoetrope_ondemand_evicted_bytes_total',
  help: 'Bytes of the segments that this process has evicted.',
})

interface Dependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly publicUrl: string
}

const rungsPerRead = 100
/** Then the next run continues, so that other tasks have their turn. */
const longestRunMs = 300_000

/**
 * Housekeeping task: drops the segments of rungs on demand without viewers for `keepDays` (0 = never). Processes may
 * run it at the same time. Throws at the end when some could not be dropped; the next run repeats them.
 */
export const evictRungs = async (dependencies: Dependencies, keepDays: number): Promise<void> => {
  if (keepDays === 0) return
  const endsAtMs = performance.now() + longestRunMs
  const seen: number[] = []
  const failures: unknown[] = []
  while (performance.now() < endsAtMs) {
    const rungs = await listEvictable(dependencies.database.kysely, {
      ...{ keepDays, except: seen, limit: rungsPerRead },
    })
    if (rungs.length === 0) break
    for (const rung of rungs) {
      seen.push(rung.renditionId)
      try {
        await evictRung(dependencies, rung, keepDays)
      } catch (error) {
        if (error instanceof BlobStoreUnavailableError) throw error
        if (!isGone(error)) failures.push(error)
      }
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} renditions cannot be evicted`)
}

const evictRung = async (
  dependencies: Dependencies,
  { accountId, projectId, fileId, mediaBlob, renditionId }: EvictableRung,
  keepDays: number,
): Promise<void> => {
  const evicted = await replaceRung(
    dependencies,
    { accountId, projectId, fileId },
    {
      init: await dependencies.blobs.read(initBlob(mediaBlob)),
      isRelisted: false,
      lock: (tx) => lockEvictable(tx, renditionId, keepDays),
    },
  )
  if (evicted === null) return
  evictedRungs.inc()
  evictedBytes.inc(evicted.sizeBytes)
}

import { randomUUID } from 'node:crypto'
import { Counter } from 'prom-client'
import { addGarbageEntry, deleteGarbageEntry } from '../../../../library/files/media/garbage-entries.ts'
import { retireEvicted } from '../../../../library/files/media/garbage-list.ts'
import { initBlob } from '../../../../library/files/media/media-blobs.ts'
import {
  blobPrefixOf,
  changeMediaFile,
  lockMediaFile,
} from '../../../../library/files/record/media-file-store.ts'
import { countInProject } from '../../../../library/projects/project-counts.ts'
import { shareProject } from '../../../../library/projects/project-locks.ts'
import { BlobStoreUnavailableError, type BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Database, Tx } from '../../../../platform/db/database.ts'
import { isGone } from '../../encode/file-progress.ts'
import { cleanUpAfterPurge } from '../../processing/run-file-job.ts'
import { listEvictable, lockEvictable, nameSuccessor, type EvictableRung } from './eviction-store.ts'
import { insertOnDemandRendition } from '../on-demand-store.ts'
import { declaredBitRates, planSegments } from '../plan-on-demand.ts'

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
 * Housekeeping task: drops the segments of rungs on demand that nobody has watched for `keepDays` (0 = never). Processes may
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

/**
 * Replaces the rendition with a new one that has no segments yet, in one transaction. The init segment is copied before, under
 * an entry of the garbage list, so that a crash leaves no orphan.
 */
const evictRung = async (
  dependencies: Dependencies,
  found: EvictableRung,
  keepDays: number,
): Promise<void> => {
  const { database, blobs, publicUrl } = dependencies
  const { accountId, projectId, fileId } = found
  const key = { accountId, projectId, fileId }
  const mediaBlob = `${blobPrefixOf(key)}${randomUUID()}`
  const entryId = await addGarbageEntry(database, key, [`${mediaBlob}/`])
  await blobs.put(initBlob(mediaBlob), await blobs.read(initBlob(found.mediaBlob)))
  try {
    const bytes = await database.transaction(async (tx) => {
      await shareProject(tx, accountId, projectId)
      const file = await lockMediaFile(tx, key)
      const rung = await lockEvictable(tx, found.renditionId, keepDays)
      if (rung === null) return null
      await deleteGarbageEntry(tx, entryId)
      await retireEvicted(tx, file, rung.renditionId)
      await nameSuccessor(tx, rung, await insertSuccessor(tx, rung, { revision: file.generation, mediaBlob }))
      await countInProject(tx, projectId, { bytes: -rung.sizeBytes })
      await changeMediaFile(tx, publicUrl, key, () => ({
        set: { storage_bytes: file.storage_bytes - rung.sizeBytes },
      }))
      return rung.sizeBytes
    })
    if (bytes === null) return
    evictedRungs.inc()
    evictedBytes.inc(bytes)
  } finally {
    await cleanUpAfterPurge(dependencies, key)
  }
}

const insertSuccessor = (
  tx: Tx,
  { plan, accountId, fileId, hasClosedCaptions, codec, widthPixels, heightPixels }: EvictableRung,
  { revision, mediaBlob }: { readonly revision: number; readonly mediaBlob: string },
): Promise<number> => {
  const segments = planSegments(plan)
  return insertOnDemandRendition(
    tx,
    { accountId, fileId, revision },
    {
      ...{ mediaBlob, plan, segments, hasClosedCaptions, track: { codec, widthPixels, heightPixels } },
      bitRates: declaredBitRates(segments, plan),
    },
  )
}

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addGarbageEntry, deleteGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import { retireEvicted } from '../../../library/files/media/garbage-list.ts'
import { initBlob } from '../../../library/files/media/media-blobs.ts'
import {
  blobPrefixOf,
  changeMediaFile,
  lockMediaFile,
  type FileKey,
} from '../../../library/files/record/media-file-store.ts'
import { countInProject } from '../../../library/projects/project-counts.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { cleanUpAfterPurge } from '../processing/run-file-job.ts'
import { insertOnDemandRendition } from './on-demand-store.ts'
import { declaredBitRates, planSegments, type OnDemandPlan } from './plan/plan-on-demand.ts'

export interface ReplacedRung {
  readonly renditionId: number
  readonly sizeBytes: number
  readonly hasClosedCaptions: boolean | null
  /** Those of its successor. */
  readonly codec: string
  readonly widthPixels: number
  readonly heightPixels: number
  readonly plan: OnDemandPlan
}

export interface Replacement {
  /** The init segment of the successor. */
  readonly init: Buffer
  /** Whether decoder settings are the reason: then the successor is watched and filled as the rung was. */
  readonly isRelisted: boolean
  /** Locks the rung against viewers who want more of it. Returns null when it is not to be replaced after all. */
  readonly lock: (tx: Tx) => Promise<ReplacedRung | null>
}

/**
 * Replaces a rung with a new rendition that has no segments yet, in one transaction. The init segment is stored before, under
 * an entry of the garbage list, so that a crash leaves no orphan. Returns the rung, or null when it stays.
 */
export const replaceRung = async (
  dependencies: {
    readonly database: Database
    readonly blobs: BlobStore
    readonly publicUrl: string
  },
  key: FileKey & { readonly projectId: number },
  { init, isRelisted, lock }: Replacement,
): Promise<ReplacedRung | null> => {
  const { database, blobs, publicUrl } = dependencies
  const { accountId, projectId, fileId } = key
  const mediaBlob = `${blobPrefixOf(key)}${randomUUID()}`
  const entryId = await addGarbageEntry(database, key, [`${mediaBlob}/`])
  await blobs.put(initBlob(mediaBlob), init)
  try {
    return await database.transaction(async (tx) => {
      await shareProject(tx, accountId, projectId)
      const file = await lockMediaFile(tx, key)
      const rung = await lock(tx)
      if (rung === null) return null
      const { plan, codec, widthPixels, heightPixels, hasClosedCaptions, sizeBytes } = rung
      await deleteGarbageEntry(tx, entryId)
      await retireEvicted(tx, file, rung.renditionId)
      const segments = planSegments(plan)
      const successorId = await insertOnDemandRendition(
        tx,
        { accountId, fileId, revision: file.generation },
        {
          ...{ mediaBlob, plan, segments, hasClosedCaptions, track: { codec, widthPixels, heightPixels } },
          bitRates: declaredBitRates(segments, plan),
        },
      )
      await nameSuccessor(tx, key, { formerId: rung.renditionId, successorId, isRelisted })
      await countInProject(tx, projectId, { bytes: -sizeBytes })
      await changeMediaFile(tx, publicUrl, key, () => ({
        set: { storage_bytes: file.storage_bytes - sizeBytes },
        isByViewers: true,
      }))
      return rung
    })
  } finally {
    await cleanUpAfterPurge(dependencies, key)
  }
}

/** Names the rendition that takes the place of another one, also for those which that one has replaced. */
const nameSuccessor = async (
  tx: Tx,
  { accountId, fileId }: FileKey,
  {
    formerId,
    successorId,
    isRelisted,
  }: { readonly formerId: number; readonly successorId: number; readonly isRelisted: boolean },
): Promise<void> => {
  await tx
    .updateTable('evicted_renditions')
    .set({ rendition_id: successorId })
    .where('rendition_id', '=', formerId)
    .execute()
  await tx
    .insertInto('evicted_renditions')
    .values({
      former_id: formerId,
      rendition_id: successorId,
      account_id: accountId,
      file_id: fileId,
      is_relisted: isRelisted,
    })
    .execute()
  if (isRelisted)
    await sql`
      update on_demand_renditions set watched_at = former.watched_at
      from on_demand_renditions former
      where on_demand_renditions.rendition_id = ${successorId} and former.rendition_id = ${formerId}`.execute(
      tx,
    )
  await tx
    .updateTable('on_demand_renditions')
    .set({ made_at: null, is_settled: true })
    .where('rendition_id', '=', formerId)
    .execute()
  // Ends the claims of encoders.
  await tx
    .deleteFrom('on_demand_chunks')
    .where('rendition_id', '=', formerId)
    .where('state', '!=', 'ready')
    .execute()
}

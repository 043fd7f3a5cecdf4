import { sql } from 'kysely'
import { lockRung } from '../../../../library/files/on-demand/wanted-chunks.ts'
import { discardBlobs } from '../../../../library/files/media/garbage-list.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { MediaFileRow } from '../../../../library/files/record/file-record.ts'
import { leaseEnd, type ClaimedChunk, type MadeSegment } from './claimed-chunk.ts'

const heldBy = ({ renditionId, number, claim }: ClaimedChunk) => ({
  rendition_id: renditionId,
  number,
  claim,
  state: 'claimed' as const,
})

/** Returns false when another encoder has the chunk, or the rendition is gone. */
export const renewChunk = async ({ kysely }: Database, chunk: ClaimedChunk): Promise<boolean> => {
  const { numUpdatedRows } = await kysely
    .updateTable('on_demand_chunks')
    .set({ leased_until: leaseEnd })
    .where((eb) => eb.and(heldBy(chunk)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a chunk as ready, and counts its seconds if viewers wanted it. Returns false when another encoder has claimed it. */
export const finishOnDemandChunk = (
  database: Database,
  chunk: ClaimedChunk,
  made: {
    readonly segment: MadeSegment
    readonly seconds: number
    readonly file: Pick<MediaFileRow, 'id' | 'account_id' | 'project_id'>
    /** What earlier claims may have stored. */
    readonly earlierBlobs: readonly string[]
  },
): Promise<boolean> =>
  database.transaction(async (tx) => {
    await lockRung(tx, chunk.renditionId)
    const { numUpdatedRows } = await tx
      .updateTable('on_demand_chunks')
      .set({ state: 'ready', claim: null, leased_until: null, segment: JSON.stringify(made.segment) })
      .where((eb) => eb.and(heldBy(chunk)))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (made.earlierBlobs.length > 0) await discardBlobs(tx, made.file, made.earlierBlobs)
    // Also when it is not settled yet: this waits for a run that settles it at the moment.
    await tx
      .updateTable('on_demand_renditions')
      .set({ is_settled: false, made_at: sql<Date>`now()` })
      .where('rendition_id', '=', chunk.renditionId)
      .execute()
    if (chunk.urgency === 'idle') return true
    await sql`
      insert into on_demand_days as days (account_id, project_id, day, encoded_seconds)
      values (${made.file.account_id}, ${made.file.project_id}, (now() at time zone 'utc')::date, ${made.seconds})
      on conflict (account_id, project_id, day) do update
        set encoded_seconds = days.encoded_seconds + excluded.encoded_seconds`.execute(tx)
    return true
  })

/** Ends the claim of a chunk. With `not_served`, the chunk is no longer wanted either. */
export const releaseChunk = async (
  { kysely }: Database,
  chunk: ClaimedChunk,
  reason: 'failed' | 'interrupted' | 'not_served',
): Promise<void> => {
  await kysely
    .updateTable('on_demand_chunks')
    .set((eb) => ({
      state: 'absent',
      claim: null,
      leased_until: null,
      ...(reason === 'failed' && { failures: eb('failures', '+', 1) }),
      ...(reason === 'not_served' && { wanted_until: sql<Date>`now()` }),
    }))
    .where((eb) => eb.and(heldBy(chunk)))
    .execute()
}

/** Frees the chunks of workers that are gone, before the only worker of an installation begins. */
export const releaseOrphanedChunks = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .updateTable('on_demand_chunks')
    .set({ state: 'absent', claim: null, leased_until: null })
    .where('state', '=', 'claimed')
    .execute()
}

import { sql } from 'kysely'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import { keepHouse } from '../../../platform/jobs/housekeeping.ts'

/** Folder of the DVR window of a broadcast in the media storage. */
export const storedWindowPrefix = (broadcastId: number): string => `live/b${broadcastId}/`

export const markStoredWindow = async (
  { kysely }: Database,
  { id }: { readonly id: number },
): Promise<void> => {
  await kysely.updateTable('live_broadcasts').set({ has_stored_window: true }).where('id', '=', id).execute()
}

/** For the usage of the project. */
export const countStoredWindow = async (
  { kysely }: Database,
  { id, sizeBytes }: { readonly id: number; readonly sizeBytes: number },
): Promise<void> => {
  await kysely
    .updateTable('live_broadcasts')
    .set({ stored_window_bytes: sizeBytes })
    .where('id', '=', id)
    .where('has_stored_window', '=', true)
    .execute()
}

/** Viewers behind live may continue for ten minutes after the end of a broadcast. */
const afterEndMinutes = 15

/** Housekeeping: deletes the DVR windows of ended broadcasts, and of purged projects whose broadcasts no node ended. */
export const dropStoredWindows = async (
  { kysely }: Database,
  blobs: Pick<BlobStore, 'deletePrefix'>,
): Promise<void> => {
  const ended = await kysely
    .selectFrom('live_broadcasts')
    .innerJoin('projects', 'projects.id', 'live_broadcasts.project_id')
    .select('live_broadcasts.id')
    .where('has_stored_window', '=', true)
    .where(sql<boolean>`coalesce(ended_at, purged_at) < now() - make_interval(mins => ${afterEndMinutes})`)
    .execute()
  await keepHouse(
    ended.map(({ id }) => async () => {
      await blobs.deletePrefix(storedWindowPrefix(id))
      await kysely
        .updateTable('live_broadcasts')
        .set({ has_stored_window: false, stored_window_bytes: 0 })
        .where('id', '=', id)
        .execute()
    }),
  )
}

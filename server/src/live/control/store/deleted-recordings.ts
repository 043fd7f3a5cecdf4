import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/** Whether the project or the File of a recording is deleted. Purged ones do not come back. */
export type Deletion = 'none' | 'restorable' | 'purged'

/** A recording whose row is purged counts as purged, too. */
export const readDeletion = async (
  { kysely }: Pick<Database, 'kysely'>,
  recordingId: number,
): Promise<Deletion> => {
  const { rows } = await sql<{ deletion: Deletion }>`
    select case
      when p.purged_at is not null or (r.file_id is not null and f.id is null) then 'purged'
      when p.deleted_at is not null or f.deleted_at is not null or of_file.deleted_at is not null then 'restorable'
      else 'none' end as deletion
    from live_recordings r
    join projects p on p.id = r.project_id
    left join media_files f on f.id = r.file_id
    left join projects of_file on of_file.id = f.project_id
    where r.id = ${recordingId}`.execute(kysely)
  return rows[0]?.deletion ?? 'purged'
}

/** Ends a recording of a purged project, which has neither events nor a log. Its row can then be purged. */
export const dropRecording = async (
  { kysely }: Pick<Database, 'kysely'>,
  recordingId: number,
  message: string,
): Promise<void> => {
  await kysely
    .updateTable('live_recordings')
    .set({ state: 'failed', message, ended_at: sql<Date>`coalesce(ended_at, now())` })
    .where('id', '=', recordingId)
    .where('state', 'in', ['recording', 'finishing'])
    .execute()
}

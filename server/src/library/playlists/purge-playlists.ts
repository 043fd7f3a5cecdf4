import type { Database } from '../../platform/db/database.ts'
import { isPurgeDue } from '../../platform/jobs/purge-due.ts'

const dayMs = 86_400_000

/** Long enough for every viewer who has started a stream to finish it. */
const streamMemoryDays = 3

/**
 * Housekeeping task: deletes playlists after the retention period, those of purged projects, and stream layouts
 * unused for three days.
 */
export const purgePlaylists = async ({ kysely }: Database, retentionDays: number): Promise<void> => {
  await kysely
    .deleteFrom('playlists')
    .where((where) =>
      where.or([
        isPurgeDue(retentionDays),
        where('project_id', 'in', (query) =>
          query.selectFrom('projects').select('id').where('purged_at', 'is not', null),
        ),
      ]),
    )
    .execute()
  await kysely
    .deleteFrom('playlist_streams')
    .where('used_at', '<', new Date(Date.now() - streamMemoryDays * dayMs))
    .execute()
}

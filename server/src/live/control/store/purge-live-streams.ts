import type { Database } from '../../../platform/db/database.ts'

/**
 * Housekeeping: deletes all rows of purged projects, including their keys. Dependent rows go before the
 * stream. Stored DVR windows and pieces of recordings go before the rows
 * that name them.
 */
export const purgeLiveStreams = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    for (const table of [
      'live_log',
      'live_targets',
      'live_recordings',
      'live_broadcasts',
      'live_streams',
    ] as const)
      await tx
        .deleteFrom(table)
        .where('project_id', 'in', (query) =>
          query
            .selectFrom('live_streams')
            .innerJoin('projects', 'projects.id', 'live_streams.project_id')
            .select('live_streams.project_id')
            .where('projects.purged_at', 'is not', null)
            .where((where) =>
              where.not(
                where.exists(
                  where
                    .selectFrom('live_broadcasts as stored')
                    .select('stored.id')
                    .whereRef('stored.project_id', '=', 'live_streams.project_id')
                    .where('stored.has_stored_window', '=', true),
                ),
              ),
            )
            .where((where) =>
              where.not(
                where.exists(
                  where
                    .selectFrom('live_recordings as recording')
                    .select('recording.id')
                    .whereRef('recording.project_id', '=', 'live_streams.project_id')
                    .where('recording.is_stored', '=', true)
                    .where('recording.state', 'in', ['recording', 'finishing']),
                ),
              ),
            ),
        )
        .execute()
  })

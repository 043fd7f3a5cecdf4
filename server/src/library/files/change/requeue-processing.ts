import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { enqueueProcessing, processingStates } from './file-revisions.ts'

/** Longer than a working job leaves the row of its file unchanged. */
const silenceMs = 86_400_000

/**
 * Enqueues files again that have not changed for a day, in case their job was lost. For a queued job this is
 * a no-op. The random order keeps files that merely wait from hiding lost ones.
 */
export const requeueProcessing = async ({
  database,
  jobs,
}: {
  readonly database: Database
  readonly jobs: Jobs
}): Promise<void> => {
  const files = await database.kysely
    .selectFrom('media_files as f')
    .innerJoin('projects as p', 'p.id', 'f.project_id')
    .selectAll('f')
    .where('f.state', 'in', [...processingStates])
    .where('f.source_blob', 'is not', null)
    .where('f.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('f.updated_at', '<', new Date(Date.now() - silenceMs))
    .orderBy(sql`random()`)
    .limit(1_000)
    .execute()
  for (const file of files) await enqueueProcessing(database.kysely, jobs, file)
}

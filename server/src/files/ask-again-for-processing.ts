import { sql } from 'kysely'
import type { Database } from '../kernel/db/database.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { enqueueProcessing, statesUnderWay } from './file-generations.ts'

/** Longer than a job that does its work leaves the row of its file as it is. */
const silenceMs = 86_400_000

/**
 * Hands files to the workers again that nobody has worked on for long, in case that their job got lost. One that only waits for its turn keeps
 * its place: asking for it again is a no-op. Which of too many are asked for is left to chance, so that those that wait hide none that is lost.
 */
export const askAgainForProcessing = async ({
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
    .where('f.state', 'in', [...statesUnderWay])
    .where('f.source_blob', 'is not', null)
    .where('f.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('f.updated_at', '<', new Date(Date.now() - silenceMs))
    .orderBy(sql`random()`)
    .limit(1_000)
    .execute()
  for (const file of files) await enqueueProcessing(database.kysely, jobs, file)
}

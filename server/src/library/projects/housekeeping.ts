import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { MailQueue } from '../../platform/mail/mail-queue.ts'
import { mailFullProjects } from './mail-full-projects.ts'
import { lockAnyProject } from './project-locks.ts'
import { askAgainForProjectFiles, purgeProjects } from './purge-projects.ts'

export const projectHousekeeping = (dependencies: {
  readonly database: Database
  readonly jobs: Jobs
  readonly mails: MailQueue
  readonly publicUrl: string
  readonly retentionDays: number
}): readonly HousekeepingTask[] => [
  () => askAgainForProjectFiles(dependencies),
  // A purged project cannot be locked.
  () => foldCounts(dependencies.database),
  () => purgeProjects(dependencies),
  () => mailFullProjects(dependencies.database, dependencies),
]

/** The project was purged, or another transaction holds it, so the next run tries again. */
const passingCodes: ReadonlySet<unknown> = new Set(['not_found', '55P03'])

/** Adds up the counts of projects: each lock of a project does, but some are never locked. */
const foldCounts = async (database: Database): Promise<void> => {
  const counted = await database.kysely
    .selectFrom('project_counts')
    .select(['account_id', 'project_id'])
    .distinct()
    .execute()
  for (const { account_id, project_id } of counted)
    await database
      .transaction(async (tx) => {
        // Changes of the files wait behind this lock, so it must not wait for a transaction that hangs.
        await sql`set local lock_timeout = '1s'`.execute(tx)
        await lockAnyProject(tx, account_id, project_id)
      })
      .catch((error: unknown) => {
        if (!passingCodes.has((error as { code?: unknown }).code)) throw error
      })
}

import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { Problem } from '../../platform/base/problem.ts'
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
  () => purgeProjects(dependencies),
  () => mailFullProjects(dependencies.database, dependencies),
  () => foldCounts(dependencies.database),
]

/** Adds up the counts of projects: each lock of a project does, but some are never locked. */
const foldCounts = async (database: Database): Promise<void> => {
  const counted = await database.kysely
    .selectFrom('project_counts')
    .select(['account_id', 'project_id'])
    .distinct()
    .execute()
  for (const { account_id, project_id } of counted)
    await database
      .transaction((tx) => lockAnyProject(tx, account_id, project_id))
      .catch((error: unknown) => {
        // The project was purged.
        if (!(error instanceof Problem && error.code === 'not_found')) throw error
      })
}

import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { MailQueue } from '../../platform/mail/mail-queue.ts'
import { mailFullProjects } from './mail-full-projects.ts'
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
]

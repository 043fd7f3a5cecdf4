import type { Database } from '../../platform/db/database.ts'
import type { HousekeepingTask } from '../../platform/jobs/housekeeping.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { askAgainForProjectFiles, purgeProjects } from './purge-projects.ts'

export const projectHousekeeping = (dependencies: {
  readonly database: Database
  readonly jobs: Jobs
  readonly retentionDays: number
}): readonly HousekeepingTask[] => [
  () => askAgainForProjectFiles(dependencies),
  () => purgeProjects(dependencies),
]

import type { JobDefinition } from '../kernel/jobs/jobs.ts'

export interface ProjectFilesJob {
  readonly accountId: number
  readonly projectId: number
  /** When the project was deleted or restored. */
  readonly changedAtMs: number
}

/**
 * Takes the files of a project after it: deletes those of a deleted one, brings those back that went with a restored one. Files are a slice that
 * projects do not know, so they do it.
 */
export const projectFilesJob: JobDefinition<ProjectFilesJob> = {
  name: 'project.files',
  retryLimit: 20,
  expireInSeconds: 24 * 3_600,
}

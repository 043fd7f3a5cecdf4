import type { JobDefinition } from '../../platform/jobs/job-definition.ts'

export interface ProjectFilesJob {
  readonly accountId: number
  readonly projectId: number
  readonly changedAtMs: number
}

/**
 * Deletes the files of a deleted project and restores those that were deleted with a restored one. The
 * handler is in the files module, which projects do not import.
 */
export const projectFilesJob: JobDefinition<ProjectFilesJob> = {
  name: 'project.files',
  retryLimit: 20,
  expireInSeconds: 24 * 3_600,
}

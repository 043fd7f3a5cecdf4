import type { JobDefinition } from '../../../platform/jobs/job-definition.ts'
import type { UploadedPicture } from '../read/uploaded-picture.ts'

export interface LogoJob {
  readonly requestId: string
  readonly picture: Omit<UploadedPicture, 'bytes'>
}

/** A request waits for the result, so retries are few. */
export const drawLogoJob: JobDefinition<LogoJob> = {
  name: 'project.logo',
  retryLimit: 2,
  expireInSeconds: 120,
}

import type { JobDefinition } from '../kernel/jobs/jobs.ts'
import type { UploadedPicture } from './uploaded-picture.ts'

export interface LogoJob {
  /** Who waits for it, with the bytes. */
  readonly requestId: string
  readonly picture: Omit<UploadedPicture, 'bytes'>
}

/** Draws the logo of a player anew; asked for by a request that waits for it, so it is not tried for long. */
export const drawLogoJob: JobDefinition<LogoJob> = {
  name: 'project.logo',
  retryLimit: 2,
  expireInSeconds: 120,
}

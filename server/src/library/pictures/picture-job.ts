import type { FileJob } from '../files/queue/file-jobs.ts'
import type { JobDefinition } from '../../platform/jobs/job-definition.ts'
import type { UploadedPicture } from './read/uploaded-picture.ts'

export type PictureSource =
  | { readonly kind: 'frame'; readonly positionSeconds: number }
  | ({ readonly kind: 'upload'; readonly blob: string } & Omit<UploadedPicture, 'bytes'>)

export interface PictureJob extends FileJob {
  readonly requestId: string
  readonly isStandard: boolean
  readonly source: PictureSource
}

/** A request waits for the result, so retries are few. */
export const makePictureJob: JobDefinition<PictureJob> = {
  name: 'file.picture',
  retryLimit: 2,
  expireInSeconds: 120,
}

import type { FileJob } from '../files/file-jobs.ts'
import type { JobDefinition } from '../kernel/jobs/jobs.ts'
import type { UploadedPicture } from './uploaded-picture.ts'

/** Where the picture is to come from. */
export type PictureSource =
  | { readonly kind: 'frame'; readonly positionSeconds: number }
  | ({ readonly kind: 'upload'; readonly blob: string } & Omit<UploadedPicture, 'bytes'>)

export interface PictureJob extends FileJob {
  /** Who waits for it; gone when nobody does any more. */
  readonly requestId: string
  readonly isStandard: boolean
  readonly source: PictureSource
}

/** Makes one picture; asked for by a request that waits for it, so it is not tried for long. */
export const makePictureJob: JobDefinition<PictureJob> = {
  name: 'file.picture',
  retryLimit: 2,
  expireInSeconds: 120,
}

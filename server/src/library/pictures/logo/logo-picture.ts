import { invalidField, invalidValue } from '../../../platform/base/problem.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { projectNotFound } from '../../projects/project-store.ts'
import { drawLogoJob } from './logo-job.ts'
import { PictureError } from '../read/picture-error.ts'
import { waitForPicture } from '../picture-requests.ts'
import { readPicture } from '../read/read-picture.ts'
import type { UploadedPicture } from '../read/uploaded-picture.ts'

/** Limit for the upload; viewers load the smaller re-encoded picture. */
export const logoLimit = { maxBytes: 512 * 1024, maxText: '512 KiB' } as const

export interface DrawnLogo {
  readonly bytes: Buffer
  readonly widthPixels: number
  readonly heightPixels: number
}

/** Reads an uploaded logo; its bytes decide the format. Throws 'invalid'. */
export const readLogo = (sent: Buffer): UploadedPicture => {
  if (sent.length > logoLimit.maxBytes)
    throw invalidField('Picture', 'picture_too_large', { limit: logoLimit.maxText })
  try {
    return readPicture(sent)
  } catch (error) {
    if (error instanceof PictureError) throw invalidValue('Picture', error.issue)
    throw error
  }
}

/** Waits for a worker to re-encode the logo. Throws 'invalid' with the worker's reason, and 'unavailable'. */
export const drawLogo = async (
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  { accountId, projectId }: { readonly accountId: number; readonly projectId: number },
  { bytes, ...picture }: UploadedPicture,
): Promise<DrawnLogo> => {
  const requestId = await database.transaction(async (tx) => {
    const { id } = await tx
      .insertInto('picture_requests')
      .values({ account_id: accountId, project_id: projectId, sent: bytes })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, drawLogoJob, { requestId: id, picture })
    return id
  })
  const made = await waitForPicture(database, requestId, projectNotFound(projectId))
  const { drawn, width_pixels: widthPixels, height_pixels: heightPixels } = made
  if (drawn === null || widthPixels === null || heightPixels === null)
    throw new Error(`The logo of project ${projectId} was made without a picture.`)
  return { bytes: drawn, widthPixels, heightPixels }
}

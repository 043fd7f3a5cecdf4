import { MediaError } from '@zoetrope/ffmpeg'
import { BlobNotFoundError } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import type { Log } from '../../../platform/log/log.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { withWorkFolder } from '../encode/with-work-folder.ts'
import { isFaultOfMedia } from '../encode/faults.ts'
import { NobodyWaitsError, refuseRequest, takeUpRequest } from '../../../library/pictures/picture-requests.ts'

/** An HTTP request waits for the picture, so longer runs are stopped. */
export const pictureLimits = {
  wallSeconds: 45,
  cpuSeconds: 45,
  stallSeconds: 45,
  outputFileBytes: 64 * 1024 * 1024,
} as const

export interface PictureRequestDependencies {
  readonly database: Database
  readonly workFolder: string
  readonly log: Log
}

export interface PictureRun {
  /** Exclusive to this run; always removed afterwards. */
  readonly workFolder: string
  readonly signal: AbortSignal
}

/** Makes the picture for a waiting request. Reports faults of the input to that request only. */
export const answerPictureRequest = async (
  dependencies: PictureRequestDependencies,
  {
    requestId,
    signal,
    attempt,
  }: { readonly requestId: string; readonly signal: AbortSignal; readonly attempt: JobAttempt },
  make: (run: PictureRun) => Promise<void>,
): Promise<void> => {
  const { database, log } = dependencies
  if (!(await takeUpRequest(database, requestId))) return
  try {
    await withWorkFolder(dependencies.workFolder, 'picture-', (workFolder) => make({ workFolder, signal }))
  } catch (error) {
    if (error instanceof NobodyWaitsError) return
    const problem = signal.aborted ? null : problemOf(error)
    if (problem === null && !attempt.isLast) throw error
    // The response tells the client why.
    if (problem !== null) log.info({ requestId, reason: problem.message }, 'cannot create a picture')
    else log.warn({ requestId, err: error }, 'cannot create a picture')
    await refuseRequest(database, requestId, problem ?? new Problem('picture_failed'))
  }
}

/** Returns null for server faults, which a retry may fix. */
const problemOf = (error: unknown): Problem | null => {
  if (error instanceof Problem) return ['invalid', 'not_found'].includes(error.code) ? error : null
  if (error instanceof MediaError && isFaultOfMedia(error))
    return new Problem('picture_not_processed', { message: error.message })
  return error instanceof BlobNotFoundError ? new Problem('picture_source_missing') : null
}

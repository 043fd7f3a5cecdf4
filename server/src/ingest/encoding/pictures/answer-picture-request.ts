import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError } from '@zoetrope/ffmpeg'
import { BlobNotFoundError } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { JobAttempt } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { NobodyWaitsError, refuseRequest, takeUpRequest } from '../../../library/pictures/picture-requests.ts'

/** An HTTP request waits for the picture, so longer runs are stopped. */
export const pictureLimits = {
  wallSeconds: 45,
  cpuSeconds: 45,
  stallSeconds: 45,
  outputFileBytes: 64 * 1024 * 1024,
} as const

/** A refusal that the caller can act on. */
export class RefusedPictureError extends Error {
  override readonly name = 'RefusedPictureError'
}

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
  await mkdir(dependencies.workFolder, { recursive: true })
  const workFolder = await mkdtemp(join(dependencies.workFolder, 'picture-'))
  try {
    await make({ workFolder, signal })
  } catch (error) {
    if (error instanceof NobodyWaitsError) return
    const reason = signal.aborted ? null : reasonOf(error)
    if (reason === null && !attempt.isLast) throw error
    log.warn({ requestId, err: error }, 'cannot create a picture')
    await refuseRequest(database, requestId, reason ?? 'The picture could not be made; try again.')
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Returns null for server faults, which a retry may fix. */
const reasonOf = (error: unknown): string | null => {
  if (error instanceof RefusedPictureError) return error.message
  if (error instanceof MediaError) return `The picture could not be made of what was sent: ${error.message}`
  if (error instanceof Problem && error.code === 'not_found') return error.message
  return error instanceof BlobNotFoundError ? 'What the picture is to be made of is gone.' : null
}

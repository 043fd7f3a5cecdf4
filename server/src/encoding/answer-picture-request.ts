import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError } from '@zoetrope/ffmpeg'
import { BlobNotFoundError } from '../kernel/blobs/blob-store.ts'
import type { Database } from '../kernel/db/database.ts'
import type { JobAttempt } from '../kernel/jobs/jobs.ts'
import type { Log } from '../kernel/log.ts'
import { Problem } from '../kernel/problem.ts'
import { NobodyWaitsError, refuseRequest, takeUpRequest } from '../pictures/picture-requests.ts'

/** Somebody waits: what takes longer than this is no picture. */
export const pictureLimits = {
  wallSeconds: 45,
  cpuSeconds: 45,
  stallSeconds: 45,
  outputFileBytes: 64 * 1024 * 1024,
} as const

/** A reason that the caller can do something about. */
export class RefusedPictureError extends Error {
  override readonly name = 'RefusedPictureError'
}

export interface PictureRequestDependencies {
  readonly database: Database
  readonly workFolder: string
  readonly log: Log
}

export interface PictureRun {
  /** Of this run alone; removed afterwards, whatever happens. */
  readonly workFolder: string
  readonly signal: AbortSignal
}

/** Makes what a request waits for; its faults are told to that request and to nobody else. */
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
    log.warn({ requestId, err: error }, 'no picture')
    await refuseRequest(database, requestId, reason ?? 'The picture could not be made; try again.')
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Null for faults of ours, which another try may mend. */
const reasonOf = (error: unknown): string | null => {
  if (error instanceof RefusedPictureError) return error.message
  if (error instanceof MediaError) return `The picture could not be made of what was sent: ${error.message}`
  if (error instanceof Problem && error.code === 'not_found') return error.message
  return error instanceof BlobNotFoundError ? 'What the picture is to be made of is gone.' : null
}

import { MediaError } from '@zoetrope/ffmpeg'
import { IsobmffError } from '@zoetrope/isobmff'
import { BlobStoreUnavailableError } from '../../../platform/blobs/blob-store.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'

/** Errors that the source never causes. */
const passingCodes = new Set(['aborted', 'disk_full', 'program_unusable'])
/** Errors that a busy or full machine may cause as well as the source. */
const doubtfulCodes = new Set(['stalled', 'failed'])
const triesInDoubt = 3

/**
 * Returns true when a retry would fail the same way: the source is at fault, doubtful errors were retried, or
 * a program error occurred twice in a row. Errors of the environment (database, disk, blob store) are always
 * retried.
 */
export const isHopeless = (
  error: unknown,
  attempt: Pick<JobAttempt, 'number' | 'previousError'>,
): boolean => {
  if (error instanceof MediaError)
    return !passingCodes.has(error.code) && (!doubtfulCodes.has(error.code) || attempt.number >= triesInDoubt)
  return isProgramError(error) && isSameError(error, attempt.previousError)
}

/**
 * Whether the error comes from server code that processes the input. Errors of the environment carry a system
 * code or a cause.
 */
const isProgramError = (error: unknown): error is Error =>
  error instanceof IsobmffError ||
  ((error instanceof TypeError || error instanceof RangeError) &&
    error.cause === undefined &&
    !/allocation failed/i.test(error.message))

/** Whether the media is at fault, so that every attempt fails the same way, or may be. */
export const isFaultOfMedia = (error: unknown): boolean =>
  error instanceof IsobmffError || (error instanceof MediaError && !passingCodes.has(error.code))

/** Whether the machine, the database or the blob store is at fault, so that a later attempt may succeed. */
export const isPassing = (error: unknown): boolean => {
  if (error instanceof MediaError) return passingCodes.has(error.code)
  return (
    error instanceof BlobStoreUnavailableError ||
    (error instanceof Error && (error.cause !== undefined || ('code' in error && error.code !== undefined)))
  )
}

const isSameError = (error: Error, previous: JobAttempt['previousError']): boolean =>
  previous !== undefined && previous.name === error.name && previous.message === error.message

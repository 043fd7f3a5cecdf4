import { messageOf } from '@zoetrope/vocabulary'
import type { PullFileJob } from '../../../library/files/queue/file-jobs.ts'
import { lockMediaFile } from '../../../library/files/record/media-file-store.ts'
import { newMessage } from '../../../platform/base/message.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { finishUpload, holdUpload } from '../receive/finish-upload.ts'
import { failPull } from './fail-pull.ts'
import { fetchSource, removeStaged, stagedBytes, type PullDependencies } from './fetch-source.ts'
import { PullError, PullSupersededError } from './pull-error.ts'
import {
  claimPull,
  deleteDonePull,
  isStillWanted,
  nextAttempt,
  stagedPlaceOf,
  type ClaimedPull,
} from './pull-store.ts'
import { showTrouble } from './pull-trouble.ts'
import type { PullLimits } from './request-source.ts'
import { parseSourceUri, type SourceUri } from './source-uri.ts'

export const pullLimits: PullLimits = {
  answerMs: 60_000,
  stallMs: 60_000,
  leastBytes: 1_000_000,
  slowMs: 60_000,
  totalMs: 24 * 3_600_000,
  retryDelaysMs: [1_000, 5_000, 15_000, 60_000, 180_000, 600_000],
}

const wantedEveryMs = 2_000

/**
 * Fetches the source of a file with one connection per run, so that no worker waits for a server to recover.
 * Resumes where the last run ended, even a killed one.
 */
export const createPullFileHandler =
  (dependencies: PullDependencies) =>
  async (job: PullFileJob, signal: AbortSignal): Promise<void> => {
    const claimed = await claimPull(dependencies.database.kysely, job)
    if (claimed === null) return
    const stagedBefore = await stagedBytes(dependencies, claimed.upload)
    try {
      await runOnce(dependencies, job, claimed, signal)
    } catch (error) {
      // The worker is stopping: another one gets the job.
      if (signal.aborted) throw error
      await settle(dependencies, job, { claimed, stagedBefore }, error).catch((settling: unknown) => {
        if (!isGone(settling)) throw settling
      })
    }
  }

/** Records the failure of a pull whose worker died in every attempt. */
export const createGiveUpPullHandler =
  (dependencies: Pick<PullDependencies, 'database' | 'publicUrl' | 'stagings'>) =>
  async (job: PullFileJob): Promise<void> => {
    const place = await failPull(dependencies, job, newMessage('source_never_fetched')).catch(
      (error: unknown) => {
        if (!isGone(error)) throw error
        return null
      },
    )
    if (place !== null) await removeStaged(dependencies, place)
  }

/** The file was deleted or replaced, or another run took over. */
const isGone = (error: unknown): boolean =>
  error instanceof PullSupersededError ||
  (error instanceof Problem && (error.code === 'not_found' || error.reason === 'upload_taken_over'))

const runOnce = async (
  dependencies: PullDependencies,
  job: PullFileJob,
  claimed: ClaimedPull,
  signal: AbortSignal,
): Promise<void> => {
  const { secrets, database } = dependencies
  const uri = parseSourceUri(secrets.open(claimed.pull.sealed_uri).toString('utf8'))
  if (uri === null) throw new PullError('refused', newMessage('source_uri_invalid'))
  const { pull, upload } = await fetchInTime(dependencies, job, claimed, uri, signal)
  if (!(await isStillWanted(database.kysely, pull))) throw new PullSupersededError()
  const finish = () => finishUpload(dependencies, upload, uri.shown)
  await holdUpload(dependencies, upload, () => {}, finish)
  await deleteDonePull(database.kysely, pull)
}

/** Ends at the time limit, or when a periodic check finds that the file is no longer wanted. */
const fetchInTime = async (
  dependencies: PullDependencies,
  job: PullFileJob,
  claimed: ClaimedPull,
  uri: SourceUri,
  signal: AbortSignal,
): Promise<ClaimedPull> => {
  const { database, limits } = dependencies
  const late = AbortSignal.timeout(Math.max(0, claimed.pull.begun_at.getTime() + limits.totalMs - Date.now()))
  const unwanted = new AbortController()
  const watch = setInterval(() => {
    isStillWanted(database.kysely, claimed.pull).then(
      (isWanted) => {
        if (!isWanted) unwanted.abort()
      },
      // The next check makes up for a failed one.
      () => {},
    )
  }, wantedEveryMs)
  try {
    const either = AbortSignal.any([signal, late, unwanted.signal])
    return await fetchSource(dependencies, claimed, uri, job.projectId, either)
  } catch (error) {
    if (unwanted.signal.aborted) throw new PullSupersededError()
    if (late.aborted)
      throw new PullError('refused', newMessage('source_late', { hours: limits.totalMs / 3_600_000 }))
    throw error
  } finally {
    clearInterval(watch)
  }
}

/** Quota, size and checksum errors have the same messages as for an upload. */
const toPullError = (error: unknown): PullError | null => {
  if (error instanceof PullError) return error
  // The bucket has lost the bytes before: the next attempt starts over.
  if (error instanceof Problem && error.reason === 'upload_offset_mismatch')
    return new PullError('broken', messageOf(error), { cause: error })
  return error instanceof Problem &&
    ['too_large', 'quota_exceeded', 'invalid', 'conflict'].includes(error.code)
    ? new PullError('refused', messageOf(error), { cause: error })
    : null
}

/** Handles a run that did not get all bytes: ignores it, schedules the next attempt or fails the pull. */
const settle = async (
  dependencies: PullDependencies,
  job: PullFileJob,
  run: { readonly claimed: ClaimedPull; readonly stagedBefore: number },
  error: unknown,
): Promise<void> => {
  const { database, jobs, limits, publicUrl } = dependencies
  const { pull, upload } = run.claimed
  const place = await stagedPlaceOf(database.kysely, upload)
  if (isGone(error)) {
    // Another run continues with these bytes, or the file is gone.
    if (place?.staging_name !== upload.staging_name) await removeStaged(dependencies, upload)
    return
  }
  const pullError = toPullError(error)
  if (pullError === null) throw error
  const hasProgress =
    pullError.reason !== 'source_too_slow' &&
    place !== null &&
    (await stagedBytes(dependencies, place)) > run.stagedBefore
  const fruitlessAttempts = hasProgress ? 0 : pull.fruitless_attempts + 1
  const delayMs = limits.retryDelaysMs[Math.max(0, fruitlessAttempts - 1)]
  if (pullError.kind === 'broken' && delayMs !== undefined) {
    const startAfter = new Date(Date.now() + delayMs)
    await database.transaction(async (tx) => {
      // Locks the file before the pull, in the same order as every other change of both.
      await lockMediaFile(tx, job)
      if (!(await nextAttempt(tx, jobs, job, pull, { fruitlessAttempts, startAfter }))) return
      const trouble = { cause: messageOf(pullError), at: toTimestamp(startAfter) }
      await showTrouble(tx, publicUrl, upload, newMessage('pull_retried_later', trouble))
    })
    return
  }
  const cause = messageOf(pullError)
  const failure =
    fruitlessAttempts > 1 ? newMessage('pull_tried_repeatedly', { cause, count: fruitlessAttempts }) : cause
  const failed = await failPull(dependencies, job, failure)
  if (failed !== null) await removeStaged(dependencies, failed)
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { revisionOf, type FileJob } from '../../../library/files/queue/file-jobs.ts'
import { blobPrefixOf, findMediaFile, isPurged } from '../../../library/files/record/media-file-store.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { endFailedRun } from './end-processing.ts'
import { sourceOf } from './source-of.ts'
import { createReadyEstimate } from './estimate-ready.ts'
import { isHopeless } from '../encode/faults.ts'
import { failureMessage, isGone, isWanted, setProgress } from '../encode/file-progress.ts'

/** Deleting or replacing a file ends its encodes on every worker within a second. */
const watchIntervalMs = 500
const progressIntervalMs = 2_000

/**
 * Runs a job on a file. The job ends when the file is deleted or another revision of it is wanted, and leaves
 * no temporary files. A fault of the source sets `failed` or `degraded` with a message for users. Other
 * errors are retried and count as permanent after the last attempt.
 */
export const runFileJob = async (
  dependencies: FileJobDependencies,
  asked: FileJob,
  signal: AbortSignal,
  attempt: JobAttempt,
  work: (run: FileJobRun) => Promise<void>,
): Promise<void> => {
  const { database, log } = dependencies
  const job = { ...asked, revision: revisionOf(asked) }
  const file = await findMediaFile(database.kysely, job).catch((error: unknown) => {
    if (isGone(error)) return null
    throw error
  })
  if (file === null) return cleanUpAfterPurge(dependencies, job)
  if (!isWanted(job, file)) return
  const unwanted = new AbortController()
  await mkdir(dependencies.workFolder, { recursive: true })
  const workFolder = await mkdtemp(join(dependencies.workFolder, `file-${job.fileId}-`))
  const watch = watchFile(dependencies, job, () => unwanted.abort())
  try {
    await work({
      job,
      file,
      source: sourceOf(file),
      isPendingRevision: file.rework !== null,
      signal: AbortSignal.any([signal, unwanted.signal]),
      workFolder,
      report: watch.report,
      warn: (message, error) => log.warn({ ...job, err: error }, message),
    })
  } catch (error) {
    if (unwanted.signal.aborted || isGone(error)) return
    if (signal.aborted || !(isHopeless(error, attempt) || attempt.isLast)) throw error
    log.warn({ ...job, err: error }, 'file failed')
    await endFailedRun(dependencies, { job, workFolder, signal }, failureMessage(error)).catch(
      (failure: unknown) => {
        if (!isGone(failure)) throw failure
      },
    )
  } finally {
    watch.stop()
    await rm(workFolder, { recursive: true, force: true })
    await cleanUpAfterPurge(dependencies, job)
  }
}

/** Removes blobs that this job wrote during or after a purge of the file. `more` are folders outside of its project. */
export const cleanUpAfterPurge = async (
  { database, blobs }: Pick<FileJobDependencies, 'database' | 'blobs'>,
  job: FileJob,
  more: readonly string[] = [],
): Promise<void> => {
  if (!(await isPurged(database.kysely, job.fileId))) return
  for (const prefix of [blobPrefixOf(job), ...more]) await blobs.deletePrefix(prefix)
}

/** Stores the progress every two seconds, and checks more often whether the job is still wanted. */
const watchFile = (
  { database, publicUrl, log }: FileJobDependencies,
  job: FileJob,
  onGone: () => void,
): { report: FileJobRun['report']; stop: () => void } => {
  let percent = 0
  let written = 0
  let readyAt: Date | null = null
  const estimate = createReadyEstimate()
  let writtenMs = -Infinity
  let isAsking = false
  const tick = async (): Promise<void> => {
    if (Math.floor(percent) > written && performance.now() - writtenMs >= progressIntervalMs) {
      written = Math.floor(percent)
      writtenMs = performance.now()
      await setProgress(database, publicUrl, job, { percent: written, readyAt })
    } else if (!isWanted(job, await findMediaFile(database.kysely, job))) onGone()
  }
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    tick()
      .catch((error: unknown) => {
        if (isGone(error)) onGone()
        else log.warn({ ...job, err: error }, 'cannot store encoding progress')
      })
      .finally(() => {
        isAsking = false
      })
  }, watchIntervalMs)
  return {
    report: (value, { isMoreToFollow } = { isMoreToFollow: false }) => {
      percent = Math.max(percent, value)
      if (!isMoreToFollow) readyAt = estimate(percent, Date.now())
    },
    stop: () => clearInterval(timer),
  }
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileJob } from '../files/file-jobs.ts'
import type { MediaFileRow } from '../files/file-record.ts'
import { blobPrefixOf, findMediaFile } from '../files/media-file-store.ts'
import type { JobAttempt } from '../kernel/jobs/jobs.ts'
import type { Log } from '../kernel/log.ts'
import { Problem } from '../kernel/problem.ts'
import type { EncodingDependencies } from './encode-renditions.ts'
import { failureMessage, isHopeless, markFailed, setProgress } from './file-progress.ts'

export interface FileJobDependencies extends EncodingDependencies {
  readonly workFolder: string
  readonly log: Log
}

export interface FileJobRun {
  readonly job: FileJob
  readonly file: MediaFileRow
  /** Aborts when the worker stops or loses the job, and when the file is deleted. */
  readonly signal: AbortSignal
  /** Of this run alone; removed afterwards, whatever happens. */
  readonly workFolder: string
  /** EncodingProgress in percent; written every two seconds at most. */
  readonly report: (percent: number) => void
  readonly warn: (message: string, error: unknown) => void
}

const watchIntervalMs = 2_000

const isGone = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'

/**
 * What every job on a file has in common: it ends when the file is deleted, leaves no temporary files, and turns a fault of the source into
 * the state `failed` or `degraded` with a message for people; other faults are tried again, and count as such when no try is left.
 */
export const runFileJob = async (
  dependencies: FileJobDependencies,
  job: FileJob,
  signal: AbortSignal,
  attempt: JobAttempt,
  work: (run: FileJobRun) => Promise<void>,
): Promise<void> => {
  const { database, publicUrl, log } = dependencies
  const file = await findMediaFile(database.kysely, job).catch((error: unknown) => {
    if (isGone(error)) return null
    throw error
  })
  if (file === null) return cleanUpAfterPurge(dependencies, job)
  const deleted = new AbortController()
  await mkdir(dependencies.workFolder, { recursive: true })
  const workFolder = await mkdtemp(join(dependencies.workFolder, `file-${job.fileId}-`))
  const watch = watchFile(dependencies, job, () => deleted.abort())
  try {
    await work({
      job,
      file,
      signal: AbortSignal.any([signal, deleted.signal]),
      workFolder,
      report: watch.report,
      warn: (message, error) => log.warn({ ...job, err: error }, message),
    })
  } catch (error) {
    if (deleted.signal.aborted || isGone(error)) return
    if (signal.aborted || !(isHopeless(error, attempt) || attempt.isLast)) throw error
    log.warn({ ...job, err: error }, 'file failed')
    await database.transaction((tx) => markFailed(tx, publicUrl, job, failureMessage(error)))
  } finally {
    watch.stop()
    await rm(workFolder, { recursive: true, force: true })
    await cleanUpAfterPurge(dependencies, job)
  }
}

/** A purge that ran while this job was writing could not see what came after it. */
const cleanUpAfterPurge = async ({ database, blobs }: FileJobDependencies, job: FileJob): Promise<void> => {
  const row = await database.kysely
    .selectFrom('media_files')
    .select('id')
    .where('id', '=', job.fileId)
    .executeTakeFirst()
  if (row === undefined) await blobs.deletePrefix(blobPrefixOf(job))
}

/** Writes the progress and notices a deletion, both every two seconds. */
const watchFile = (
  { database, publicUrl, log }: FileJobDependencies,
  job: FileJob,
  onDeleted: () => void,
): { report: (percent: number) => void; stop: () => void } => {
  let percent = 0
  let written = 0
  const tick = async (): Promise<void> => {
    if (Math.floor(percent) > written) {
      written = Math.floor(percent)
      await setProgress(database, publicUrl, job, written)
    } else await findMediaFile(database.kysely, job)
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => {
      if (isGone(error)) onDeleted()
      else log.warn({ ...job, err: error }, 'progress not written')
    })
  }, watchIntervalMs)
  return {
    report: (value) => {
      percent = Math.max(percent, value)
    },
    stop: () => clearInterval(timer),
  }
}

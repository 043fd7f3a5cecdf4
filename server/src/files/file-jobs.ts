import type { JobDefinition } from '../kernel/jobs/jobs.ts'

export interface FileJob {
  readonly accountId: number
  /** With the other two it names the file's blobs, also when the row is gone. */
  readonly projectId: number
  readonly fileId: number
  /** The generation to make; absent = 1. A job whose generation is not wanted any more does nothing. */
  readonly generation?: number
}

const hour = 3_600
/** Many, because each end of a worker, wanted or not, costs one; faults of a source are never tried again. */
const retryLimit = 20

/** Marks a file as failed whose job came to nothing though it was tried again and again. */
export const giveUpFileJob: JobDefinition<FileJob> = {
  name: 'file.giveup',
  retryLimit: 20,
  expireInSeconds: hour,
}

/** Probes the source and makes it playable; asked for when the last byte is in. */
export const processFileJob: JobDefinition<FileJob> = {
  name: 'file.process',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

/** Encodes the rest of the ladder; asked for when the file is playable. */
export const encodeLadderJob: JobDefinition<FileJob> = {
  name: 'file.ladder',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface PullFileJob extends FileJob {
  readonly pullId: number
  /** One whose number is not wanted any more does nothing. */
  readonly attempt: number
}

/** Marks a file as failed whose source could not be fetched though it was tried again and again. */
export const giveUpPullJob: JobDefinition<PullFileJob> = {
  name: 'file.pull.giveup',
  retryLimit: 20,
  expireInSeconds: hour,
}

/** Fetches the source of a file from a URL; asked for when the file is made, and once more after each connection that broke. */
export const pullFileJob: JobDefinition<PullFileJob> = {
  name: 'file.pull',
  onGivenUp: 'file.pull.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface PurgeFileJob extends FileJob {
  /** Which deletion asked for it: a file that was restored, and perhaps deleted anew, is not this job's. */
  readonly deletedAtMs: number
}

/** Removes a deleted file and its media; asked for when it is deleted, started when its retention is over. */
export const purgeFileJob: JobDefinition<PurgeFileJob> = {
  name: 'file.purge',
  retryLimit,
  expireInSeconds: hour,
  isExclusive: true,
}

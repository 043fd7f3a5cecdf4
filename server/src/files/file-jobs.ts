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

export interface EncodeLadderJob extends FileJob {
  /** Only this chunk of what was cut. The same queue, so that a worker never encodes more at once than it is told to. */
  readonly chunk?: number
  /** Goes on with the codecs that come after H.264, for which other files' ladders are not to wait. */
  readonly isLater?: true
  /** Never cut: it was tried in vain. */
  readonly isWhole?: true
}

/** Encodes the rest of the ladder; asked for when the file is playable. */
export const encodeLadderJob: JobDefinition<EncodeLadderJob> = {
  name: 'file.ladder',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

/** Makes the storyboard of a file that plays without one; most files get theirs from the job that finishes them. */
export const makeStoryboardJob: JobDefinition<FileJob> = {
  name: 'file.storyboard',
  retryLimit,
  expireInSeconds: hour,
  isExclusive: true,
}

export interface ClipFileJob extends FileJob {
  /** One whose number is not wanted any more does nothing. */
  readonly attempt: number
}

/** Cuts the source of a file of that of another one; asked for when the file is made. */
export const cutClipJob: JobDefinition<ClipFileJob> = {
  name: 'file.clip',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface ShowArrivingJob extends FileJob {
  readonly stagingName: string
}

/** Looks whether what has arrived of an upload plays already; asked for while its bytes come. */
export const showArrivingJob: JobDefinition<ShowArrivingJob> = {
  name: 'file.arriving',
  retryLimit: 2,
  expireInSeconds: 300,
  isExclusive: true,
}

/** Copies what arrives of an upload into a container that plays, until all of it is here. */
export const remuxArrivingJob: JobDefinition<ShowArrivingJob> = {
  name: 'file.arriving.remux',
  retryLimit: 2,
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

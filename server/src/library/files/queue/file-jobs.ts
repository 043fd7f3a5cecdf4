import type { JobDefinition } from '../../../platform/jobs/job-definition.ts'

export interface FileJob {
  readonly accountId: number
  /** Part of the blob prefix, which is needed even after the row is deleted. */
  readonly projectId: number
  readonly fileId: number
  /** The number of the revision to make, under its name in stored jobs; absent = 1. */
  readonly generation?: number
}

/** A job for a superseded revision does nothing. */
export const revisionOf = ({ generation }: FileJob): number => generation ?? 1

const hour = 3_600
/**
 * High, because every crash of a worker uses up one attempt. Faults of a source are never retried.
 */
const retryLimit = 20

/** Marks a file as failed when all attempts of its job have failed. */
export const giveUpFileJob: JobDefinition<FileJob> = {
  name: 'file.giveup',
  retryLimit: 20,
  expireInSeconds: hour,
}

/** Probes the source and makes it playable. Enqueued when the last byte is stored. */
export const processFileJob: JobDefinition<FileJob> = {
  name: 'file.process',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface EncodeLadderJob extends FileJob {
  /**
   * Encodes only this encode chunk. Shares a queue with the ladder, so that the concurrency limit of a worker
   * covers both.
   */
  readonly chunk?: number
  /** Encodes codecs after H.264, which must not delay the ladders of other files. */
  readonly isLater?: true
  /** Encodes without chunks, because chunked encoding failed before. */
  readonly isWhole?: true
}

/** Encodes the rest of the ladder. Enqueued when the file is playable. */
export const encodeLadderJob: JobDefinition<EncodeLadderJob> = {
  name: 'file.ladder',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface MakeChunksJob {
  /** Only tells what woke the worker: the run makes whatever viewers wait for. */
  readonly renditionId: number
}

/**
 * Encodes the chunks that viewers want now. Enqueued with the request of a chunk that is absent; the request repeats it
 * while it waits.
 */
export const makeChunksJob: JobDefinition<MakeChunksJob> = {
  name: 'file.chunks',
  retryLimit: 0,
  expireInSeconds: hour,
  isExclusive: true,
}

/**
 * Makes the storyboard of a playable file without one. Most files get theirs from the job that finishes them.
 */
export const makeStoryboardJob: JobDefinition<FileJob> = {
  name: 'file.storyboard',
  retryLimit,
  expireInSeconds: hour,
  isExclusive: true,
}

export interface ClipFileJob extends FileJob {
  /** A job with an outdated number does nothing. */
  readonly attempt: number
}

/** Cuts the source of a file from another file. Enqueued when the file is created. */
export const cutClipJob: JobDefinition<ClipFileJob> = {
  name: 'file.clip',
  onGivenUp: 'file.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface InFlightUploadJob extends FileJob {
  readonly stagingName: string
}

/** Checks whether the received part of an upload is playable. Enqueued while bytes arrive. */
export const showInFlightUploadJob: JobDefinition<InFlightUploadJob> = {
  name: 'file.arriving',
  retryLimit: 2,
  expireInSeconds: 300,
  isExclusive: true,
}

/** Remuxes an in-flight upload into a playable container until the upload is complete. */
export const remuxInFlightUploadJob: JobDefinition<InFlightUploadJob> = {
  name: 'file.arriving.remux',
  retryLimit: 2,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface PullFileJob extends FileJob {
  readonly pullId: number
  /** A job with an outdated number does nothing. */
  readonly attempt: number
}

/** Marks a file as failed when all attempts to fetch its source have failed. */
export const giveUpPullJob: JobDefinition<PullFileJob> = {
  name: 'file.pull.giveup',
  retryLimit: 20,
  expireInSeconds: hour,
}

/**
 * Fetches the source of a file from a URL. Enqueued when the file is created and after each broken
 * connection.
 */
export const pullFileJob: JobDefinition<PullFileJob> = {
  name: 'file.pull',
  onGivenUp: 'file.pull.giveup',
  retryLimit,
  expireInSeconds: 24 * hour,
  isExclusive: true,
}

export interface PurgeFileJob extends FileJob {
  /**
   * Time of the deletion that enqueued the job. A file that was restored or deleted again since does not
   * match.
   */
  readonly deletedAtMs: number
}

/**
 * Removes a deleted file and its media. Enqueued by the deletion, to start when the retention time is over.
 */
export const purgeFileJob: JobDefinition<PurgeFileJob> = {
  name: 'file.purge',
  retryLimit,
  expireInSeconds: hour,
  isExclusive: true,
}

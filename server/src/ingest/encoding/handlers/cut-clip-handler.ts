import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, type Message } from '@zoetrope/vocabulary'
import { clipArguments, clipFormat, MediaError, probeFile, runFfmpeg } from '@zoetrope/ffmpeg'
import { newMessage } from '../../../platform/base/message.ts'
import { closeClip, findClip, type Clip } from '../../../library/files/media/clips.ts'
import { takeFirstSource } from '../../../library/files/change/file-revisions.ts'
import { cutClipJob, type ClipFileJob } from '../../../library/files/queue/file-jobs.ts'
import { clipBlob } from '../../../library/files/media/media-blobs.ts'
import { blobPrefixOf } from '../../../library/files/record/media-file-store.ts'
import { deleteGarbageEntry, addGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import { BlobNotFoundError } from '../../../platform/blobs/blob-store.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { markFailed } from '../processing/end-processing.ts'
import { lockWanted } from '../encode/file-progress.ts'
import { largestCopyBytes } from '../../renditions/largest-copy.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { runFileJob } from '../processing/run-file-job.ts'

/** A clip starts at a key frame and may include frames before its start time. */
const spareSeconds = 60

export const createCutClipHandler =
  (dependencies: FileJobDependencies) =>
  (job: ClipFileJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> =>
    runFileJob(dependencies, job, signal, attempt, async (run) => {
      const { database, blobs } = dependencies
      const clip = await findClip(database.kysely, job)
      // An upload has given the file another source meanwhile.
      if (clip === null || run.file.source_blob !== null) return
      try {
        await blobs.withLocalFile(clip.sourceBlob, (inputPath) =>
          cutClip(dependencies, job, run, clip, inputPath),
        )
      } catch (error) {
        const reason = reasonOf(error)
        if (reason === null) throw error
        await markFailed(dependencies, job, reason)
      }
    })

/**
 * Returns null for faults that a retry may fix, and for faults of the source, which have their own messages.
 */
const reasonOf = (error: unknown): Message | null => {
  if (error instanceof BlobNotFoundError) return newMessage('clip_source_gone')
  return isOverQuota(error) ? messageOf(error) : null
}

const isOverQuota = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'quota_exceeded'

const cutClip = async (
  { database, blobs, jobs, publicUrl }: FileJobDependencies,
  job: ClipFileJob,
  { signal, workFolder, file }: FileJobRun,
  { startSeconds, endSeconds }: Clip,
  inputPath: string,
): Promise<void> => {
  const probe = await probeFile(inputPath, { signal })
  const format = clipFormat(probe)
  const outputPath = join(workFolder, `clip.${format}`)
  const project = await findProject(database.kysely, job.accountId, job.projectId)
  checkQuota(project, 1)
  const freeBytes = (project.storage_quota_bytes ?? Infinity) - project.storage_bytes
  const outputFileBytes = Math.min(largestCopyBytes(probe.sizeBytes), freeBytes)
  try {
    await runFfmpeg(clipArguments({ inputPath, outputPath, probe, startSeconds, endSeconds }), {
      outputPipes: 0,
      workFolder,
      signal,
      limits: { outputFileBytes, mediaSeconds: endSeconds + spareSeconds },
    }).done
  } catch (error) {
    // If the quota limited the size, the error names the quota, because users can act on it.
    if (error instanceof MediaError && error.code === 'too_large') checkQuota(project, outputFileBytes + 1)
    throw error
  }
  const blob = clipBlob(blobPrefixOf(job), randomUUID())
  // The blob may be as large as its source and the store slow, so the garbage entry lasts as long as the job
  // may run.
  const entryId = await addGarbageEntry(database, job, [blob], cutClipJob.expireInSeconds)
  const { sizeBytes } = await blobs.adopt(outputPath, blob)
  const take = database.transaction(async (tx) => {
    checkQuota(await shareProject(tx, job.accountId, job.projectId), sizeBytes)
    const present = await lockWanted(tx, job)
    // Housekeeping deletes the unused clip through its garbage entry.
    if (present.source_blob !== null || !(await closeClip(tx, job))) return
    await deleteGarbageEntry(tx, entryId)
    await takeFirstSource(tx, { jobs, publicUrl }, job, {
      blob,
      sizeBytes,
      fileName: file.original_file_name,
      checksum: null,
      uploadedAt: new Date().toISOString(),
      uri: file.source_uri,
      kind: 'clip',
    })
  })
  await take.catch(async (error: unknown) => {
    // After any other error, a row may already reference the blob.
    if (isOverQuota(error)) await blobs.delete(blob)
    throw error
  })
}

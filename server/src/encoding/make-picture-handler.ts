import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { frameArguments, MediaError, probeFile, stillArguments } from '@zoetrope/ffmpeg'
import { blobPrefixOf, findMediaFile } from '../files/media-file-store.ts'
import { noteUnnamedBlobs } from '../files/unnamed-blobs.ts'
import { BlobNotFoundError } from '../kernel/blobs/blob-store.ts'
import type { JobAttempt } from '../kernel/jobs/jobs.ts'
import { Problem } from '../kernel/problem.ts'
import type { PictureJob, PictureSource } from '../pictures/picture-job.ts'
import {
  fulfilRequest,
  NobodyWaitsError,
  refuseRequest,
  takeUpRequest,
} from '../pictures/picture-requests.ts'
import { insertPicture } from '../pictures/picture-store.ts'
import { runForPicture, type PictureFiles } from './picture-files.ts'
import { cleanUpAfterPurge, type FileJobDependencies } from './run-file-job.ts'

/** Somebody waits: what takes longer than this is no picture. */
const pictureLimits = {
  wallSeconds: 45,
  cpuSeconds: 45,
  stallSeconds: 45,
  outputFileBytes: 64 * 1024 * 1024,
} as const

/** A reason that the caller can do something about. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** Makes the picture that a request waits for; its faults are told to that request and to nobody else. */
export const createMakePictureHandler =
  (dependencies: FileJobDependencies) =>
  async (job: PictureJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> => {
    const { database, log } = dependencies
    if (!(await takeUpRequest(database, job.requestId))) return
    await mkdir(dependencies.workFolder, { recursive: true })
    const workFolder = await mkdtemp(join(dependencies.workFolder, `picture-${job.fileId}-`))
    try {
      await makePicture(dependencies, job, { workFolder, signal })
    } catch (error) {
      if (error instanceof NobodyWaitsError) return
      const reason = signal.aborted ? null : reasonOf(error)
      if (reason === null && !attempt.isLast) throw error
      log.warn({ fileId: job.fileId, err: error }, 'no picture')
      await refuseRequest(database, job.requestId, reason ?? 'The picture could not be made; try again.')
    } finally {
      await rm(workFolder, { recursive: true, force: true })
      await cleanUpAfterPurge(dependencies, job)
    }
  }

/** Null for faults of ours, which another try may mend. */
const reasonOf = (error: unknown): string | null => {
  if (error instanceof RefusedError) return error.message
  if (error instanceof MediaError) return `The picture could not be made of what was sent: ${error.message}`
  if (error instanceof Problem && error.code === 'not_found') return error.message
  return error instanceof BlobNotFoundError ? 'What the picture is to be made of is gone.' : null
}

interface Run {
  readonly workFolder: string
  readonly signal: AbortSignal
}

const makePicture = async (dependencies: FileJobDependencies, job: PictureJob, run: Run): Promise<void> => {
  const { database, blobs } = dependencies
  const files = await draw(dependencies, job, run)
  const folder = `${blobPrefixOf(job)}pictures/${randomUUID()}`
  const pictureBlob = `${folder}/picture.jpg`
  const thumbBlob = `${folder}/thumb.jpg`
  const note = await noteUnnamedBlobs(database, job, [pictureBlob, thumbBlob])
  await blobs.put(pictureBlob, files.poster, { contentType: 'image/jpeg' })
  await blobs.put(thumbBlob, files.thumbnail, { contentType: 'image/jpeg' })
  await insertPicture(
    dependencies,
    job,
    {
      widthPixels: files.widthPixels,
      heightPixels: files.heightPixels,
      pictureBlob,
      thumbBlob,
      sizeBytes: files.poster.length + files.thumbnail.length,
      note,
    },
    { isStandard: job.isStandard, isManualUpload: job.source.kind === 'upload' },
    (tx, pictureId) => fulfilRequest(tx, job.requestId, pictureId),
  )
}

const draw = async (dependencies: FileJobDependencies, job: PictureJob, run: Run): Promise<PictureFiles> => {
  const { source } = job
  const options = { ...run, limits: pictureLimits }
  if (source.kind === 'frame') return drawFrame(dependencies, job, source.positionSeconds, run)
  const files = await dependencies.blobs.withLocalFile(source.blob, (inputPath) =>
    runForPicture((paths) => stillArguments({ ...source, ...paths, inputPath }), options),
  )
  if (files === null) throw new RefusedError('The picture is damaged: it could not be decoded.')
  return files
}

const drawFrame = async (
  { database, blobs }: FileJobDependencies,
  job: PictureJob,
  positionSeconds: Extract<PictureSource, { kind: 'frame' }>['positionSeconds'],
  { workFolder, signal }: Run,
): Promise<PictureFiles> => {
  const file = await findMediaFile(database.kysely, job)
  if (file.source_blob === null) throw new RefusedError('The bytes of the video are not there.')
  return blobs.withLocalFile(file.source_blob, async (inputPath) => {
    const probe = await probeFile(inputPath, { signal })
    if (probe.video === null)
      throw new RefusedError('The file has no video to take a frame of; upload a picture instead.')
    const files = await runForPicture(
      (paths) => frameArguments({ ...paths, inputPath, probe, positionSeconds }),
      { workFolder, signal, limits: pictureLimits },
    )
    if (files === null)
      throw new RefusedError(
        `Position ${positionSeconds} lies behind the end of the video${probe.durationSeconds === null ? '' : `, which has ${probe.durationSeconds} seconds`}.`,
      )
    return files
  })
}

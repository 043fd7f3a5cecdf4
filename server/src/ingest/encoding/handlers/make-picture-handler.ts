import { Problem } from '../../../platform/base/problem.ts'
import { randomUUID } from 'node:crypto'
import { frameArguments, probeFile, stillArguments } from '@zoetrope/ffmpeg'
import { blobPrefixOf, findMediaFile } from '../../../library/files/record/media-file-store.ts'
import { addGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import type { JobAttempt } from '../../../platform/jobs/run-job.ts'
import type { PictureJob, PictureSource } from '../../../library/pictures/picture-job.ts'
import { fulfilRequest } from '../../../library/pictures/picture-requests.ts'
import { insertPicture } from '../../../library/pictures/picture-store.ts'
import { answerPictureRequest, pictureLimits, type PictureRun } from '../pictures/answer-picture-request.ts'
import { runForPicture, type PictureFiles } from '../pictures/picture-files.ts'
import type { FileJobDependencies } from '../encode/file-job-run.ts'
import { cleanUpAfterPurge } from '../processing/run-file-job.ts'

export const createMakePictureHandler =
  (dependencies: FileJobDependencies) =>
  async (job: PictureJob, signal: AbortSignal, attempt: JobAttempt): Promise<void> => {
    const request = { requestId: job.requestId, signal, attempt }
    await answerPictureRequest(dependencies, request, async (run) => {
      try {
        await makePicture(dependencies, job, run)
      } finally {
        await cleanUpAfterPurge(dependencies, job)
      }
    })
  }

const makePicture = async (
  dependencies: FileJobDependencies,
  job: PictureJob,
  run: PictureRun,
): Promise<void> => {
  const { database, blobs } = dependencies
  const files = await draw(dependencies, job, run)
  const folder = `${blobPrefixOf(job)}pictures/${randomUUID()}`
  const pictureBlob = `${folder}/picture.jpg`
  const thumbBlob = `${folder}/thumb.jpg`
  const entryId = await addGarbageEntry(database, job, [pictureBlob, thumbBlob])
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
      entryId,
    },
    { isStandard: job.isStandard, isManualUpload: job.source.kind === 'upload' },
    (tx, pictureId) => fulfilRequest(tx, job.requestId, { picture_id: pictureId }),
  )
}

const draw = async (
  dependencies: FileJobDependencies,
  job: PictureJob,
  run: PictureRun,
): Promise<PictureFiles> => {
  const { source } = job
  const options = { ...run, limits: pictureLimits }
  if (source.kind === 'frame') return drawFrame(dependencies, job, source.positionSeconds, run)
  const files = await dependencies.blobs.withLocalFile(source.blob, (inputPath) =>
    runForPicture((paths) => stillArguments({ ...source, ...paths, inputPath }), options),
  )
  if (files === null) throw new Problem('picture_undecodable')
  return files
}

const drawFrame = async (
  { database, blobs }: FileJobDependencies,
  job: PictureJob,
  positionSeconds: Extract<PictureSource, { kind: 'frame' }>['positionSeconds'],
  { workFolder, signal }: PictureRun,
): Promise<PictureFiles> => {
  const file = await findMediaFile(database.kysely, job)
  if (file.source_blob === null) throw new Problem('picture_source_missing')
  return blobs.withLocalFile(file.source_blob, async (inputPath) => {
    const probe = await probeFile(inputPath, { signal })
    if (probe.video === null) throw new Problem('file_has_no_video')
    const files = await runForPicture(
      (paths) => frameArguments({ ...paths, inputPath, probe, positionSeconds }),
      { workFolder, signal, limits: pictureLimits },
    )
    if (files === null) throw new Problem('no_frame_at_position', { seconds: positionSeconds })
    return files
  })
}

import { MediaError, posterArguments, type Probe } from '@zoetrope/ffmpeg'
import { generationUnderWay } from '../files/file-generations.ts'
import type { FileJob } from '../files/file-jobs.ts'
import type { MediaFileRow } from '../files/file-record.ts'
import { posterFolder } from '../files/media-blobs.ts'
import { blobPrefixOf } from '../files/media-file-store.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { addStorage, keepNewPoster } from './file-progress.ts'
import type { EncodingDependencies } from './encode-renditions.ts'
import { runForPicture } from './picture-files.ts'

const posterLimits = { wallSeconds: 120, cpuSeconds: 120 } as const

/**
 * Takes a representative frame of a source as standard picture, once; a second run finds it there. Keys are fixed, so a repeated run leaves no
 * orphan. That of a source which is to replace another one waits until it is swapped in.
 */
export const makePoster = async (
  { database, blobs, publicUrl }: EncodingDependencies,
  request: {
    readonly job: FileJob
    readonly file: MediaFileRow
    readonly probe: Probe
    readonly inputPath: string
    readonly workFolder: string
    readonly signal: AbortSignal
  },
): Promise<void> => {
  const { job, file, probe, inputPath, workFolder, signal } = request
  const generation = generationUnderWay(file)
  const isReplacement = (file.rework?.source ?? null) !== null
  if (isReplacement ? file.rework?.poster !== null : await hasPicture(database.kysely, job.fileId)) return
  const files = await runForPicture((paths) => posterArguments({ ...paths, inputPath, probe }), {
    workFolder,
    signal,
    limits: posterLimits,
  })
  if (files === null) throw new MediaError('failed', 'The picture could not be taken.')
  const { poster, thumbnail, widthPixels, heightPixels } = files
  const folder = posterFolder(blobPrefixOf(job), generation)
  const pictureBlob = `${folder}picture.jpg`
  const thumbBlob = `${folder}thumb.jpg`
  await blobs.put(pictureBlob, poster, { contentType: 'image/jpeg' })
  await blobs.put(thumbBlob, thumbnail, { contentType: 'image/jpeg' })
  const sizeBytes = poster.length + thumbnail.length
  await database.transaction(async (tx) => {
    if (isReplacement)
      return keepNewPoster(tx, publicUrl, job, {
        pictureBlob,
        thumbBlob,
        widthPixels,
        heightPixels,
        sizeBytes,
      })
    await tx
      .insertInto('file_pictures')
      .values({
        account_id: job.accountId,
        file_id: job.fileId,
        width_pixels: widthPixels,
        height_pixels: heightPixels,
        is_standard: true,
        picture_blob: pictureBlob,
        thumb_blob: thumbBlob,
        size_bytes: sizeBytes,
        poster_of_generation: generation,
      })
      .execute()
    await addStorage(tx, publicUrl, job, sizeBytes)
  })
}

const hasPicture = async (queryable: Queryable, fileId: number): Promise<boolean> =>
  (await queryable
    .selectFrom('file_pictures')
    .select('id')
    .where('file_id', '=', fileId)
    .limit(1)
    .executeTakeFirst()) !== undefined

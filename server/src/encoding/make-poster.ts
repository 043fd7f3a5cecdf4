import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError, posterArguments, runFfmpeg, type Probe } from '@zoetrope/ffmpeg'
import { generationUnderWay, reworkOf } from '../files/file-generations.ts'
import type { FileJob } from '../files/file-jobs.ts'
import type { MediaFileRow } from '../files/file-record.ts'
import { posterFolder } from '../files/media-blobs.ts'
import { blobPrefixOf } from '../files/media-file-store.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { addStorage, keepNewPoster } from './file-progress.ts'
import type { EncodingDependencies } from './encode-renditions.ts'

const posterLimits = { wallSeconds: 120, cpuSeconds: 120 } as const

/** JPEG files begin with frame headers that say the size (ITU-T T.81 B.2.2). */
const jpegSize = (jpeg: Buffer): { widthPixels: number; heightPixels: number } => {
  for (let offset = 2; offset + 9 < jpeg.length; offset += 2 + jpeg.readUInt16BE(offset + 2)) {
    const marker = jpeg.readUInt8(offset + 1)
    if (marker >= 0xc0 && marker <= 0xc2)
      return { heightPixels: jpeg.readUInt16BE(offset + 5), widthPixels: jpeg.readUInt16BE(offset + 7) }
  }
  throw new MediaError('failed', 'The picture could not be taken.')
}

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
  const isReplacement = (reworkOf(file)?.source ?? null) !== null
  if (isReplacement ? reworkOf(file)?.poster !== null : await hasPicture(database.kysely, job.fileId)) return
  const posterPath = join(workFolder, 'poster.jpg')
  const thumbnailPath = join(workFolder, 'thumb.jpg')
  await runFfmpeg(posterArguments({ inputPath, probe, posterPath, thumbnailPath }), {
    outputPipes: 0,
    workFolder,
    signal,
    limits: posterLimits,
  }).done
  const [poster, thumbnail] = await Promise.all([readFile(posterPath), readFile(thumbnailPath)]).catch(() => {
    throw new MediaError('failed', 'The picture could not be taken.')
  })
  const folder = posterFolder(blobPrefixOf(job), generation)
  const pictureBlob = `${folder}picture.jpg`
  const thumbBlob = `${folder}thumb.jpg`
  await blobs.put(pictureBlob, poster, { contentType: 'image/jpeg' })
  await blobs.put(thumbBlob, thumbnail, { contentType: 'image/jpeg' })
  const size = jpegSize(poster)
  const sizeBytes = poster.length + thumbnail.length
  await database.transaction(async (tx) => {
    if (isReplacement)
      return keepNewPoster(tx, publicUrl, job, { pictureBlob, thumbBlob, ...size, sizeBytes })
    await tx
      .insertInto('file_pictures')
      .values({
        account_id: job.accountId,
        file_id: job.fileId,
        width_pixels: size.widthPixels,
        height_pixels: size.heightPixels,
        is_standard: true,
        picture_blob: pictureBlob,
        thumb_blob: thumbBlob,
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

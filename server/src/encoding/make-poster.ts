import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError, posterArguments, runFfmpeg, type Probe } from '@zoetrope/ffmpeg'
import type { FileJob } from '../files/file-jobs.ts'
import { blobPrefixOf } from '../files/media-file-store.ts'
import { addStorage } from './file-progress.ts'
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

/** Takes a representative frame as standard picture, once; a second run finds it there. Keys are fixed, so a repeated run leaves no orphan. */
export const makePoster = async (
  { database, blobs, publicUrl }: EncodingDependencies,
  request: {
    readonly job: FileJob
    readonly probe: Probe
    readonly inputPath: string
    readonly workFolder: string
    readonly signal: AbortSignal
  },
): Promise<void> => {
  const { job, probe, inputPath, workFolder, signal } = request
  const existing = await database.kysely
    .selectFrom('file_pictures')
    .select('id')
    .where('file_id', '=', job.fileId)
    .limit(1)
    .executeTakeFirst()
  if (existing !== undefined) return
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
  const pictureBlob = `${blobPrefixOf(job)}poster/picture.jpg`
  const thumbBlob = `${blobPrefixOf(job)}poster/thumb.jpg`
  await blobs.put(pictureBlob, poster, { contentType: 'image/jpeg' })
  await blobs.put(thumbBlob, thumbnail, { contentType: 'image/jpeg' })
  const size = jpegSize(poster)
  await database.transaction(async (tx) => {
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
      })
      .execute()
    await addStorage(tx, publicUrl, job, poster.length + thumbnail.length)
  })
}

import { randomUUID } from 'node:crypto'
import { MediaError, posterArguments, type Probe } from '@zoetrope/ffmpeg'
import type { MediaFileRow } from '../files/file-record.ts'
import { posterFolder } from '../files/media-blobs.ts'
import { blobPrefixOf } from '../files/media-file-store.ts'
import { nameBlobs, noteUnnamedBlobs } from '../files/unnamed-blobs.ts'
import type { EncodingDependencies, GenerationJob } from './encode-renditions.ts'
import { addStorage, lockWantedInProject } from './file-progress.ts'
import { runForPicture } from './picture-files.ts'
import { hasPoster, insertPoster } from './poster-store.ts'

const posterLimits = { wallSeconds: 120, cpuSeconds: 120 } as const

/**
 * Takes a representative frame of a source as standard picture, once; a second run finds it there. That of a source which is to replace another
 * one waits until it is swapped in.
 */
export const makePoster = async (
  { database, blobs, publicUrl }: EncodingDependencies,
  request: {
    readonly job: GenerationJob
    readonly file: MediaFileRow
    readonly probe: Probe
    readonly inputPath: string
    readonly workFolder: string
    readonly signal: AbortSignal
  },
): Promise<void> => {
  const { job, file, probe, inputPath, workFolder, signal } = request
  if (await hasPoster(database.kysely, file)) return
  const files = await runForPicture((paths) => posterArguments({ ...paths, inputPath, probe }), {
    workFolder,
    signal,
    limits: posterLimits,
  })
  if (files === null) throw new MediaError('failed', 'The picture could not be taken.')
  const { poster, thumbnail, widthPixels, heightPixels } = files
  const folder = posterFolder(blobPrefixOf(job), randomUUID())
  const pictureBlob = `${folder}picture.jpg`
  const thumbBlob = `${folder}thumb.jpg`
  const note = await noteUnnamedBlobs(database, job, [pictureBlob, thumbBlob])
  await blobs.put(pictureBlob, poster, { contentType: 'image/jpeg' })
  await blobs.put(thumbBlob, thumbnail, { contentType: 'image/jpeg' })
  const sizeBytes = poster.length + thumbnail.length
  await database.transaction(async (tx) => {
    const present = await lockWantedInProject(tx, job)
    // Somebody has chosen a picture meanwhile, or another run of this job was here; what was taken in vain goes by its note.
    if (await hasPoster(tx, present)) return
    await nameBlobs(tx, note)
    const set = await insertPoster(tx, present, job.generation, {
      pictureBlob,
      thumbBlob,
      widthPixels,
      heightPixels,
      sizeBytes,
    })
    await addStorage(tx, publicUrl, job, sizeBytes, set)
  })
}

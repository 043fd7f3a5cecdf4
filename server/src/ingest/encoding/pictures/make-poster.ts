import { randomUUID } from 'node:crypto'
import { MediaError, posterArguments, type Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { newMessage } from '../../../platform/base/message.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { posterFolder } from '../../../library/files/media/media-blobs.ts'
import { blobPrefixOf } from '../../../library/files/record/media-file-store.ts'
import { deleteGarbageEntry, addGarbageEntry } from '../../../library/files/media/garbage-entries.ts'
import type { EncodingDependencies, RevisionJob } from '../encode/encode-renditions.ts'
import { addStorage, lockWantedInProject } from '../encode/file-progress.ts'
import { runForPicture } from './picture-files.ts'
import { hasPoster, insertPoster } from './poster-store.ts'

const posterLimits = { wallSeconds: 120, cpuSeconds: 120 } as const

/** Key frames of the only video track; null when there are several, or none. */
const countKeyFrames = (movie: Movie | null): number | null => {
  const [video, ...others] = movie?.tracks.filter(({ kind }) => kind === 'video') ?? []
  if (video === undefined || others.length > 0) return null
  return video.samples.isSync.reduce((count, isSync) => count + isSync, 0)
}

/**
 * Stores a representative frame of a source as its default picture; a second run keeps the existing one. The
 * picture of a replacement source waits in the pending revision.
 */
export const makePoster = async (
  { database, blobs, publicUrl }: EncodingDependencies,
  request: {
    readonly job: RevisionJob
    readonly file: MediaFileRow
    readonly probe: Probe
    /** Index of the source; null when it has none that Zoetrope reads. */
    readonly movie: Movie | null
    readonly inputPath: string
    readonly workFolder: string
    readonly signal: AbortSignal
  },
): Promise<void> => {
  const { job, file, probe, movie, inputPath, workFolder, signal } = request
  if (await hasPoster(database.kysely, file)) return
  const keyFrameCount = countKeyFrames(movie)
  const files = await runForPicture(
    (paths) => posterArguments({ ...paths, inputPath, probe, keyFrameCount }),
    { workFolder, signal, limits: posterLimits },
  )
  if (files === null) throw new MediaError('failed', newMessage('picture_not_taken'))
  const { poster, thumbnail, widthPixels, heightPixels } = files
  const folder = posterFolder(blobPrefixOf(job), randomUUID())
  const pictureBlob = `${folder}picture.jpg`
  const thumbBlob = `${folder}thumb.jpg`
  const entryId = await addGarbageEntry(database, job, [pictureBlob, thumbBlob])
  await blobs.put(pictureBlob, poster, { contentType: 'image/jpeg' })
  await blobs.put(thumbBlob, thumbnail, { contentType: 'image/jpeg' })
  const sizeBytes = poster.length + thumbnail.length
  await database.transaction(async (tx) => {
    const present = await lockWantedInProject(tx, job)
    // A user has chosen a picture meanwhile, or another run of this job was faster. Housekeeping deletes the
    // unused one.
    if (await hasPoster(tx, present)) return
    await deleteGarbageEntry(tx, entryId)
    const set = await insertPoster(tx, present, job.revision, {
      pictureBlob,
      thumbBlob,
      widthPixels,
      heightPixels,
      sizeBytes,
    })
    await addStorage(tx, publicUrl, job, sizeBytes, set)
  })
}

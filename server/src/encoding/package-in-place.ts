import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { planRenditions, probeFile, remuxArguments, runFfmpeg, type Probe } from '@zoetrope/ffmpeg'
import { openFileReader, type Movie } from '@zoetrope/isobmff'
import { processFileJob } from '../files/file-jobs.ts'
import { remuxBlob } from '../files/media-blobs.ts'
import { blobPrefixOf, renditionsOf } from '../files/media-file-store.ts'
import { nameBlobs, noteUnnamedBlobs } from '../files/unnamed-blobs.ts'
import { addStorage, lockWantedInProject, markEncoding, markPlayable, markUploaded } from './file-progress.ts'
import {
  isAudioRemuxed,
  isWorthRemuxing,
  planTracksInPlace,
  propertiesOf,
  readMovieOrNull,
  type InPlaceTracks,
} from './plan-source.ts'
import { insertInPlaceRendition } from './rendition-store.ts'
import type { FileJobDependencies, FileJobRun } from './run-file-job.ts'

export const readMovieAt = async (path: string): Promise<Movie | null> => {
  await using reader = await openFileReader(path)
  // Awaited here: the reader is closed when this function returns.
  return await readMovieOrNull(reader)
}

interface Source {
  readonly probe: Probe
  readonly movie: Movie | null
  readonly inputPath: string
}

/** Lists what plays without encoding; the file is playable when nothing else is needed. */
export const packageInPlace = async (
  dependencies: FileJobDependencies,
  run: FileJobRun,
  source: Source,
): Promise<InPlaceTracks> => {
  const { database, publicUrl } = dependencies
  const { job } = run
  const { probe } = source
  const bytes = run.source ?? { blob: '', sizeBytes: 0 }
  const listed = await renditionsOf(database.kysely, job.fileId, job.generation)
  const earlier = listed.find(
    ({ delivery, media_blob }) => delivery === 'in_place' && media_blob !== bytes.blob,
  )
  const direct = planTracksInPlace(source.movie, probe)
  const remuxed = isWorthRemuxing(probe, direct, source.movie)
    ? await remux(dependencies, run, source, earlier?.media_blob ?? null)
    : null
  const tracks = remuxed?.tracks ?? direct
  const isWhole =
    (probe.video === null || tracks.video !== null) && (probe.audio.length === 0 || tracks.audio !== null)
  await database.transaction(async (tx) => {
    await lockWantedInProject(tx, job)
    const known = await renditionsOf(tx, job.fileId, job.generation)
    const added = [tracks.video, tracks.audio]
      .filter((track) => track !== null)
      .filter(({ kind }) => !known.some((one) => one.delivery === 'in_place' && one.kind === kind))
    // Where another run has listed its remux meanwhile, this one's goes by its note.
    if (remuxed !== null && remuxed.stored !== null && added.length > 0) {
      await nameBlobs(tx, remuxed.stored.note)
      await addStorage(tx, publicUrl, job, remuxed.stored.sizeBytes)
    }
    await markUploaded(
      tx,
      publicUrl,
      job,
      propertiesOf(probe, bytes.sizeBytes, durationOf(source.movie, probe)),
    )
    for (const track of added)
      await insertInPlaceRendition(tx, job, { mediaBlob: remuxed?.blob ?? bytes.blob, track })
    await markEncoding(tx, publicUrl, job)
    if (isWhole) await markPlayable(tx, publicUrl, job)
  })
  return tracks
}

const durationOf = (movie: Movie | null, probe: Probe): number | null =>
  movie !== null && movie.durationSeconds > 0 ? movie.durationSeconds : probe.durationSeconds

interface Remux {
  readonly tracks: InPlaceTracks
  readonly blob: string
  /** Null where an earlier run has stored it. */
  readonly stored: { readonly sizeBytes: number; readonly note: number } | null
}

/** Copies the tracks into an MP4 of ours. Null when that cannot be played either. */
const remux = async (
  { database, blobs }: FileJobDependencies,
  { job, signal, workFolder }: FileJobRun,
  { probe, inputPath }: Source,
  earlierBlob: string | null,
): Promise<Remux | null> => {
  const outputPath = join(workFolder, 'remux.mp4')
  const audio = isAudioRemuxed(probe)
    ? planRenditions(probe, { isVideoCopied: true, isAudioCopied: true }).audio
    : ({ action: 'none' } as const)
  await runFfmpeg(remuxArguments({ inputPath, outputPath, probe, audio }), {
    outputPipes: 0,
    workFolder,
    signal,
  }).done
  const tracks = planTracksInPlace(await readMovieAt(outputPath), await probeFile(outputPath, { signal }))
  const needed = probe.video === null ? tracks.audio : tracks.video
  if (needed === null) return null
  if (earlierBlob !== null) return { tracks, blob: earlierBlob, stored: null }
  const blob = remuxBlob(blobPrefixOf(job), randomUUID())
  // It may be as large as the source, on its way to a slow store: as long as the job may take.
  const note = await noteUnnamedBlobs(database, job, [blob], processFileJob.expireInSeconds)
  const { sizeBytes } = await blobs.adopt(outputPath, blob)
  return { tracks, blob, stored: { sizeBytes, note } }
}

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { probeFile, remuxArguments, runFfmpeg, type Probe } from '@zoetrope/ffmpeg'
import { openFileReader, type Movie } from '@zoetrope/isobmff'
import type { PassthroughTrack } from '@zoetrope/packager'
import type { InFlightUploads } from '../../../library/files/media/in-flight-uploads.ts'
import { processFileJob } from '../../../library/files/queue/file-jobs.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { FileProperties } from '../../../library/files/record/parts/file-properties.ts'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import { remuxBlob } from '../../../library/files/media/media-blobs.ts'
import { blobPrefixOf, renditionsOf } from '../../../library/files/record/media-file-store.ts'
import {
  deleteGarbageEntry,
  addGarbageEntry,
  tryDeleteGarbageEntry,
} from '../../../library/files/media/garbage-entries.ts'
import {
  addStorage,
  lockWantedInProject,
  markEncoding,
  markPlayable,
  markUploaded,
} from '../encode/file-progress.ts'
import { largestCopyBytes } from '../../renditions/largest-copy.ts'
import {
  isWorthRemuxing,
  planPassthroughTracks,
  propertiesOf,
  readMovieOrNull,
  type PassthroughTracks,
  type ServedPassthrough,
  type SourceChanges,
} from '../../renditions/plan-source.ts'
import { insertPassthroughRendition } from '../../renditions/rendition-store.ts'
import { isAllPassthrough, passthroughRenditions } from '../../renditions/passthrough-renditions.ts'
import { audioOfRemux, planRemuxedTracks } from '../../renditions/remuxed-tracks.ts'
import type { FileJobDependencies, FileJobRun } from '../encode/file-job-run.ts'
import { settleInFlightUpload } from '../../play-while-uploading/settle-in-flight-upload.ts'
import { inFlightRemuxOf, waitForInFlightRemux } from '../../play-while-uploading/in-flight-remux.ts'

export const readMovieAt = async (path: string): Promise<Movie | null> => {
  await using reader = await openFileReader(path)
  // Awaited because the reader is closed when this function returns.
  return await readMovieOrNull(reader)
}

interface Source {
  readonly probe: Probe
  readonly movie: Movie | null
  readonly inputPath: string
  /** Limit of the duration of a remux, in seconds. */
  readonly maxSeconds: number
}

export interface PackageDependencies extends FileJobDependencies {
  readonly inFlightUploads: InFlightUploads
}

/** Lists the tracks that play without encoding. The file becomes playable when it needs no others. */
export const packagePassthrough = async (
  dependencies: PackageDependencies,
  run: FileJobRun,
  source: Source,
  changes: SourceChanges,
): Promise<ServedPassthrough> => {
  const { database, publicUrl } = dependencies
  const { job } = run
  const { probe } = source
  const bytes = run.source ?? { blob: '', sizeBytes: 0 }
  const listed = await renditionsOf(database.kysely, job.fileId, job.revision)
  const earlier = listed.find(
    ({ delivery, state, media_blob }) =>
      delivery === 'in_place' && state === 'complete' && media_blob !== bytes.blob,
  )
  const direct = planPassthroughTracks(source.movie, probe, changes)
  const remuxed = isWorthRemuxing(probe, direct, source.movie, changes)
    ? await remux(dependencies, run, source, {
        earlierBlob: earlier?.media_blob ?? null,
        inFlightBlob: inFlightRemuxOf(listed),
        changes,
      })
    : null
  const tracks = remuxed?.tracks ?? direct
  const mediaBlob = remuxed?.blob ?? bytes.blob
  const renditions = passthroughRenditions(tracks, probe)
  await database.transaction(async (tx) => {
    const file = await lockWantedInProject(tx, job)
    const before = await renditionsOf(tx, job.fileId, job.revision)
    // Another run of this job has stored the remux of the in-flight upload under the same key.
    const isCounted = before.some(
      ({ state, media_blob }) => state === 'complete' && media_blob === remuxed?.blob,
    )
    await settleInFlightUpload(tx, publicUrl, file, { mediaBlob, renditions })
    const known = await renditionsOf(tx, job.fileId, job.revision)
    const added = renditions.filter(({ track }) => !known.some((one) => isOfTrack(one, track)))
    // If another run has listed its remux meanwhile, housekeeping deletes this one.
    const isUsed = added.length > 0 || known.some(({ media_blob }) => media_blob === remuxed?.blob)
    if (remuxed !== null && remuxed.stored !== null && isUsed) {
      const { entryId, sizeBytes } = remuxed.stored
      await (isCounted ? tryDeleteGarbageEntry(tx, entryId) : deleteGarbageEntry(tx, entryId))
      if (!isCounted) await addStorage(tx, publicUrl, job, sizeBytes)
    }
    const properties = propertiesOf(probe, bytes.sizeBytes, durationOf(remuxed?.movie ?? source.movie, probe))
    if (added.length === 0 && isShown(file, properties)) return
    await markUploaded(tx, publicUrl, job, properties)
    for (const rendition of added) await insertPassthroughRendition(tx, job, { mediaBlob, ...rendition })
    await markEncoding(tx, publicUrl, job)
    if (isAllPassthrough(tracks, probe)) await markPlayable(tx, publicUrl, job)
  })
  return {
    hasVideo: tracks.video !== null,
    copiedAudio: tracks.audio.map(({ streamIndex }) => streamIndex),
    isSourceServed: remuxed === null && renditions.length > 0,
  }
}

/** The process that has received a plain movie has listed it already, and its record stays as it is. */
const isShown = (file: MediaFileRow, properties: FileProperties): boolean =>
  file.state === 'playable' &&
  file.arriving_upload === null &&
  file.rework === null &&
  isDeepStrictEqual(file.properties, properties)

/** Renditions from before multiple tracks per kind do not name their track. */
const isOfTrack = ({ delivery, track_id, kind }: RenditionRow, track: PassthroughTrack): boolean =>
  delivery === 'in_place' && (track_id === null ? kind === track.kind : track_id === track.trackId)

export const durationOf = (movie: Movie | null, probe: Probe): number | null =>
  movie !== null && movie.durationSeconds > 0 ? movie.durationSeconds : probe.durationSeconds

interface Remux {
  readonly movie: Movie | null
  readonly tracks: PassthroughTracks
  readonly blob: string
  /** Null when an earlier run has stored it. */
  readonly stored: { readonly sizeBytes: number; readonly entryId: number } | null
}

/** Remuxes the tracks into an MP4. Returns null when that does not play either. */
const remux = async (
  { database, blobs, inFlightUploads }: PackageDependencies,
  { job, signal, workFolder }: FileJobRun,
  { probe, inputPath, maxSeconds }: Source,
  {
    earlierBlob,
    inFlightBlob,
    changes,
  }: {
    readonly earlierBlob: string | null
    readonly inFlightBlob: string | null
    readonly changes: SourceChanges
  },
): Promise<Remux | null> => {
  const remuxPath =
    inFlightBlob === null ? null : await waitForInFlightRemux(inFlightUploads, inFlightBlob, signal)
  const outputPath = remuxPath ?? join(workFolder, 'remux.mp4')
  if (remuxPath === null)
    await runFfmpeg(
      remuxArguments({ inputPath, outputPath, probe, copiedAudio: audioOfRemux(probe, changes) }),
      {
        outputPipes: 0,
        workFolder,
        signal,
        limits: { mediaSeconds: maxSeconds, outputFileBytes: largestCopyBytes(probe.sizeBytes) },
      },
    ).done
  const remuxed = await probeFile(outputPath, { signal })
  const movie = await readMovieAt(outputPath)
  const blob =
    earlierBlob ?? (remuxPath === null ? null : inFlightBlob) ?? remuxBlob(blobPrefixOf(job), randomUUID())
  const tracks = planRemuxedTracks({ movie, probe: remuxed, blob }, probe, changes)
  if (tracks === null) return null
  if (earlierBlob !== null) return { movie, tracks, blob, stored: null }
  // The blob may be as large as the source and the store slow, so the garbage entry lasts as long as the job
  // may run.
  const entryId = await addGarbageEntry(database, job, [blob], processFileJob.expireInSeconds)
  const { sizeBytes } = await blobs.adopt(outputPath, blob)
  return { movie, tracks, blob, stored: { sizeBytes, entryId } }
}

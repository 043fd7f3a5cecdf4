import {
  canCopyAudio,
  canCopyVideo,
  MediaError,
  mediaMessage,
  playedAudio,
  probeFile,
  probePlainMovie,
  tooLong,
  type Probe,
} from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { propertiesOf, type ServedPassthrough, type SourceChanges } from '../../renditions/plan-source.ts'
import type { FileJobRun } from '../encode/file-job-run.ts'
import { markUploaded } from '../encode/file-progress.ts'
import {
  durationOf,
  packagePassthrough,
  readMovieAt,
  type PackageDependencies,
} from './package-passthrough.ts'

interface Packaged {
  readonly probe: Probe
  readonly movie: Movie | null
  readonly passthrough: ServedPassthrough
}

interface Input {
  readonly inputPath: string
  readonly maxSeconds: number
}

/**
 * Lists what plays without encoding. A plain MP4 plays as soon as its index has been read; ffprobe confirms it
 * afterwards. Other sources wait for ffprobe, which takes 0.1 s.
 */
export const packageSource = async (
  dependencies: PackageDependencies,
  run: FileJobRun,
  input: Input,
  changes: SourceChanges,
): Promise<Packaged> => {
  const { inputPath, maxSeconds } = input
  const { signal } = run
  const movie = await readMovieAt(inputPath)
  refuseEncrypted(movie)
  // A pending revision plays later anyway, and a retry repairs a file whose index is false.
  const plain =
    movie === null || run.isPendingRevision
      ? null
      : await probePlainMovie(inputPath, movie, run.source?.sizeBytes ?? 0)
  const probe = plain ?? (await probeFile(inputPath, { signal }))
  if ((movie?.durationSeconds || probe.durationSeconds || 0) > maxSeconds) throw tooLong(maxSeconds)
  // No process that the signal ends has run for a plain movie.
  signal.throwIfAborted()
  const source = { probe, movie, inputPath, maxSeconds }
  const passthrough = await packagePassthrough(dependencies, run, source, changes)
  if (plain === null) return { probe, movie, passthrough }
  const confirmed = withProfiles(await probeFile(inputPath, { signal }), plain)
  await confirmPlain(dependencies, run, { movie, plain, confirmed })
  return { probe: confirmed, movie, passthrough }
}

/** ffprobe recognizes encryption by packets. It finds none in some fragmented files, and films may begin unencrypted. */
const refuseEncrypted = (movie: Movie | null): void => {
  if (movie?.tracks.some(({ isEncrypted }) => isEncrypted) === true)
    throw new MediaError('encrypted', mediaMessage('file_encrypted'))
}

/**
 * Adds the profiles of audio tracks that ffprobe does not know, because it reads 5 MB and the first sample comes later. The index
 * has them.
 */
const withProfiles = (probe: Probe, { audio: indexed }: Probe): Probe => ({
  ...probe,
  audio: probe.audio.map((track) => ({
    ...track,
    profile: track.profile ?? indexed.find(({ index }) => index === track.index)?.profile ?? null,
  })),
})

/** Throws `corrupt` when ffprobe found other tracks, so that the file is degraded. Corrects the properties. */
const confirmPlain = async (
  { database, publicUrl }: PackageDependencies,
  { job, source }: FileJobRun,
  { movie, plain, confirmed }: { movie: Movie | null; plain: Probe; confirmed: Probe },
): Promise<void> => {
  if (JSON.stringify(servable(plain)) !== JSON.stringify(servable(confirmed)))
    throw new MediaError('corrupt', mediaMessage('file_index_contradicted'))
  const properties = (probe: Probe) => propertiesOf(probe, source?.sizeBytes ?? 0, durationOf(movie, probe))
  if (JSON.stringify(properties(plain)) === JSON.stringify(properties(confirmed))) return
  await database.transaction((tx) => markUploaded(tx, publicUrl, job, properties(confirmed)))
}

/** What of a probe decides which tracks are served, and under which names. */
const servable = (probe: Probe) => ({
  video: probe.video === null ? null : [probe.video.trackId, canCopyVideo(probe.video)],
  audio: playedAudio(probe).map((track) => [
    ...[track.index, track.trackId, track.language, track.label],
    canCopyAudio(track),
  ]),
})

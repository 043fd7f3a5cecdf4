import { MediaError, probeFile, type Probe } from '@zoetrope/ffmpeg'
import { openFileReader, readArrivingMovie, type Movie } from '@zoetrope/isobmff'
import { countArrivedSegments, segmentArrivals } from '@zoetrope/packager'
import type { ArrivingBytes, ArrivingFiles } from '../files/arriving-files.ts'
import type { ShowArrivingJob } from '../files/file-jobs.ts'
import { changeMediaFile, fileBlobPrefix, lockMediaFile } from '../files/media-file-store.ts'
import { stopLooking } from '../files/withdraw-arriving.ts'
import type { Database, Tx } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { lockProject } from '../projects/project-store.ts'
import { readEncodeSettings } from './encode-settings.ts'
import { changesOf, planTracksInPlace } from './plan-source.ts'
import { insertInPlaceRendition } from './rendition-store.ts'
import { isAllInPlace, renditionsInPlace, type RenditionInPlace } from './renditions-in-place.ts'

export interface ShowArrivingDependencies {
  readonly database: Database
  readonly publicUrl: string
  readonly arrivingFiles: ArrivingFiles
  readonly maxDurationSeconds: number
}

/** What a look at the bytes so far has found. `nextLookBytes`: look again when there are so many; null = it only plays when it is whole. */
type Look =
  | { readonly plays: readonly RenditionInPlace[] }
  | { readonly plays: null; readonly nextLookBytes: number | null }

/** Without word of how much is missing. */
const someMoreBytes = 1024 * 1024

/**
 * Looks at what has arrived of an upload that is under way: when the first seconds of all that is to be seen and heard are there, and play in
 * place, viewers can be served from now on. May run twice, and too late.
 */
export const createShowArrivingHandler =
  (dependencies: ShowArrivingDependencies) =>
  async (job: ShowArrivingJob, signal: AbortSignal): Promise<void> => {
    const { database, arrivingFiles } = dependencies
    const bytes = await arrivingFiles.ofUpload(job.stagingName)
    if (bytes === null) return
    const { isVideoChanged, isAudioChanged } = changesOf(await readEncodeSettings(database.kysely, job))
    const look =
      isVideoChanged || isAudioChanged ? never : await lookAt(bytes, dependencies.maxDurationSeconds, signal)
    if (look.plays === null) {
      await database.kysely
        .updateTable('uploads')
        .set({ look_at_bytes: look.nextLookBytes })
        .where('staging_name', '=', job.stagingName)
        .where('look_at_bytes', 'is not', null)
        .execute()
      return
    }
    await database
      .transaction((tx) => show(tx, dependencies, job, look.plays))
      .catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
  }

const isGone = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'

const never: Look = { plays: null, nextLookBytes: null }

const lookAt = async (
  { path, receivedBytes }: ArrivingBytes,
  maxDurationSeconds: number,
  signal: AbortSignal,
): Promise<Look> => {
  await using reader = await openFileReader(path)
  const arriving = await readArrivingMovie({
    ...reader,
    sizeBytes: Math.min(receivedBytes, reader.sizeBytes),
  })
  if (arriving.state === 'unfit') return never
  if (arriving.state === 'waiting') return { plays: null, nextLookBytes: arriving.neededBytes }
  const { movie } = arriving
  try {
    const probe = await probeFile(path, { signal })
    if (Math.max(movie.durationSeconds, probe.durationSeconds ?? 0) > maxDurationSeconds) return never
    return judge(movie, probe, receivedBytes)
  } catch (error) {
    // What is wrong with it is told when it is whole.
    if (error instanceof MediaError && error.code !== 'aborted') return never
    throw error
  }
}

/** A source that is to be changed is not looked at. */
const asItIs = { isVideoChanged: false, isAudioChanged: false } as const

/** Pure. */
const judge = (movie: Movie, probe: Probe, receivedBytes: number): Look => {
  const tracks = planTracksInPlace(movie, probe, asItIs)
  const plays = renditionsInPlace(tracks, probe)
  // A fragmented movie may begin with fragments of some of its tracks.
  if (!isAllInPlace(tracks, probe) || plays.length === 0)
    return movie.isFragmented && movie.durationSeconds < someSeconds
      ? { plays: null, nextLookBytes: receivedBytes + someMoreBytes }
      : never
  const arrivals = plays.map(({ track }) => segmentArrivals(track))
  const counts = arrivals.map((one) => countArrivedSegments(one, receivedBytes, movie))
  if (counts.every((count) => count > 0)) {
    if (!movie.isFragmented) return { plays }
    // More are cut when more is here; those that are listed must not change any more.
    return {
      plays: plays.map(({ track, ...identity }, index) => ({
        ...identity,
        track: { ...track, segments: track.segments.slice(0, counts[index]) },
      })),
    }
  }
  const neededBytes = movie.isFragmented
    ? receivedBytes + someMoreBytes
    : Math.max(...arrivals.map(([first = 0]) => first))
  return { plays: null, nextLookBytes: neededBytes }
}

/** Fragments of all tracks have come by then. */
const someSeconds = 15

const show = async (
  tx: Tx,
  { publicUrl }: ShowArrivingDependencies,
  { accountId, projectId, fileId, stagingName }: ShowArrivingJob,
  plays: readonly RenditionInPlace[],
): Promise<void> => {
  const key = { accountId, fileId }
  await lockProject(tx, accountId, projectId)
  const file = await lockMediaFile(tx, key)
  const upload = await tx
    .selectFrom('uploads')
    .select('source_name')
    .where('staging_name', '=', stagingName)
    .where('completed_at', 'is', null)
    .where('look_at_bytes', 'is not', null)
    .executeTakeFirst()
  // Whole, begun anew or given up meanwhile.
  if (upload === undefined) return
  await stopLooking(tx, stagingName)
  if (file.state !== 'created' || file.source_blob !== null) return
  const mediaBlob = `${fileBlobPrefix(file)}${upload.source_name}`
  const owner = { accountId, fileId, generation: file.generation }
  for (const rendition of plays)
    await insertInPlaceRendition(tx, owner, { mediaBlob, state: 'growing', ...rendition })
  await changeMediaFile(tx, publicUrl, key, () => ({
    set: { state: 'playable', playable_at: new Date(), arriving_upload: stagingName },
    events: ['file.playable'],
  }))
}

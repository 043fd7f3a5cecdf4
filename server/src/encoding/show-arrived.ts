import type { Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { countArrivedSegments, segmentArrivals } from '@zoetrope/packager'
import type { ShowArrivingJob } from '../files/file-jobs.ts'
import { changeMediaFile, fileBlobPrefix, lockMediaFile } from '../files/media-file-store.ts'
import { stopLooking } from '../files/withdraw-arriving.ts'
import type { Database, Tx } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { lockProject } from '../projects/project-store.ts'
import type { InPlaceTracks } from './plan-source.ts'
import { insertInPlaceRendition } from './rendition-store.ts'
import { isAllInPlace, renditionsInPlace, type RenditionInPlace } from './renditions-in-place.ts'

/** What a look at the bytes so far has found. `nextLookBytes`: look again when there are so many; null = it only plays when it is whole. */
export type Look =
  | { readonly plays: readonly RenditionInPlace[] }
  | { readonly plays: null; readonly nextLookBytes: number | null }

/** Without word of how much is missing. */
export const someMoreBytes = 1024 * 1024

export const never: Look = { plays: null, nextLookBytes: null }

/** Fragments of all tracks have come by then. */
const someSeconds = 15

/** Whether the first seconds of all that is to be seen and heard are among the bytes that are here. Pure. */
export const judge = (movie: Movie, tracks: InPlaceTracks, probe: Probe, receivedBytes: number): Look => {
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

/** Lists what plays of an upload that is still under way; the file is playable from then on. */
export const showArrived = (
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  job: ShowArrivingJob,
  plays: readonly RenditionInPlace[],
  /** Where it lies, or will; absent = in the source. */
  mediaBlob?: string,
): Promise<void> =>
  database
    .transaction((tx) => show(tx, publicUrl, job, plays, mediaBlob))
    .catch((error: unknown) => {
      // Deleted meanwhile.
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
    })

const show = async (
  tx: Tx,
  publicUrl: string,
  { accountId, projectId, fileId, stagingName }: ShowArrivingJob,
  plays: readonly RenditionInPlace[],
  remuxedBlob: string | undefined,
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
  const mediaBlob = remuxedBlob ?? `${fileBlobPrefix(file)}${upload.source_name}`
  const owner = { accountId, fileId, generation: file.generation }
  for (const rendition of plays)
    await insertInPlaceRendition(tx, owner, { mediaBlob, state: 'growing', ...rendition })
  await changeMediaFile(tx, publicUrl, key, () => ({
    set: { state: 'playable', playable_at: new Date(), arriving_upload: stagingName },
    events: ['file.playable'],
  }))
}

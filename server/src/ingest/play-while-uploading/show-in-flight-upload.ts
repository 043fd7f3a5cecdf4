import type { Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { countReceivedSegments, segmentByteEnds } from '@zoetrope/packager'
import type { InFlightUploadJob } from '../../library/files/queue/file-jobs.ts'
import {
  changeMediaFile,
  fileBlobPrefix,
  lockMediaFile,
} from '../../library/files/record/media-file-store.ts'
import { stopEarlyChecks } from '../../library/files/change/withdraw-in-flight-upload.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { shareProject } from '../../library/projects/project-locks.ts'
import type { PassthroughTracks } from '../renditions/plan-source.ts'
import { insertPassthroughRendition } from '../renditions/rendition-store.ts'
import {
  isAllPassthrough,
  passthroughRenditions,
  type NewPassthroughRendition,
} from '../renditions/passthrough-renditions.ts'

/**
 * Result of checking the bytes so far. `nextLookBytes` is the size at which to check again; null = the source
 * plays only once complete.
 */
export type Look =
  | { readonly plays: readonly NewPassthroughRendition[] }
  | { readonly plays: null; readonly nextLookBytes: number | null }

/** Step between checks when the required size is unknown. */
export const someMoreBytes = 1024 * 1024

export const never: Look = { plays: null, nextLookBytes: null }

/** By this time, fragments of all tracks have arrived. */
const someSeconds = 15

/** Decides whether the first seconds of all video and audio tracks have arrived. Pure. */
export const judge = (movie: Movie, tracks: PassthroughTracks, probe: Probe, receivedBytes: number): Look => {
  const plays = passthroughRenditions(tracks, probe)
  // A fragmented movie may start with fragments of only some tracks.
  if (!isAllPassthrough(tracks, probe) || plays.length === 0)
    return movie.isFragmented && movie.durationSeconds < someSeconds
      ? { plays: null, nextLookBytes: receivedBytes + someMoreBytes }
      : never
  const byteEnds = plays.map(({ track }) => segmentByteEnds(track))
  const counts = byteEnds.map((one) => countReceivedSegments(one, receivedBytes, movie))
  if (counts.every((count) => count > 0)) {
    if (!movie.isFragmented) return { plays }
    // Later checks add segments; listed ones must not change.
    return {
      plays: plays.map(({ track, ...identity }, index) => ({
        ...identity,
        track: { ...track, segments: track.segments.slice(0, counts[index]) },
      })),
    }
  }
  const neededBytes = movie.isFragmented
    ? receivedBytes + someMoreBytes
    : Math.max(...byteEnds.map(([first = 0]) => first))
  return { plays: null, nextLookBytes: neededBytes }
}

/** Lists the playable renditions of an in-flight upload and makes the file playable. */
export const showInFlightUpload = (
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  job: InFlightUploadJob,
  plays: readonly NewPassthroughRendition[],
  mediaBlob?: string,
): Promise<void> =>
  database
    .transaction((tx) => show(tx, publicUrl, job, plays, mediaBlob))
    .catch((error: unknown) => {
      // The file was deleted meanwhile.
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
    })

const show = async (
  tx: Tx,
  publicUrl: string,
  { accountId, projectId, fileId, stagingName }: InFlightUploadJob,
  plays: readonly NewPassthroughRendition[],
  remuxedBlob: string | undefined,
): Promise<void> => {
  const key = { accountId, fileId }
  await shareProject(tx, accountId, projectId)
  const file = await lockMediaFile(tx, key)
  const upload = await tx
    .selectFrom('uploads')
    .select('source_name')
    .where('staging_name', '=', stagingName)
    .where('completed_at', 'is', null)
    .where('look_at_bytes', 'is not', null)
    .executeTakeFirst()
  // The upload was completed, restarted or aborted meanwhile.
  if (upload === undefined) return
  await stopEarlyChecks(tx, stagingName)
  if (file.state !== 'created' || file.source_blob !== null) return
  const mediaBlob = remuxedBlob ?? `${fileBlobPrefix(file)}${upload.source_name}`
  const owner = { accountId, fileId, revision: file.generation }
  for (const rendition of plays)
    await insertPassthroughRendition(tx, owner, { mediaBlob, state: 'growing', ...rendition })
  await changeMediaFile(tx, publicUrl, key, () => ({
    set: { state: 'playable', playable_at: new Date(), arriving_upload: stagingName },
    events: ['file.playable'],
  }))
}

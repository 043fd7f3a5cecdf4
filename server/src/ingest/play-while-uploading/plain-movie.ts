import { probePlainMovie } from '@zoetrope/ffmpeg'
import { openFileReader, readFlatMovie, type Movie } from '@zoetrope/isobmff'
import type { PassthroughTrack } from '@zoetrope/packager'
import type { FileProperties } from '../../library/files/record/parts/file-properties.ts'
import type { MediaFileRow } from '../../library/files/record/file-record.ts'
import type { FileChange } from '../../library/files/record/media-file-store.ts'
import { encoderSettingsOf, type ProjectRow } from '../../library/projects/project-record.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isAllPassthrough, passthroughRenditions } from '../renditions/passthrough-renditions.ts'
import type { NewPassthroughRendition } from '../renditions/passthrough-renditions.ts'
import { planPassthroughTracks, propertiesOf, unchangedSource } from '../renditions/plan-source.ts'
import { insertPassthroughRendition } from '../renditions/rendition-store.ts'

/** A complete source of which the index alone says that all of it plays by passthrough. */
export interface PlainMovie {
  readonly properties: FileProperties
  readonly renditions: readonly NewPassthroughRendition[]
}

/** Returns null for a source that a worker has to look at. */
export type ReadPlainMovie = (blob: string) => Promise<PlainMovie | null>

/** Fifteen hours at 30 frames/s with sound, which take 0.3 s. A worker reads larger indexes. */
const maxSamples = 2 ** 22

export const createPlainMovieReader =
  ({
    blobs,
    maxDurationSeconds,
    onIndex,
  }: {
    /** On this machine. */
    readonly blobs: BlobStore
    readonly maxDurationSeconds: number
    /** Gets the index and the tracks, which the first viewer needs. */
    readonly onIndex: (blob: string, movie: Movie, tracks: readonly PassthroughTrack[]) => Promise<void>
  }): ReadPlainMovie =>
  (blob) =>
    blobs
      .withLocalFile(blob, async (path) => {
        await using reader = await openFileReader(path)
        const movie = await readFlatMovie(reader, maxSamples)
        if (movie === null) return null
        const probe = await probePlainMovie(path, movie, reader.sizeBytes)
        if (probe === null || movie.durationSeconds > maxDurationSeconds) return null
        const tracks = planPassthroughTracks(movie, probe, unchangedSource)
        const renditions = passthroughRenditions(tracks, probe)
        if (!isAllPassthrough(tracks, probe) || renditions.length === 0) return null
        await onIndex(
          blob,
          movie,
          renditions.map(({ track }) => track),
        )
        return { properties: propertiesOf(probe, reader.sizeBytes, null), renditions }
      })
      // The worker reports what is wrong.
      .catch(() => null)

/**
 * Lists the renditions of a first source in the transaction that takes it. Returns the change of the file, or null
 * when a worker has to do it. The caller holds the locks of the project and the file.
 */
export const listPlainMovie = async (
  tx: Tx,
  {
    project,
    file,
    blob,
  }: { readonly project: ProjectRow; readonly file: MediaFileRow; readonly blob: string },
  { properties, renditions }: PlainMovie,
): Promise<FileChange | null> => {
  // An upload that has played while it was in flight keeps its renditions, which the worker completes.
  if (file.state !== 'created' || file.arriving_upload !== null) return null
  if (encoderSettingsOf(project).NormalizeLoudness || (await hasWatermark(tx, project.id))) return null
  const owner = { accountId: file.account_id, fileId: file.id, revision: file.generation }
  for (const rendition of renditions)
    await insertPassthroughRendition(tx, owner, { mediaBlob: blob, ...rendition })
  return {
    set: { state: 'playable', playable_at: new Date(), properties: JSON.stringify(properties) },
    events: ['file.uploaded', 'file.encoding', 'file.playable'],
  }
}

const hasWatermark = async (tx: Tx, projectId: number): Promise<boolean> =>
  (await tx
    .selectFrom('project_watermarks')
    .select('project_id')
    .where('project_id', '=', projectId)
    .executeTakeFirst()) !== undefined

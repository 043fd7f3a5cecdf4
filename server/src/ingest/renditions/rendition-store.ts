import type { PassthroughTrack, PackagedTrack, TrackDescription } from '@zoetrope/packager'
import { sql } from 'kysely'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { ChunkFolder } from '../../platform/db/tables/encoding.ts'

type SegmentTimes = PackagedTrack['segments'][number]

/**
 * Encodes segments for the database as [startTicks, durationTicks, sizeBytes], plus keyFrameEndBytes for
 * video.
 */
export const encodeSegments = (segments: readonly SegmentTimes[]): string =>
  JSON.stringify(
    segments.map(({ startTicks, durationTicks, sizeBytes, keyFrameEndBytes }) => [
      ...[startTicks, durationTicks, sizeBytes],
      ...(keyFrameEndBytes === undefined ? [] : [keyFrameEndBytes]),
    ]),
  )

/** Omits the language: the output of ffmpeg has none, and the plan has it. */
const describe = (track: Omit<TrackDescription, 'initSegment'>) => ({
  codec: track.codec,
  timescale: track.timescale,
  width_pixels: track.kind === 'video' ? track.widthPixels : null,
  height_pixels: track.kind === 'video' ? track.heightPixels : null,
  frame_rate: track.kind === 'video' ? track.frameRate : null,
  channels: track.kind === 'audio' ? track.channels : null,
  sample_rate_hz: track.kind === 'audio' ? track.sampleRateHz : null,
})

const measure = (track: Omit<PackagedTrack, 'initSegment'>) => ({
  peak_bits_per_second: Math.ceil(track.peakBitsPerSecond),
  average_bits_per_second: Math.ceil(track.averageBitsPerSecond),
  segments: encodeSegments(track.segments),
})

export interface RenditionOwner {
  readonly accountId: number
  readonly fileId: number
  readonly revision: number
}

export interface RenditionIdentity {
  readonly name: string
  /** Order among selectable renditions; 0 is the default. */
  readonly position: number
  /** BCP 47. */
  readonly language?: string | null
  readonly label?: string | null
}

const identify = ({ name, position, language = null, label = null }: RenditionIdentity) => ({
  name,
  position,
  language,
  label,
})

export const insertPassthroughRendition = async (
  queryable: Queryable,
  owner: RenditionOwner,
  rendition: RenditionIdentity & {
    readonly mediaBlob: string
    readonly track: PassthroughTrack
    /** `growing` while the source is an in-flight upload. */
    readonly state?: 'growing' | 'complete'
  },
): Promise<void> => {
  await queryable
    .insertInto('renditions')
    .values({
      account_id: owner.accountId,
      file_id: owner.fileId,
      generation: owner.revision,
      kind: rendition.track.kind,
      ...identify(rendition),
      delivery: 'in_place',
      state: rendition.state ?? 'complete',
      media_blob: rendition.mediaBlob,
      track_id: rendition.track.trackId,
      ...describe(rendition.track),
      ...measure(rendition.track),
    })
    .execute()
}

/**
 * Inserts the row before the first blob is written, so that the blobs of a killed run can be found and
 * removed. Returns its id.
 */
export const insertEncodingRendition = async (
  queryable: Queryable,
  owner: RenditionOwner,
  rendition: RenditionIdentity & { readonly kind: 'video' | 'audio'; readonly mediaBlob: string },
): Promise<number> => {
  const row = await queryable
    .insertInto('renditions')
    .values({
      account_id: owner.accountId,
      file_id: owner.fileId,
      generation: owner.revision,
      kind: rendition.kind,
      ...identify(rendition),
      delivery: 'packaged',
      state: 'encoding',
      media_blob: rendition.mediaBlob,
      timescale: 1,
      has_closed_captions: (query) =>
        query
          .selectFrom('renditions')
          .select(sql<boolean | null>`bool_or(has_closed_captions)`.as('has_closed_captions'))
          .where('file_id', '=', owner.fileId)
          .where('generation', '=', owner.revision)
          .where(sql.lit(rendition.kind === 'video')),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * Stores on all video renditions whether the source carries closed captions. Renditions inserted later copy
 * the value.
 */
export const setClosedCaptions = async (
  queryable: Queryable,
  { fileId, revision }: Pick<RenditionOwner, 'fileId' | 'revision'>,
  hasClosedCaptions: boolean,
): Promise<void> => {
  await queryable
    .updateTable('renditions')
    .set({ has_closed_captions: hasClosedCaptions })
    .where('file_id', '=', fileId)
    .where('generation', '=', revision)
    .where('kind', '=', 'video')
    .execute()
}

const superseded = (id: number): Error => new Error(`rendition ${id} is gone: another run does this job`)

/**
 * Lists the segments of an in-progress rendition; its peak is the ceiling of the encoder. Throws when another
 * run has removed or retired the rendition.
 */
export const growRendition = async (
  queryable: Queryable,
  { revision }: { readonly revision: number },
  id: number,
  growth: {
    readonly track: TrackDescription
    readonly segments: readonly SegmentTimes[]
    readonly allowedBitsPerSecond: number
  },
): Promise<void> => {
  const { numUpdatedRows } = await queryable
    .updateTable('renditions')
    .set({
      state: 'growing',
      ...describe(growth.track),
      peak_bits_per_second: growth.allowedBitsPerSecond,
      average_bits_per_second: growth.allowedBitsPerSecond,
      segments: encodeSegments(growth.segments),
    })
    .where('id', '=', id)
    .where('generation', '=', revision)
    .where('state', '!=', 'complete')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw superseded(id)
}

/** Marks a rendition as complete. Throws when another run has removed or retired it. */
export const completeRendition = async (
  queryable: Queryable,
  { revision }: { readonly revision: number },
  id: number,
  result: {
    readonly track: Omit<PackagedTrack, 'initSegment'>
    readonly sizeBytes: number
    readonly chunkFolders?: readonly ChunkFolder[]
  },
): Promise<void> => {
  const { numUpdatedRows } = await queryable
    .updateTable('renditions')
    .set({
      state: 'complete',
      ...describe(result.track),
      ...measure(result.track),
      size_bytes: result.sizeBytes,
      ...(result.chunkFolders?.length && { chunk_folders: JSON.stringify(result.chunkFolders) }),
    })
    .where('id', '=', id)
    .where('generation', '=', revision)
    .where('state', '!=', 'complete')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw superseded(id)
}

/**
 * Lists renditions that runs left incomplete. Those in `encoding` are hidden; `growing` ones of killed runs
 * play until they are replaced. Renditions made in chunks are excluded, because they outlive a run.
 */
export const unfinishedRenditions = (
  queryable: Queryable,
  { fileId, revision }: RenditionOwner,
  state: 'encoding' | 'growing',
): Promise<Pick<RenditionRow, 'id' | 'media_blob'>[]> =>
  queryable
    .selectFrom('renditions')
    .select(['id', 'media_blob'])
    .where('file_id', '=', fileId)
    .where('generation', '=', revision)
    .where('state', '=', state)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('chunked_encodes')
            .select('file_id')
            .whereRef('chunked_encodes.account_id', '=', 'renditions.account_id')
            .whereRef('chunked_encodes.file_id', '=', 'renditions.file_id')
            .where(sql<boolean>`renditions.id = any(rendition_ids)`),
        ),
      ),
    )
    .execute()

export const deleteRenditions = async (queryable: Queryable, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await queryable
    .deleteFrom('renditions')
    .where('id', 'in', [...ids])
    .execute()
}

/** Deletes those that are still hidden. Returns the folders of their blobs, and the ids of those that stay. */
export const deleteHiddenRenditions = async (
  tx: Tx,
  ids: readonly number[],
): Promise<{ readonly deleted: string[]; readonly keptIds: number[] }> => {
  const deleted = await tx
    .deleteFrom('renditions')
    .where('id', 'in', [...ids])
    .where('state', '=', 'encoding')
    .returning('media_blob')
    .execute()
  const kept = await tx
    .selectFrom('renditions')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return { deleted: deleted.map(({ media_blob }) => `${media_blob}/`), keptIds: kept.map(({ id }) => id) }
}

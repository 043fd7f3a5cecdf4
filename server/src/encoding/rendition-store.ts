import type { PackagedTrack, TrackDescription } from '@zoetrope/packager'
import type { RenditionRow } from '../files/file-record.ts'
import type { Queryable } from '../kernel/db/database.ts'

type SegmentTimes = PackagedTrack['segments'][number]

/** The compact form in which a rendition's segments are stored: [startTicks, durationTicks, sizeBytes] each. */
export const encodeSegments = (segments: readonly SegmentTimes[]): string =>
  JSON.stringify(
    segments.map(({ startTicks, durationTicks, sizeBytes }) => [startTicks, durationTicks, sizeBytes]),
  )

const describe = (track: TrackDescription) => ({
  codec: track.codec,
  timescale: track.timescale,
  width_pixels: track.kind === 'video' ? track.widthPixels : null,
  height_pixels: track.kind === 'video' ? track.heightPixels : null,
  frame_rate: track.kind === 'video' ? track.frameRate : null,
  channels: track.kind === 'audio' ? track.channels : null,
  sample_rate_hz: track.kind === 'audio' ? track.sampleRateHz : null,
  language: track.language === 'und' || track.language === '' ? null : track.language,
})

const measure = (track: PackagedTrack) => ({
  peak_bits_per_second: Math.ceil(track.peakBitsPerSecond),
  average_bits_per_second: Math.ceil(track.averageBitsPerSecond),
  segments: encodeSegments(track.segments),
})

export interface RenditionOwner {
  readonly accountId: number
  readonly fileId: number
  readonly generation: number
}

/** A track of the source that is served from where it lies. */
export const insertInPlaceRendition = async (
  queryable: Queryable,
  owner: RenditionOwner,
  rendition: { readonly mediaBlob: string; readonly track: PackagedTrack },
): Promise<void> => {
  await queryable
    .insertInto('renditions')
    .values({
      account_id: owner.accountId,
      file_id: owner.fileId,
      generation: owner.generation,
      kind: rendition.track.kind,
      name: 'source',
      delivery: 'in_place',
      state: 'complete',
      media_blob: rendition.mediaBlob,
      ...describe(rendition.track),
      ...measure(rendition.track),
    })
    .execute()
}

/** The row comes before the first blob, so that a killed run's blobs can be found and removed. */
export const insertEncodingRendition = async (
  queryable: Queryable,
  owner: RenditionOwner,
  rendition: { readonly kind: 'video' | 'audio'; readonly name: string; readonly mediaBlob: string },
): Promise<number> => {
  const row = await queryable
    .insertInto('renditions')
    .values({
      account_id: owner.accountId,
      file_id: owner.fileId,
      generation: owner.generation,
      kind: rendition.kind,
      name: rendition.name,
      delivery: 'packaged',
      state: 'encoding',
      media_blob: rendition.mediaBlob,
      timescale: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Lists what is there of a rendition that is still encoded; its peak is what the encoder was allowed. */
export const growRendition = async (
  queryable: Queryable,
  id: number,
  growth: {
    readonly track: TrackDescription
    readonly segments: readonly SegmentTimes[]
    readonly allowedBitsPerSecond: number
  },
): Promise<void> => {
  await queryable
    .updateTable('renditions')
    .set({
      state: 'growing',
      ...describe(growth.track),
      peak_bits_per_second: growth.allowedBitsPerSecond,
      average_bits_per_second: growth.allowedBitsPerSecond,
      segments: encodeSegments(growth.segments),
    })
    .where('id', '=', id)
    .execute()
}

export const completeRendition = async (
  queryable: Queryable,
  id: number,
  result: { readonly track: PackagedTrack; readonly sizeBytes: number },
): Promise<void> => {
  const { numUpdatedRows } = await queryable
    .updateTable('renditions')
    .set({
      state: 'complete',
      ...describe(result.track),
      ...measure(result.track),
      size_bytes: result.sizeBytes,
    })
    .where('id', '=', id)
    .executeTakeFirst()
  // Another run has taken the job over and removed what this one was writing.
  if (numUpdatedRows === 0n) throw new Error(`rendition ${id} is gone: another run does this job`)
}

/** `encoding` ones nobody sees; `growing` ones of killed runs are watched until they are replaced. */
export const unfinishedRenditions = (
  queryable: Queryable,
  { fileId, generation }: RenditionOwner,
  state: 'encoding' | 'growing',
): Promise<Pick<RenditionRow, 'id' | 'media_blob'>[]> =>
  queryable
    .selectFrom('renditions')
    .select(['id', 'media_blob'])
    .where('file_id', '=', fileId)
    .where('generation', '=', generation)
    .where('state', '=', state)
    .execute()

export const deleteRenditions = async (queryable: Queryable, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await queryable
    .deleteFrom('renditions')
    .where('id', 'in', [...ids])
    .execute()
}

import type { TrackDescription } from '@zoetrope/packager'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { isOfLiveProject } from '../../../library/files/record/media-file-store.ts'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { encodeSegments, type RenditionOwner } from '../../renditions/rendition-store.ts'
import type { MadeSegment } from './claims/claimed-chunk.ts'
import type { OnDemandPlan, PlannedSegment } from './plan/plan-on-demand.ts'

/** Returns the id of the new rendition. */
export const insertOnDemandRendition = async (
  tx: Tx,
  { accountId, fileId, revision }: RenditionOwner,
  rendition: {
    readonly mediaBlob: string
    readonly plan: OnDemandPlan
    readonly track: Pick<TrackDescription, 'codec' | 'widthPixels' | 'heightPixels'>
    readonly segments: readonly PlannedSegment[]
    readonly bitRates: { readonly peakBitsPerSecond: number; readonly averageBitsPerSecond: number }
    readonly hasClosedCaptions: boolean | null
  },
): Promise<number> => {
  const { plan, track, segments, bitRates } = rendition
  const { numerator, denominator } = plan.plan.frameRate ?? { numerator: 0, denominator: 1 }
  const { id } = await tx
    .insertInto('renditions')
    .values({
      account_id: accountId,
      file_id: fileId,
      generation: revision,
      kind: 'video',
      name: plan.rung.name,
      delivery: 'packaged',
      state: 'on_demand',
      media_blob: rendition.mediaBlob,
      codec: track.codec,
      timescale: plan.timescale,
      width_pixels: track.widthPixels,
      height_pixels: track.heightPixels,
      frame_rate: numerator / denominator,
      peak_bits_per_second: bitRates.peakBitsPerSecond,
      average_bits_per_second: bitRates.averageBitsPerSecond,
      segments: encodeSegments(segments),
      has_closed_captions: rendition.hasClosedCaptions,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('on_demand_renditions')
    .values({
      rendition_id: id,
      account_id: accountId,
      file_id: fileId,
      plan: JSON.stringify(plan),
      chunk_count: segments.length,
    })
    .execute()
  return id
}

export interface OnDemandRendition {
  readonly plan: OnDemandPlan
  readonly rendition: Pick<
    RenditionRow,
    'id' | 'name' | 'media_blob' | 'timescale' | 'segments' | 'size_bytes' | 'has_closed_captions'
  >
  readonly file: Pick<MediaFileRow, 'id' | 'account_id' | 'project_id'>
}

/** Returns the rung while it is encoded on demand and viewers of the current revision can request it. */
export const findOnDemandRendition = async (
  queryable: Queryable,
  renditionId: number,
): Promise<OnDemandRendition | null> => {
  const row = await queryable
    .selectFrom('on_demand_renditions as o')
    .innerJoin('renditions as r', 'r.id', 'o.rendition_id')
    .innerJoin('media_files', 'media_files.id', 'r.file_id')
    .select(['o.plan', 'r.id', 'r.name', 'r.media_blob', 'r.timescale', 'r.segments', 'r.size_bytes'])
    .select(['r.has_closed_captions', 'r.file_id', 'r.account_id', 'media_files.project_id'])
    .where('o.rendition_id', '=', renditionId)
    .where('r.state', '=', 'on_demand')
    .whereRef('r.generation', '=', 'media_files.generation')
    .where('media_files.deleted_at', 'is', null)
    .where(isOfLiveProject)
    .executeTakeFirst()
  if (row === undefined) return null
  const { plan, file_id, account_id, project_id, ...rendition } = row
  return {
    plan: plan as unknown as OnDemandPlan,
    rendition,
    file: { id: file_id, account_id, project_id },
  }
}

export interface ReadyChunk {
  readonly number: number
  readonly attempt: number
  readonly segment: MadeSegment
}

export const readyChunksOf = async (queryable: Queryable, renditionId: number): Promise<ReadyChunk[]> => {
  const rows = await queryable
    .selectFrom('on_demand_chunks')
    .select(['number', 'attempt', 'segment'])
    .where('rendition_id', '=', renditionId)
    .where('state', '=', 'ready')
    .orderBy('number')
    .execute()
  return rows.map(({ segment, ...chunk }) => ({ ...chunk, segment: segment as unknown as MadeSegment }))
}

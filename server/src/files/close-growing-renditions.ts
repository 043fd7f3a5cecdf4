import type { BlobStore } from '../kernel/blobs/blob-store.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { initBlob } from './media-blobs.ts'

type SegmentTriple = [startTicks: number, durationTicks: number, sizeBytes: number]

/**
 * Ends the playlists of a generation's renditions that will not grow any more, so that nobody waits for a next segment. Answers how many bytes they
 * have: they were not counted while they grew.
 */
export const closeGrowingRenditions = async (
  queryable: Queryable,
  blobs: BlobStore,
  fileId: number,
  generation: number,
): Promise<number> => {
  const rows = await queryable
    .selectFrom('renditions')
    .select(['id', 'delivery', 'media_blob', 'segments'])
    .where('file_id', '=', fileId)
    .where('generation', '=', generation)
    .where('state', '=', 'growing')
    .execute()
  let totalBytes = 0
  for (const { id, delivery, media_blob, segments } of rows) {
    const init = await blobs.stat(initBlob(media_blob))
    // In place, it lies in the source, which is counted.
    const sizeBytes =
      delivery === 'in_place'
        ? 0
        : (JSON.parse(segments) as SegmentTriple[]).reduce(
            (sum, [, , bytes]) => sum + bytes,
            init?.sizeBytes ?? 0,
          )
    totalBytes += sizeBytes
    await queryable
      .updateTable('renditions')
      .set({ state: 'complete', size_bytes: sizeBytes })
      .where('id', '=', id)
      .execute()
  }
  return totalBytes
}

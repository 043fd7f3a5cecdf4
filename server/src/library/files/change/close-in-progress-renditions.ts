import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { retireSuperseded } from '../media/garbage-list.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import { initBlob } from '../media/media-blobs.ts'

type SegmentTriple = [startTicks: number, durationTicks: number, sizeBytes: number]

/**
 * Ends the playlists of a revision's in-progress renditions, so that no player waits for another segment.
 * Returns their size in bytes, which was not counted before.
 */
export const closeInProgressRenditions = async (
  tx: Tx,
  blobs: BlobStore,
  file: Pick<MediaFileRow, 'account_id' | 'id'>,
  revision: number,
): Promise<number> => {
  await retireSuperseded(tx, file, revision)
  const rows = await tx
    .selectFrom('renditions')
    .select(['id', 'delivery', 'media_blob', 'segments'])
    .where('file_id', '=', file.id)
    .where('generation', '=', revision)
    .where('state', '=', 'growing')
    .execute()
  let totalBytes = 0
  for (const { id, delivery, media_blob, segments } of rows) {
    const init = await blobs.stat(initBlob(media_blob))
    // A passthrough rendition is part of the source, which is counted already.
    const sizeBytes =
      delivery === 'in_place'
        ? 0
        : (JSON.parse(segments) as SegmentTriple[]).reduce(
            (sum, [, , bytes]) => sum + bytes,
            init?.sizeBytes ?? 0,
          )
    totalBytes += sizeBytes
    await tx
      .updateTable('renditions')
      .set({ state: 'complete', size_bytes: sizeBytes })
      .where('id', '=', id)
      .execute()
  }
  return totalBytes
}

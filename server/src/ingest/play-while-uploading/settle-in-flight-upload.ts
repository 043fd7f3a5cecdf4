import type { MediaFileRow } from '../../library/files/record/file-record.ts'
import { withdrawInFlightUpload } from '../../library/files/change/withdraw-in-flight-upload.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { NewPassthroughRendition } from '../renditions/passthrough-renditions.ts'
import { completeRendition, encodeSegments } from '../renditions/rendition-store.ts'

/**
 * Keeps the renditions of an in-flight upload, with their URLs, when the complete source has the same
 * segments. Otherwise it withdraws them, and the file becomes playable as usual. The caller holds the locks
 * of the project and the file.
 */
export const settleInFlightUpload = async (
  tx: Tx,
  publicUrl: string,
  file: MediaFileRow,
  whole: { readonly mediaBlob: string; readonly renditions: readonly NewPassthroughRendition[] },
): Promise<void> => {
  if (file.arriving_upload === null) return
  const shown = await tx
    .selectFrom('renditions')
    .select(['id', 'track_id', 'media_blob', 'segments'])
    .where('file_id', '=', file.id)
    .where('generation', '=', file.generation)
    .where('delivery', '=', 'in_place')
    .where('state', '=', 'growing')
    .execute()
  const kept = shown.flatMap(({ id, track_id, media_blob, segments }) => {
    const found = whole.renditions.find(({ track }) => track.trackId === track_id)
    const isSame = media_blob === whole.mediaBlob && found !== undefined && beginsLike(found, segments)
    return isSame ? [{ id, track: found.track }] : []
  })
  if (kept.length < whole.renditions.length || kept.length < shown.length) {
    await withdrawInFlightUpload(tx, publicUrl, file)
    return
  }
  for (const { id, track } of kept)
    await completeRendition(tx, { revision: file.generation }, id, { track, sizeBytes: 0 })
}

const beginsLike = ({ track }: NewPassthroughRendition, segments: string): boolean => {
  const shownCount = (JSON.parse(segments) as unknown[]).length
  return encodeSegments(track.segments.slice(0, shownCount)) === segments
}

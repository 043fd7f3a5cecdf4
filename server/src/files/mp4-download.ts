import type { Selectable } from 'kysely'
import type { RenditionsTable } from '../kernel/db/tables.ts'

type RenditionRow = Selectable<RenditionsTable>

/** What an MP4 for download is put together of. */
export interface Mp4Download {
  readonly video: RenditionRow
  readonly audio: RenditionRow | null
}

/** H.264 before what fewer programs play, then the largest, then the one with the most bits. */
const byPreference = (one: RenditionRow, other: RenditionRow): number =>
  Number(other.codec.startsWith('avc')) - Number(one.codec.startsWith('avc')) ||
  (other.height_pixels ?? 0) - (one.height_pixels ?? 0) ||
  other.average_bits_per_second - one.average_bits_per_second ||
  one.id - other.id

/**
 * The best complete video rendition, or the one with this id, with the sound that is heard first of all. Null where there is none, or where
 * its sound is still being made.
 */
export const mp4DownloadOf = (
  renditions: readonly RenditionRow[],
  renditionId: number | null = null,
): Mp4Download | null => {
  const [video] = renditions
    .filter(({ kind, state }) => kind === 'video' && state === 'complete')
    .filter(({ id }) => renditionId === null || id === renditionId)
    .sort(byPreference)
  const [audio = null] = renditions
    .filter(({ kind }) => kind === 'audio')
    .sort((one, other) => one.position - other.position || one.id - other.id)
  return video === undefined || audio?.state === 'growing' ? null : { video, audio }
}

import type { Selectable } from 'kysely'
import type { RenditionsTable } from '../kernel/db/tables.ts'

type RenditionRow = Selectable<RenditionsTable>

/** The renditions that a file for download is put together from: a video with its sound, or sound alone. */
export interface Download {
  readonly video: RenditionRow | null
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
): Download | null => {
  const [video] = renditions
    .filter(({ kind, state }) => kind === 'video' && state === 'complete')
    .filter(({ id }) => renditionId === null || id === renditionId)
    .sort(byPreference)
  const audio = mainAudio(renditions)
  return video === undefined || audio?.state === 'growing' ? null : { video, audio }
}

const mainAudio = (renditions: readonly RenditionRow[]): RenditionRow | null =>
  renditions
    .filter(({ kind }) => kind === 'audio')
    .toSorted((one, other) => one.position - other.position || one.id - other.id)[0] ?? null

/** The sound of a file that is audio alone; null where there is video, or where its sound is still being made. */
export const m4aDownloadOf = (renditions: readonly RenditionRow[]): Download | null => {
  if (renditions.some(({ kind }) => kind === 'video')) return null
  const audio = mainAudio(renditions)
  return audio?.state === 'complete' ? { video: null, audio } : null
}

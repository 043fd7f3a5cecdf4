import { isH264, type RenditionRow } from './rendition-record.ts'

export interface Download {
  readonly video: RenditionRow | null
  readonly audio: RenditionRow | null
}

/** Prefers H.264, which most programs play, then the greatest height, then the highest bit rate. */
const byPreference = (one: RenditionRow, other: RenditionRow): number =>
  Number(isH264(other)) - Number(isH264(one)) ||
  (other.height_pixels ?? 0) - (one.height_pixels ?? 0) ||
  other.average_bits_per_second - one.average_bits_per_second ||
  one.id - other.id

/**
 * Returns the best complete video rendition, or the one with this id, and the main audio rendition. Returns
 * null without such a rendition, or while the audio is still in progress.
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

/** Returns the best video rendition if it has yet to be encoded, at least in part; otherwise null. */
export const bestOnDemand = (renditions: readonly RenditionRow[]): RenditionRow | null => {
  const [best] = renditions
    .filter(({ kind, state }) => kind === 'video' && (state === 'complete' || state === 'on_demand'))
    .sort(byPreference)
  return best?.state === 'on_demand' ? best : null
}

const mainAudio = (renditions: readonly RenditionRow[]): RenditionRow | null =>
  renditions
    .filter(({ kind }) => kind === 'audio')
    .toSorted((one, other) => one.position - other.position || one.id - other.id)[0] ?? null

/**
 * Returns the audio of an audio-only file. Returns null for files with video, or while the audio is still in
 * progress.
 */
export const m4aDownloadOf = (renditions: readonly RenditionRow[]): Download | null => {
  if (renditions.some(({ kind }) => kind === 'video')) return null
  const audio = mainAudio(renditions)
  return audio?.state === 'complete' ? { video: null, audio } : null
}

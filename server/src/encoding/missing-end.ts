import type { Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import type { RenditionRow } from '../files/file-record.ts'
import { renditionEndSeconds } from '../files/rendition-length.ts'

/**
 * How long the source says that it is, where that can be more than what it holds: an MP4 whose samples are all there has its end, and may be
 * shorter than its tracks by its edit list.
 */
export const claimedSeconds = (probe: Probe, movie: Movie | null): number | null =>
  movie === null ? probe.durationSeconds : null

/** Headers are often a little wrong; a tenth that is missing is noticed by viewers. */
const toleratedShare = 0.1
const toleratedSeconds = 1

/** A sentence for people where the end of the source was missing or could not be decoded; null where it was played to its end. */
export const missingEndMessage = (
  claimed: number | null,
  renditions: readonly Pick<RenditionRow, 'segments' | 'timescale' | 'state'>[],
): string | null => {
  const complete = renditions.filter(({ state }) => state === 'complete')
  const played = Math.max(0, ...complete.map(renditionEndSeconds))
  if (claimed === null || claimed - played <= Math.max(toleratedSeconds, toleratedShare * claimed))
    return null
  return `The file is incomplete: it says that it lasts ${inWords(claimed)}, but only the first ${inWords(played)} could be played.`
}

const inWords = (seconds: number): string => {
  const whole = Math.round(seconds)
  // A few frames are more than nothing.
  if (whole < 60) return `${Number(Math.max(0.1, seconds).toFixed(1))} s`
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

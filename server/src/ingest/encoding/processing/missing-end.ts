import type { Message } from '@zoetrope/vocabulary'
import type { Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { newMessage } from '../../../platform/base/message.ts'
import type { RenditionRow } from '../../../library/files/record/parts/rendition-record.ts'
import { renditionEndSeconds } from '../../../library/files/media/rendition-length.ts'

/**
 * These streams state no duration. ffprobe takes the difference between their first and last times, which jump where
 * recordings are joined.
 */
const streamFormats = ['mpegts', 'mpeg']

/**
 * Returns the duration that the source claims; null when it cannot exceed the content. An MP4 with all
 * samples is complete, although its edit list may make it shorter than its tracks.
 */
export const claimedSeconds = (probe: Probe, movie: Movie | null): number | null =>
  movie === null && !probe.formatNames.some((name) => streamFormats.includes(name))
    ? probe.durationSeconds
    : null

/** Headers are often slightly wrong, but viewers notice a missing tenth. */
const toleratedShare = 0.1
const toleratedSeconds = 1

/** Returns a message for users when the end of the source is missing or cannot be decoded; otherwise null. */
export const missingEndMessage = (
  claimed: number | null,
  renditions: readonly Pick<RenditionRow, 'segments' | 'timescale' | 'state'>[],
): Message | null => {
  const complete = renditions.filter(({ state }) => state === 'complete')
  const played = Math.max(0, ...complete.map(renditionEndSeconds))
  if (claimed === null || claimed - played <= Math.max(toleratedSeconds, toleratedShare * claimed))
    return null
  return newMessage('file_incomplete', { claimed: inWords(claimed), played: inWords(played) })
}

const inWords = (seconds: number): string => {
  const whole = Math.round(seconds)
  // A few frames are reported as 0.1 s rather than 0.
  if (whole < 60) return `${Number(Math.max(0.1, seconds).toFixed(1))} s`
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

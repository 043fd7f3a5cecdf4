import type { LiveStatus } from './live-queries.ts'

export const secondsSince = (instant: string, now: number): number =>
  Math.max(0, (now - new Date(instant).getTime()) / 1_000)

/**
 * Length of the recording. One that began with the broadcast is as long as it: viewers get its first seconds, too,
 * with the first segment.
 */
export const recordedSeconds = (
  { OnlineSince, Recording }: Pick<LiveStatus, 'OnlineSince' | 'Recording'>,
  now: number,
): number => {
  if (Recording === null) return 0
  const isFromStart = OnlineSince !== null && Date.parse(Recording.Since) < Date.parse(OnlineSince)
  return secondsSince(isFromStart ? OnlineSince : Recording.Since, now)
}

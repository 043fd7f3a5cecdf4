import { timelineStartSeconds } from '@zoetrope/packager'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'

/**
 * Rungs share the segment boundaries of the source, so that a player that switches downloads no time span
 * twice.
 */
export const segmentStartsOf = (
  video: Pick<RenditionRow, 'segments' | 'timescale'> | undefined,
): number[] => {
  if (video === undefined) return []
  const segments = JSON.parse(video.segments) as [startTicks: number][]
  return segments.map(([startTicks]) => startTicks / video.timescale - timelineStartSeconds)
}

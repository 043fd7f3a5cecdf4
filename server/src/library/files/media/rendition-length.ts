import { timelineStartSeconds } from '@zoetrope/packager'
import type { RenditionRow } from '../record/parts/rendition-record.ts'

type SegmentTriple = [startTicks: number, durationTicks: number, sizeBytes: number]

/**
 * Returns the end of the playable part of a rendition, in seconds from the start of the presentation; 0
 * without segments.
 */
export const renditionEndSeconds = ({
  segments,
  timescale,
}: Pick<RenditionRow, 'segments' | 'timescale'>): number => {
  const last = (JSON.parse(segments) as SegmentTriple[]).at(-1)
  return last === undefined ? 0 : (last[0] + last[1]) / timescale - timelineStartSeconds
}

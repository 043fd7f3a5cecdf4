import type { RandomAccessReader } from '@zoetrope/isobmff'
import { chunkTimes, type SourceChunk, type SourceRange } from './chunk-times.ts'
import { matroskaRanges } from './matroska-ranges.ts'
import { movieRanges } from './movie-ranges.ts'

/**
 * Decoders that log an error when they receive zeros instead of a picture. Others would silently repeat or
 * invent pictures if a range were missing.
 */
const strictCodecs: ReadonlySet<string> = new Set([
  'h264',
  'hevc',
  'vp9',
  'av1',
  'mpeg4',
  'prores',
  'mjpeg',
  'dnxhd',
])

/**
 * Returns the ranges that ffmpeg reads to open a source, and to encode a chunk of it, in addition to those
 * that this function reads. Null: the whole source is needed.
 */
export const sourceRanges = async (
  reader: RandomAccessReader,
  part: SourceChunk | null,
): Promise<SourceRange[] | null> => {
  const times = part === null ? null : chunkTimes(part)
  if (part !== null && (times === null || !strictCodecs.has(times.video.codec))) return null
  return (await matroskaRanges(reader, times)) ?? movieRanges(reader, times)
}

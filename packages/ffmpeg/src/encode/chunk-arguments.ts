import type { FrameRate } from '../probe/frame-rate.ts'
import type { EncodeChunk } from '../plan/plan-chunks.ts'

/**
 * The key frame at the seek position may be displayed after frames that depend on an earlier one. Starting
 * two seconds early avoids that.
 */
const preRollSeconds = 2

/** Damage of a longer time leaves no picture to repeat. */
const repeatedSeconds = 30

/** Frame times are rounded, so a seek to the exact time may find the key frame before. */
const keyFrameToleranceFrames = 0.5

/** ITU-T H.264 and H.265 decode a frame up to 16 frames before it is displayed, and a seek compares decode times. */
const mostReorderedFrames = 16

/** Returns the time to seek to; null when the chunk is read from the start of the source. */
export const chunkSeekSeconds = (chunk: EncodeChunk | null, frameRate: FrameRate): number | null => {
  if (chunk === null || chunk.startFrame === 0) return null
  const frameSeconds = frameRate.denominator / frameRate.numerator
  if (chunk.isAtKeyFrame) return (chunk.startFrame + keyFrameToleranceFrames) * frameSeconds
  const earlierSeconds = chunk.hasClosedGroups
    ? mostReorderedFrames * frameSeconds
    : chunk.repeatsPictures
      ? repeatedSeconds
      : preRollSeconds
  return Math.max(0, chunk.startFrame * frameSeconds - earlierSeconds)
}

/**
 * Returns the input options that seek to a key frame before the chunk. `-copyts` and `-start_at_zero` keep
 * the exact timestamps of the whole encode. `-noaccurate_seek` keeps the frame that is still displayed when
 * the chunk begins, whatever its age.
 */
export const chunkInputOptions = (chunk: EncodeChunk | null, frameRate: FrameRate): string[] => {
  const seekSeconds = chunkSeekSeconds(chunk, frameRate)
  if (seekSeconds === null) return []
  return ['-copyts', '-start_at_zero', '-noaccurate_seek', '-ss', seekSeconds.toFixed(6)]
}

/**
 * Returns the filters for the constant frame rate of all rungs. A chunk keeps only its own frames, renumbered
 * from 0. Frames are selected by their number on one grid, so chunks match the whole encode. `fps` repeats the picture before
 * frames that cannot be decoded, up to the next one; `tpad` does so up to the end of the chunk. From version 6 on,
 * `setpts` drops the durations of frames, so that the last one would last for no time; a second `fps` sets them again.
 */
export const frameFilters = (chunk: EncodeChunk | null, frameRate: FrameRate): string[] => {
  const rate = `fps=${frameRate.numerator}/${frameRate.denominator}`
  const startFrame = chunk?.startFrame ?? 0
  const endFrame = chunk?.endFrame ?? null
  const startSeconds = (startFrame * frameRate.denominator) / frameRate.numerator
  return [
    startFrame === 0 || chunk?.beginsOnTime ? `${rate}:start_time=${startSeconds}` : rate,
    ...(chunk?.repeatsPictures ? ['tpad=stop=-1:stop_mode=clone'] : []),
    ...(startFrame > 0 ? [`trim=start_pts=${startFrame}`] : []),
    ...(endFrame === null ? [] : [`trim=end_pts=${endFrame}`]),
    ...(startFrame > 0 ? [`setpts=PTS-${startFrame}`, rate] : []),
  ]
}

import type { FrameRate } from './frame-rate.ts'
import type { EncodeChunk } from './plan-chunks.ts'

/** A key frame that is found may be shown after pictures that need an earlier one; two seconds before, that does not matter. */
const preRollSeconds = 2

/**
 * Enters the source at a key frame before the chunk. Timestamps stay those of the whole encode, to the tick: `-copyts` keeps them and
 * `-start_at_zero` moves them as they are moved where nothing is cut. Not seeking accurately keeps the picture that is still shown
 * when the chunk begins, however long ago it came.
 */
export const chunkInputOptions = (chunk: EncodeChunk | null, frameRate: FrameRate): string[] => {
  if (chunk === null || chunk.startFrame === 0) return []
  const startSeconds = (chunk.startFrame * frameRate.denominator) / frameRate.numerator
  const seekSeconds = Math.max(0, startSeconds - preRollSeconds)
  return ['-copyts', '-start_at_zero', '-noaccurate_seek', '-ss', seekSeconds.toFixed(6)]
}

/**
 * The constant rate of all rungs, from 0 on; of a chunk, its frames alone, which then count from 0. The frames are those of the whole
 * encode: each is chosen by its number on the same grid, and cut by that number.
 */
export const frameFilters = (chunk: EncodeChunk | null, frameRate: FrameRate): string[] => {
  const rate = `fps=${frameRate.numerator}/${frameRate.denominator}`
  const startFrame = chunk?.startFrame ?? 0
  const endFrame = chunk?.endFrame ?? null
  return [
    startFrame === 0 ? `${rate}:start_time=0` : rate,
    ...(startFrame > 0 ? [`trim=start_pts=${startFrame}`] : []),
    ...(endFrame === null ? [] : [`trim=end_pts=${endFrame}`]),
    ...(startFrame > 0 ? [`setpts=PTS-${startFrame}`] : []),
  ]
}

import type { EncodeChunk, MediaPlan } from '@zoetrope/ffmpeg'

export const secondsOfChunk = (
  { frameRate }: Pick<MediaPlan, 'frameRate'>,
  { startFrame, endFrame }: EncodeChunk,
  durationSeconds: number,
): number => {
  const { numerator, denominator } = frameRate ?? { numerator: 1, denominator: 1 }
  const seconds = (frame: number): number => (frame * denominator) / numerator
  return (endFrame === null ? durationSeconds : seconds(endFrame)) - seconds(startFrame)
}

import { framesPerSecond, type FrameRate } from './frame-rate.ts'
import { framesPerGroup } from './group-of-pictures.ts'
import type { Probe } from './probe.ts'

/** A slice of what an encode puts out, counted in frames of the plan's rate. It begins where a segment does. */
export type EncodeChunk = {
  startFrame: number
  /** The frame after its last; null = whatever is left. */
  endFrame: number | null
  /** How many segments of the whole lie before it. */
  startSegment: number
}

export type ChunkTarget = { chunkSeconds: number; segmentSeconds: number }

/** Where these are entered, the next key frame before is found by an index; others are read from the start, or land beside it. */
const seekableFormats = ['mov', 'mp4', 'matroska', 'webm']

export const canBeCut = ({ formatNames, video }: Probe): boolean =>
  video !== null && formatNames.some((name) => seekableFormats.includes(name))

/**
 * Groups to a segment, as the packager joins them: it goes on while one more brings a segment nearer to its target. In integers, because
 * 60 frames at 30000/1001 are no two seconds.
 */
const groupsPerSegment = ({ numerator, denominator }: FrameRate, segmentSeconds: number): number => {
  const groupTicks = framesPerGroup({ numerator, denominator }) * denominator
  return Math.max(1, Math.ceil((2 * segmentSeconds * numerator - groupTicks) / (2 * groupTicks)))
}

/** The same for rungs with cuts of their own: each chunk ends at the first of them that makes it long enough. */
const planChunksAtCuts = (
  cutFrames: readonly number[],
  { chunkFrames, endFrame }: { readonly chunkFrames: number; readonly endFrame: number },
): EncodeChunk[] => {
  const starts = [{ startFrame: 0, startSegment: 0 }]
  for (const [index, frame] of cutFrames.entries()) {
    const isLongEnough = frame - starts.at(-1)!.startFrame >= chunkFrames
    if (isLongEnough && endFrame - frame >= chunkFrames / 2)
      starts.push({ startFrame: frame, startSegment: index + 1 })
  }
  return starts.map((start, number) => ({ ...start, endFrame: starts[number + 1]?.startFrame ?? null }))
}

/**
 * Cuts an encode into chunks of about `chunkSeconds`, each of whole segments, so that what is made of them lies end to end exactly as if it
 * had been made in one run. The duration is a guess: the last chunk takes what is left, and chunks behind the end stay empty.
 */
export const planChunks = (
  {
    frameRate,
    durationSeconds,
    cutFrames,
  }: { frameRate: FrameRate; durationSeconds: number; cutFrames?: readonly number[] | undefined },
  { chunkSeconds, segmentSeconds }: ChunkTarget,
): EncodeChunk[] => {
  if (cutFrames !== undefined) {
    const rate = framesPerSecond(frameRate)
    return planChunksAtCuts(cutFrames, { chunkFrames: chunkSeconds * rate, endFrame: durationSeconds * rate })
  }
  const groups = groupsPerSegment(frameRate, segmentSeconds)
  const segmentFrames = framesPerGroup(frameRate) * groups
  // The first segment is of one group, so that play begins early, and the second of what else it would have held.
  const earlySegments = groups > 1 ? 1 : 0
  const frames = (seconds: number): number => (seconds * frameRate.numerator) / frameRate.denominator
  const chunkSegments = Math.max(1, Math.round(frames(chunkSeconds) / segmentFrames))
  const chunkFrames = chunkSegments * segmentFrames
  // A last chunk of less than half the length goes with the one before it.
  const count = Math.max(1, Math.round(frames(durationSeconds) / chunkFrames))
  return Array.from({ length: count }, (_, number) => ({
    startFrame: number * chunkFrames,
    endFrame: number === count - 1 ? null : (number + 1) * chunkFrames,
    startSegment: number === 0 ? 0 : number * chunkSegments + earlySegments,
  }))
}

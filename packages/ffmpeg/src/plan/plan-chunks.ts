import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'
import { framesOfFirstSegment, framesPerGroup, groupsPerSegment } from './group-of-pictures.ts'
import type { Probe } from '../probe/probe.ts'
import type { VideoCodec } from './ladder.ts'

/** A slice of the encoded output, in frames at the rate of the plan. It starts on a segment boundary. */
export type EncodeChunk = {
  startFrame: number
  /** Exclusive; null = to the end. */
  endFrame: number | null
  /** Number of segments before this chunk. */
  startSegment: number
  /** The source has a key frame at the first frame, and no later frame depends on an earlier one. */
  isAtKeyFrame?: true
  /** No frame of the source depends on one before its key frame. */
  hasClosedGroups?: true
  /** Whether the last picture before the chunk, or within it, is repeated where frames cannot be decoded. Needs an `endFrame`. */
  repeatsPictures?: true
  /** Shows the first picture that can be decoded from the start of the chunk, even if that picture comes later. */
  beginsOnTime?: true
}

export type ChunkTarget = { chunkSeconds: number; segmentSeconds: number }

/**
 * An index locates the previous key frame in these formats. Others are read from the start or seek
 * imprecisely.
 */
const seekableFormats = ['mov', 'mp4', 'matroska', 'webm']

export const canBeCut = ({ formatNames, video }: Probe): boolean =>
  video !== null && formatNames.some((name) => seekableFormats.includes(name))

/** Returns the frame at which a segment of the whole encode begins. Its end is the start of the next one; Infinity = after the last cut. */
export const segmentStartFrame = (
  {
    codec,
    frameRate,
    cutFrames,
  }: { codec: VideoCodec; frameRate: FrameRate; cutFrames?: readonly number[] | undefined },
  segmentSeconds: number,
  index: number,
): number => {
  if (index === 0) return 0
  if (cutFrames !== undefined) return cutFrames[index - 1] ?? Infinity
  const groups = groupsPerSegment(frameRate, segmentSeconds)
  const groupFrames = framesPerGroup(frameRate)
  // The first two segments together are as long as one segment, or as two of a single group.
  if (index === 1) return framesOfFirstSegment(codec, frameRate)
  return groups === 1 ? index * groupFrames : (index - 1) * groupFrames * groups
}

/** Plans chunks for rungs with explicit cuts: each chunk ends at the first cut that makes it long enough. */
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
 * Cuts an encode into chunks of about `chunkSeconds`. Chunks are whole segments, so joining them gives the
 * same segments as a single run. The duration is an estimate: the last chunk takes the rest, and chunks after
 * the end stay empty.
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
  // The first segment is short, so that playback starts early; the second has the rest.
  const earlySegments = groups > 1 ? 1 : 0
  const frames = (seconds: number): number => (seconds * frameRate.numerator) / frameRate.denominator
  const chunkSegments = Math.max(1, Math.round(frames(chunkSeconds) / segmentFrames))
  const chunkFrames = chunkSegments * segmentFrames
  // A last chunk of less than half the length is merged into the previous one.
  const count = Math.max(1, Math.round(frames(durationSeconds) / chunkFrames))
  return Array.from({ length: count }, (_, number) => ({
    startFrame: number * chunkFrames,
    endFrame: number === count - 1 ? null : (number + 1) * chunkFrames,
    startSegment: number === 0 ? 0 : number * chunkSegments + earlySegments,
  }))
}

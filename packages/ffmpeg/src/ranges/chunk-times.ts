import { chunkSeekSeconds } from '../encode/chunk-arguments.ts'
import { framesPerSecond } from '../probe/frame-rate.ts'
import type { EncodeChunk } from '../plan/plan-chunks.ts'
import type { MediaPlan } from '../plan/plan-renditions.ts'
import type { Probe, VideoStream } from '../probe/probe.ts'

/** `end` is the byte after the last. */
export type SourceRange = { start: number; end: number }

/** One chunk of the encode of a source. */
export type SourceChunk = { probe: Probe; plan: MediaPlan; chunk: EncodeChunk }

/** Times on the clock of the file. */
export type ChunkTimes = {
  video: VideoStream
  /** Null when ffmpeg reads from the start. */
  seekSeconds: number | null
  /** Frames displayed before this time are needed; null = all. */
  endSeconds: number | null
}

/** A change of the frame is visible only when the next one is known. */
const framesAfterEnd = 2

/**
 * ffmpeg reads ahead: packets wait in queues, decoders delay frames and work on several at once. Missing bytes
 * there would only cause needless errors.
 */
export const packetsReadAhead = 48

export const chunkTimes = ({ probe, plan, chunk }: SourceChunk): ChunkTimes | null => {
  const { video, startSeconds } = probe
  if (video === null || plan.frameRate === null) return null
  const rate = framesPerSecond(plan.frameRate)
  const seekSeconds = chunkSeekSeconds(chunk, plan.frameRate)
  const { endFrame } = chunk
  return {
    video,
    seekSeconds: seekSeconds === null ? null : seekSeconds + startSeconds,
    endSeconds:
      endFrame === null ? null : (endFrame + framesAfterEnd) / rate + startSeconds + plan.originSeconds,
  }
}

import { framesPerSecond, outputFrameRate } from './frame-rate.ts'
import type { Probe } from './probe.ts'

/** A frame that comes this little too early for its place on the grid has that place. */
const toleratedFrames = 0.01

/**
 * Where zero of the encoded renditions lies, in seconds after the start of the file: on the grid of its pictures. Sound often begins a few
 * milliseconds before them, mostly with what only primes its decoder; a grid from there on would show every picture up to half a frame too early or too late.
 */
export const gridOriginSeconds = ({ video, startSeconds }: Probe): number => {
  if (video === null) return 0
  const frameSeconds = 1 / framesPerSecond(outputFrameRate(video.frameRate))
  const leadSeconds = Math.max(0, video.startSeconds - startSeconds)
  const wholeFrames = Math.floor(leadSeconds / frameSeconds + toleratedFrames)
  return Math.max(0, leadSeconds - wholeFrames * frameSeconds)
}

/** ffmpeg counts in microseconds. */
const leastSeconds = 0.000001

/**
 * Before an input: lets time begin there. Of transport and program streams, ffmpeg would begin with the first of those tracks that a run reads, so
 * that tracks of two runs would not fit together; any offset at all keeps it from that.
 */
export const originArguments = (originSeconds: number): string[] => [
  '-itsoffset',
  (originSeconds < leastSeconds ? leastSeconds : -originSeconds).toFixed(6),
]

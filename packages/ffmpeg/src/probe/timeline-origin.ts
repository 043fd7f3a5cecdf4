import { framesPerSecond, outputFrameRate } from './frame-rate.ts'
import type { Probe } from './probe.ts'

/** A frame that is early by no more than this fraction keeps its position on the grid. */
const toleratedFrames = 0.01

/**
 * Returns zero of the rendition timeline, in seconds after the start of the file, on the frame grid of the
 * video. Audio often starts a few milliseconds earlier, mostly with decoder priming. A grid that starts there
 * would show every frame up to half a frame early or late.
 */
export const gridOriginSeconds = ({ video, startSeconds }: Probe): number => {
  if (video === null) return 0
  const frameSeconds = 1 / framesPerSecond(outputFrameRate(video.frameRate))
  const leadSeconds = Math.max(0, video.startSeconds - startSeconds)
  const wholeFrames = Math.floor(leadSeconds / frameSeconds + toleratedFrames)
  return Math.max(0, leadSeconds - wholeFrames * frameSeconds)
}

/**
 * Returns zero of the timeline of a movie that is served itself, in seconds after the start of the file. In fragmented
 * files with edit lists, ffmpeg counts decoder priming, which is before zero, as part of the file.
 */
export const movieOriginSeconds = ({ startSeconds }: Probe): number => Math.max(0, -startSeconds)

/** Smallest non-zero offset: ffmpeg counts in microseconds. */
const leastSeconds = 0.000001

/**
 * Returns input options that start the timeline at the origin. For formats whose time may jump, ffmpeg 5 otherwise
 * starts at the first track that a run reads, so the tracks of two runs would not align. Any offset prevents that.
 * Newer versions also need `timelineOutput`.
 */
export const originArguments = (originSeconds: number): string[] => [
  '-itsoffset',
  (originSeconds < leastSeconds ? leastSeconds : -originSeconds).toFixed(6),
]

/** Formats whose time may jump, by the names of their demuxers. */
const jumpingFormats = ['mpegts', 'flv', 'ogg']

/**
 * Returns an output that reads all tracks and writes nothing, for the end of the arguments. From version 6 on, ffmpeg
 * starts the timeline of these formats at the first track that a run reads, whatever the offset. Tracks that are
 * announced without data are left out: ffmpeg cannot copy them.
 */
export const timelineOutput = ({ formatNames, video, audio }: Probe): string[] => {
  if (!formatNames.some((name) => jumpingFormats.includes(name))) return []
  const tracks = video === null ? audio : [video, ...audio]
  return [...tracks.flatMap(({ index }) => ['-map', `0:${index}`]), '-c', 'copy', '-f', 'null', '-']
}

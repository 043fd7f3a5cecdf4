import type { VideoStream } from '../probe/probe.ts'

/**
 * Input options for video that is scaled first. By default ffmpeg rebuilds all filters when the frame size or
 * pixel format changes, as in call or window recordings. `fps` then repeats that frame from the start.
 * `scale` handles such changes itself. The rotation that ffmpeg inserts does not, so it is disabled for
 * upright video.
 */
export const steadyFilterArguments = ({ rotationDegrees, isFlipped }: VideoStream): string[] =>
  rotationDegrees === 0 && isFlipped !== true ? ['-noautorotate', '-reinit_filter:v', '0'] : []

/** Scales to one size for filters that support only one; frames of that size pass unchanged. */
export const steadySizeFilter = ({ widthPixels, heightPixels }: VideoStream): string =>
  `scale=${widthPixels}:${heightPixels}:interl=1`

import type { VideoStream } from './probe.ts'

/**
 * Before an input whose pictures are scaled first of all. ffmpeg would make all filters anew when a picture of another size or pixel format
 * comes, as in recordings of a call or of a window; `fps` would then repeat that picture from the beginning on. `scale` takes each as it comes. What
 * ffmpeg itself puts before it to turn pictures upright does not: there they are made anew, and where nothing is turned it shall put nothing.
 */
export const steadyFilterArguments = ({ rotationDegrees }: VideoStream): string[] =>
  rotationDegrees === 0 ? ['-noautorotate', '-reinit_filter:v', '0'] : []

/** Before filters that know one size only; pictures that have it pass untouched. */
export const steadySizeFilter = ({ widthPixels, heightPixels }: VideoStream): string =>
  `scale=${widthPixels}:${heightPixels}:interl=1`

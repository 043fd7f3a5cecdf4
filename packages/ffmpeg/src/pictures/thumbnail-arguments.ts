import { jpegArguments } from './picture-outputs.ts'
import { pipedInputArguments, threadsOfEach } from '../run/safe-arguments.ts'

export type ThumbnailFormat = 'jpeg' | 'webp'

/** Bounding box of the image. Without `cover` the image keeps its aspect ratio and is never enlarged. */
export type ThumbnailBox = {
  widthPixels: number | null
  heightPixels: number | null
  fit: 'contain' | 'cover'
}

/**
 * Seconds between the frames of which pictures are made: the first at this time, the second at twice this
 * time, and so on. So the arguments do not depend on the positions.
 */
export const thumbnailIntervalSeconds = 1_000

/** Each thread beyond the first delays a picture by one frame. */
export const thumbnailThreads = Math.min(3, Number(threadsOfEach(1)))

/** A fragmented MP4 with one track needs no probing beyond its first bytes. */
const input = pipedInputArguments(
  'mov',
  ['-probesize', '32768', '-analyzeduration', '0', '-copyts'],
  ['-threads', String(thumbnailThreads)],
)

/**
 * `dar` includes the pixel aspect ratio, `iw * sar` is the display width, and `ow` and `oh` are the values
 * just computed.
 */
const containFilter = ({ widthPixels, heightPixels }: ThumbnailBox): string => {
  const widths = [
    'iw*sar',
    ...(widthPixels === null ? [] : [String(widthPixels)]),
    ...(heightPixels === null ? [] : [`${heightPixels}*dar`]),
  ]
  const width = widths.reduce((smallest, one) => `min(${smallest},${one})`)
  return `scale=w='max(1,round(${width}))':h='max(1,round(ow/dar))'`
}

const boxFilters = (box: ThumbnailBox): string[] => {
  const { widthPixels: width, heightPixels: height } = box
  if (box.fit !== 'cover' || width === null || height === null) return [containFilter(box), 'setsar=1']
  const scale = `scale=w='max(${width},round(${height}*dar))':h='max(${height},round(ow/dar))'`
  return [scale, 'setsar=1', `crop=${width}:${height}`]
}

const encoders = {
  jpeg: jpegArguments(3),
  webp: ['-c:v', 'libwebp', '-quality', '80', '-compression_level', '2'],
} as const

/**
 * Returns arguments that read fragments from standard input, each starting with a key frame, and write the
 * frames displayed exactly at multiples of the interval to `pipe:3`, one picture after the other. Frames half
 * a second or more after such a time are never written.
 */
export const thumbnailArguments = (format: ThumbnailFormat, box: ThumbnailBox): string[] => {
  const filters = [
    `select='between(t-${thumbnailIntervalSeconds}*(selected_n+1),0,0.499)'`,
    ...boxFilters(box),
    format === 'jpeg' ? 'scale=out_range=pc' : 'scale=out_range=tv',
    'format=yuv420p',
  ]
  return [
    ...input,
    ...['-map', '0:v:0', '-vf', filters.join(','), '-fps_mode', 'passthrough'],
    // Threads would hold pictures back until others follow.
    ...[...encoders[format], '-threads', '1'],
    ...['-flush_packets', '1', '-f', 'image2pipe', 'pipe:3'],
  ]
}

const animationFramesPerSecond = 10

/** Returns arguments that write a looping animated WebP to `pipe:3`, from the same kind of input. */
export const animationArguments = ({
  widthPixels,
  durationSeconds,
}: {
  widthPixels: number
  durationSeconds: number
}): string[] => {
  const filters = [
    `trim=start=${thumbnailIntervalSeconds}:duration=${durationSeconds.toFixed(3)}`,
    'setpts=PTS-STARTPTS',
    `fps=${animationFramesPerSecond}`,
    containFilter({ widthPixels, heightPixels: null, fit: 'contain' }),
    'setsar=1',
    'format=yuv420p',
  ]
  return [
    ...input,
    ...['-map', '0:v:0', '-vf', filters.join(',')],
    ...[
      '-c:v',
      'libwebp_anim',
      '-quality',
      '60',
      '-compression_level',
      '1',
      '-loop',
      '0',
      '-f',
      'webp',
      'pipe:3',
    ],
  ]
}

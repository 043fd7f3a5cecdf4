import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import { fileArgument, maxPicturePixels, threadArguments } from './safe-arguments.ts'
import { scaleFilters, type PictureSize } from './video-filters.ts'

export type StillFormat = 'jpeg' | 'png' | 'webp'

/** A picture that somebody uploaded. */
export type StillInput = {
  inputPath: string
  format: StillFormat
  /** As stored, before it is turned. */
  widthPixels: number
  heightPixels: number
  /** EXIF's number (CIPA DC-008, 4.6.4): 1 is upright. */
  orientation: number
}

export type StillOptions = PicturePaths & StillInput

/** What makes the picture upright, by EXIF's number; ffmpeg's `transpose` counts from the mirrored turn to the left. */
const turns: Record<number, readonly string[]> = {
  2: ['hflip'],
  3: ['hflip', 'vflip'],
  4: ['vflip'],
  5: ['transpose=0'],
  6: ['transpose=1'],
  7: ['transpose=3'],
  8: ['transpose=2'],
}

export const uprightFilters = ({ orientation }: StillInput): readonly string[] => turns[orientation] ?? []

export const uprightSize = ({ widthPixels, heightPixels, orientation }: StillInput): PictureSize =>
  orientation >= 5 && orientation <= 8
    ? { widthPixels: heightPixels, heightPixels: widthPixels }
    : { widthPixels, heightPixels }

/** Read by the demuxer of its format and by no other, and not turned: newer versions of ffmpeg turn pictures by themselves. */
export const stillInputArguments = ({ inputPath, format }: StillInput): string[] => {
  const demuxer = `${format}_pipe`
  return [
    '-nostdin',
    '-y',
    ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer],
    ...['-max_pixels', String(maxPicturePixels), ...threadArguments],
    ...['-noautorotate', '-i', fileArgument(inputPath)],
  ]
}

/** A picture that somebody uploaded, decoded and written anew: on black where it is transparent, and without anything but pixels. */
export const stillArguments = (options: StillOptions): string[] => {
  const poster = posterSize(uprightSize(options))
  const filters = [
    'trim=end_frame=1',
    'sidedata=mode=delete',
    'format=gbrap',
    'premultiply=inplace=1',
    'format=gbrp',
    ...uprightFilters(options),
    ...scaleFilters(poster),
  ]
  return [
    ...stillInputArguments(options),
    '-filter_complex',
    [`[0:v:0]${filters.join(',')}[chosen]`, ...pictureBranches('chosen', poster)].join(';'),
    ...pictureOutputs(options),
  ]
}

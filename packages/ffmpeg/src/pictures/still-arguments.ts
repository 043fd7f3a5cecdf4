import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import { acceptArguments } from '../run/accepted-media.ts'
import { fileArgument, maxPicturePixels, threadArguments } from '../run/safe-arguments.ts'
import { scaleFilters, type PictureSize } from '../filters/video-filters.ts'

export type StillFormat = 'jpeg' | 'png' | 'webp'

export type StillInput = {
  inputPath: string
  format: StillFormat
  /** Stored size, before rotation. */
  widthPixels: number
  heightPixels: number
  /** EXIF orientation (CIPA DC-008, 4.6.4); 1 is upright. */
  orientation: number
}

export type StillOptions = PicturePaths & StillInput

/**
 * Filters that make the image upright, by EXIF orientation. `transpose=0` rotates counterclockwise and flips.
 */
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

const decoders: Readonly<Record<StillFormat, string>> = { jpeg: 'mjpeg', png: 'png', webp: 'webp' }

/**
 * Allows only the demuxer and the decoder of the format. `-noautorotate` is needed because newer ffmpeg versions rotate
 * images themselves.
 */
export const stillInputArguments = ({ inputPath, format }: StillInput): string[] => {
  const demuxer = `${format}_pipe`
  return [
    '-nostdin',
    '-y',
    ...acceptArguments({ protocols: ['file'], formats: [demuxer], decoders: [decoders[format]] }),
    ...['-f', demuxer],
    ...['-max_pixels', String(maxPicturePixels), ...threadArguments],
    ...['-noautorotate', '-i', fileArgument(inputPath)],
  ]
}

/**
 * Returns arguments that re-encode an uploaded image as poster and thumbnail. Transparent parts become black,
 * metadata is removed.
 */
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

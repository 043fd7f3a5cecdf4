import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import { fileArgument, maxPicturePixels, threadArguments } from './safe-arguments.ts'
import { scaleFilters } from './video-filters.ts'

export type StillFormat = 'jpeg' | 'png' | 'webp'

export type StillOptions = PicturePaths & {
  inputPath: string
  format: StillFormat
  /** As stored, before it is turned. */
  widthPixels: number
  heightPixels: number
  /** EXIF's number (CIPA DC-008, 4.6.4): 1 is upright. */
  orientation: number
}

/** What makes the picture upright, by EXIF's number; ffmpeg's `transpose` counts from the mirrored turn to the left. */
const uprightFilters: Record<number, readonly string[]> = {
  2: ['hflip'],
  3: ['hflip', 'vflip'],
  4: ['vflip'],
  5: ['transpose=0'],
  6: ['transpose=1'],
  7: ['transpose=3'],
  8: ['transpose=2'],
}

/** A picture that somebody uploaded, decoded and written anew: on black where it is transparent, and without anything but pixels. */
export const stillArguments = ({
  inputPath,
  format,
  widthPixels,
  heightPixels,
  orientation,
  ...paths
}: StillOptions): string[] => {
  const isTurned = orientation >= 5 && orientation <= 8
  const poster = posterSize(
    isTurned ? { widthPixels: heightPixels, heightPixels: widthPixels } : { widthPixels, heightPixels },
  )
  const filters = [
    'trim=end_frame=1',
    'sidedata=mode=delete',
    'format=gbrap',
    'premultiply=inplace=1',
    'format=gbrp',
    ...(uprightFilters[orientation] ?? []),
    ...scaleFilters(poster),
  ]
  const demuxer = `${format}_pipe`
  return [
    '-nostdin',
    '-y',
    ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer],
    ...['-max_pixels', String(maxPicturePixels), ...threadArguments],
    // Newer versions of ffmpeg turn pictures by themselves.
    ...['-noautorotate', '-i', fileArgument(inputPath)],
    '-filter_complex',
    [`[0:v:0]${filters.join(',')}[chosen]`, ...pictureBranches('chosen', poster)].join(';'),
    ...pictureOutputs(paths),
  ]
}

import { jpegArguments, jpegFilters, pictureOutput } from './picture-outputs.ts'
import { stillInputArguments, uprightFilters, uprightSize, type StillInput } from './still-arguments.ts'
import type { PictureSize } from './video-filters.ts'

/** Players show it half as large at most: sharp on screens of two pixels for one. */
const box = { widthPixels: 640, heightPixels: 320 } as const

/** Upright, and never larger than it was. */
export const logoSize = (picture: StillInput): PictureSize => {
  const { widthPixels, heightPixels } = uprightSize(picture)
  const scale = Math.min(1, box.widthPixels / widthPixels, box.heightPixels / heightPixels)
  return {
    widthPixels: Math.max(1, Math.round(widthPixels * scale)),
    heightPixels: Math.max(1, Math.round(heightPixels * scale)),
  }
}

/** Photographs stay JPEG, which keeps them small; all else becomes a PNG. */
export const logoFormat = ({ format }: Pick<StillInput, 'format'>): 'jpeg' | 'png' =>
  format === 'jpeg' ? 'jpeg' : 'png'

/** A picture that somebody uploaded for the corner of a player, decoded and written anew: transparent where it was, and without anything but pixels. */
export const logoArguments = (options: StillInput & { readonly outputPath: string }): string[] => {
  const size = logoSize(options)
  const isJpeg = logoFormat(options) === 'jpeg'
  const filters = [
    'trim=end_frame=1',
    'sidedata=mode=delete',
    'format=gbrap',
    // Scaled as it would be seen, or the edges would take colour from what is transparent beside them.
    'premultiply=inplace=1',
    ...uprightFilters(options),
    `scale=${size.widthPixels}:${size.heightPixels}`,
    'setsar=1',
    ...(isJpeg ? [jpegFilters(size)] : ['unpremultiply=inplace=1', 'format=rgba']),
  ]
  return [
    ...stillInputArguments(options),
    ...['-filter_complex', `[0:v:0]${filters.join(',')}[logo]`],
    ...pictureOutput('[logo]', options.outputPath, isJpeg ? jpegArguments(2) : ['-c:v', 'png']),
  ]
}

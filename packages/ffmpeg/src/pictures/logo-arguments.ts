import { jpegArguments, jpegFilters, pictureOutput } from './picture-outputs.ts'
import { stillInputArguments, uprightFilters, uprightSize, type StillInput } from './still-arguments.ts'
import type { PictureSize } from '../filters/video-filters.ts'

/** Players display the logo at half this size at most, so it is sharp on high-density screens. */
const box = { widthPixels: 640, heightPixels: 320 } as const

/** Returns the upright size in the box, never larger than the original. */
export const logoSize = (picture: StillInput): PictureSize => {
  const { widthPixels, heightPixels } = uprightSize(picture)
  const scale = Math.min(1, box.widthPixels / widthPixels, box.heightPixels / heightPixels)
  return {
    widthPixels: Math.max(1, Math.round(widthPixels * scale)),
    heightPixels: Math.max(1, Math.round(heightPixels * scale)),
  }
}

/** JPEG stays JPEG, which keeps photographs small; other formats become PNG. */
export const logoFormat = ({ format }: Pick<StillInput, 'format'>): 'jpeg' | 'png' =>
  format === 'jpeg' ? 'jpeg' : 'png'

/** Returns arguments that re-encode an uploaded player logo. Transparency is kept, metadata is removed. */
export const logoArguments = (options: StillInput & { readonly outputPath: string }): string[] => {
  const size = logoSize(options)
  const isJpeg = logoFormat(options) === 'jpeg'
  const filters = [
    'trim=end_frame=1',
    'sidedata=mode=delete',
    'format=gbrap',
    // Premultiplied alpha keeps the color of transparent pixels out of the edges.
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

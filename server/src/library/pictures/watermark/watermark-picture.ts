import { checkPngPixels } from '../read/check-png-pixels.ts'
import { PictureError } from '../read/picture-error.ts'
import { readPicture } from '../read/read-picture.ts'

/** Small, because every encode reads it first. */
export const watermarkLimit = { maxBytes: 512 * 1024, maxText: '512 KiB' } as const
/** Enough for 8K at the default width of 15 %. */
const maxPixels = 1_000_000

export interface WatermarkPicture {
  /** PNG without metadata. */
  readonly bytes: Buffer
  readonly widthPixels: number
  readonly heightPixels: number
}

/** Reads an uploaded watermark; its bytes decide the format. Throws PictureError. */
export const readWatermarkPicture = (sent: Buffer): WatermarkPicture => {
  if (sent.length > watermarkLimit.maxBytes)
    throw new PictureError(`is larger than ${watermarkLimit.maxText}; make it smaller`)
  const { format, bytes, widthPixels, heightPixels } = readPicture(sent)
  if (format !== 'png') throw new PictureError('is no PNG; a watermark has to be one')
  if (widthPixels * heightPixels > maxPixels)
    throw new PictureError(`has ${widthPixels} × ${heightPixels} pixels; a watermark may have one million`)
  checkPngPixels(bytes)
  return { bytes, widthPixels, heightPixels }
}

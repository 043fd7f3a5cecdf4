import { issue } from '../../../platform/base/problem.ts'
import { checkPngPixels } from '../read/check-png-pixels.ts'
import { PictureError } from '../read/picture-error.ts'
import { readPicture } from '../read/read-picture.ts'

/** Small, because every encode reads it first. */
export const watermarkLimit = { maxBytes: 512 * 1024, maxText: '512 KiB' } as const
/** Enough for 8K at the default width of 15 %. */
const maxPixels = 1_000_000
const pngSignature = '\x89PNG\r\n\x1a\n'

export interface WatermarkPicture {
  /** PNG without metadata. */
  readonly bytes: Buffer
  readonly widthPixels: number
  readonly heightPixels: number
}

/** Reads an uploaded watermark; its bytes decide the format. Throws PictureError. */
export const readWatermarkPicture = (sent: Buffer): WatermarkPicture => {
  if (sent.length > watermarkLimit.maxBytes)
    throw new PictureError(issue('picture_too_large', { limit: watermarkLimit.maxText }))
  if (sent.toString('latin1', 0, pngSignature.length) !== pngSignature)
    throw new PictureError(issue('watermark_not_png'))
  const { bytes, widthPixels, heightPixels } = readPicture(sent)
  if (widthPixels * heightPixels > maxPixels)
    throw new PictureError(issue('watermark_too_many_pixels', { width: widthPixels, height: heightPixels }))
  checkPngPixels(bytes)
  return { bytes, widthPixels, heightPixels }
}

import { issue } from '../../../platform/base/problem.ts'
import { PictureError } from './picture-error.ts'
import { readJpeg } from './read-jpeg.ts'
import { readPng } from './read-png.ts'
import { readWebp } from './read-webp.ts'
import type { UploadedPicture } from './uploaded-picture.ts'

/** The limit of the decoder. */
const maxPixels = 50_000_000
const minSidePixels = 16
/** Longer strips make no useful poster. */
const maxRatio = 10

/** Marks of web pages, long enough that no picture holds one by chance. */
const pageMarks = ['<script', '<!doctype', '<html>', '<html ', '<svg xmlns', '<?php '] as const

const readerOf = (bytes: Buffer): ((bytes: Buffer) => UploadedPicture) | null => {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\xff\xd8\xff')) return readJpeg
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return readPng
  if (start.startsWith('RIFF') && start.endsWith('WEBP') && start.length === 12) return readWebp
  return null
}

/**
 * Reads a picture without decoding it. Its bytes decide the format, whatever type the client declares. Throws
 * PictureError for other formats and for animated or damaged pictures. Also throws it for sizes out of range
 * and for files that hold parts of a web page.
 */
export const readPicture = (bytes: Buffer): UploadedPicture => {
  const read = readerOf(bytes)
  if (read === null) throw new PictureError(issue('picture_type_unknown'))
  const picture = read(bytes)
  const { widthPixels, heightPixels } = picture
  const [short, long] = [Math.min(widthPixels, heightPixels), Math.max(widthPixels, heightPixels)]
  if (short < minSidePixels)
    throw new PictureError(
      issue('picture_too_small', { width: widthPixels, height: heightPixels, min: minSidePixels }),
    )
  if (widthPixels * heightPixels > maxPixels)
    throw new PictureError(
      issue('picture_too_many_pixels', {
        width: widthPixels,
        height: heightPixels,
        megapixels: maxPixels / 1_000_000,
      }),
    )
  if (long > short * maxRatio)
    throw new PictureError(
      issue('picture_too_long', { width: widthPixels, height: heightPixels, ratio: maxRatio }),
    )
  const text = bytes.toString('latin1').toLowerCase()
  if (pageMarks.some((mark) => text.includes(mark))) throw new PictureError(issue('picture_contains_page'))
  return picture
}

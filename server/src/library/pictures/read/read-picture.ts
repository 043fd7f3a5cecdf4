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
  if (read === null) throw new PictureError('is no JPEG, PNG or WebP; send one of these')
  const picture = read(bytes)
  const { widthPixels, heightPixels } = picture
  const [short, long] = [Math.min(widthPixels, heightPixels), Math.max(widthPixels, heightPixels)]
  if (short < minSidePixels)
    throw new PictureError(
      `has ${widthPixels} × ${heightPixels} pixels; it needs ${minSidePixels} each way at least`,
    )
  if (widthPixels * heightPixels > maxPixels)
    throw new PictureError(
      `has ${widthPixels} × ${heightPixels} pixels; ${maxPixels / 1_000_000} megapixels are allowed`,
    )
  if (long > short * maxRatio)
    throw new PictureError(
      `has ${widthPixels} × ${heightPixels} pixels; one side may be ${maxRatio} times the other at most`,
    )
  const text = bytes.toString('latin1').toLowerCase()
  if (pageMarks.some((mark) => text.includes(mark)))
    throw new PictureError('holds parts of a web page; save it anew with an image program')
  return picture
}

import { readOrientation } from './exif-orientation.ts'
import { issue } from '../../../platform/base/problem.ts'
import { PictureError } from './picture-error.ts'
import type { UploadedPicture } from './uploaded-picture.ts'

const signatureBytes = 8
/** Chunks needed for decoding. Text and colour profiles are compressed and may expand without limit. */
const drawn = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'])

/**
 * Reads a PNG without metadata (W3C PNG 5.3). Drops bytes after the end of the image. Throws PictureError.
 */
export const readPng = (bytes: Buffer): UploadedPicture => {
  const kept: Buffer[] = [bytes.subarray(0, signatureBytes)]
  let size: { widthPixels: number; heightPixels: number } | null = null
  let orientation = 1
  let hasImage = false
  for (let at = signatureBytes; ;) {
    if (at + 12 > bytes.length) throw new PictureError(issue('picture_truncated'))
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (end > bytes.length) throw new PictureError(issue('picture_truncated'))
    const isFirst = at === signatureBytes
    if (isFirst !== (type === 'IHDR') || (isFirst && length !== 13))
      throw new PictureError(issue('picture_damaged'))
    if (isFirst) size = { widthPixels: bytes.readUInt32BE(at + 8), heightPixels: bytes.readUInt32BE(at + 12) }
    if (type === 'acTL') throw new PictureError(issue('picture_animated'))
    if (type === 'eXIf') orientation = readOrientation(bytes.subarray(at + 8, end - 4))
    if (type === 'IDAT') hasImage = true
    if (drawn.has(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') break
    at = end
  }
  if (size === null || !hasImage) throw new PictureError(issue('picture_damaged'))
  return { format: 'png', bytes: Buffer.concat(kept), ...size, orientation }
}

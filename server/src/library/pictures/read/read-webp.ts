import { readOrientation } from './exif-orientation.ts'
import { issue } from '../../../platform/base/problem.ts'
import { PictureError } from './picture-error.ts'
import type { UploadedPicture } from './uploaded-picture.ts'

const headerBytes = 12
const drawn = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L'])
/**
 * Flags of the extended header: animation is rejected, alpha is kept, and those of metadata and profile are
 * cleared.
 */
const animationFlag = 0x02
const alphaFlag = 0x10
const exifSignature = 'Exif\0\0'

interface Size {
  readonly widthPixels: number
  readonly heightPixels: number
}

const damaged = () => new PictureError(issue('picture_damaged'))

/** Reads the size of a key frame: 14 bits per side after a start code (RFC 6386 9.1). */
const lossySize = (chunk: Buffer): Size => {
  if (chunk.length < 10 || chunk.readUIntBE(3, 3) !== 0x9d012a) throw damaged()
  return { widthPixels: chunk.readUInt16LE(6) & 0x3fff, heightPixels: chunk.readUInt16LE(8) & 0x3fff }
}

/** Reads the size of a lossless image: 14 bits per side, each one less than the size (RFC 9649 3.4). */
const losslessSize = (chunk: Buffer): Size => {
  if (chunk.length < 5 || chunk[0] !== 0x2f) throw damaged()
  const bits = chunk.readUInt32LE(1)
  return { widthPixels: (bits & 0x3fff) + 1, heightPixels: ((bits >>> 14) & 0x3fff) + 1 }
}

const orientationOf = (chunk: Buffer): number =>
  readOrientation(chunk.toString('latin1', 0, 6) === exifSignature ? chunk.subarray(6) : chunk)

/**
 * Reads a WebP without metadata (RFC 9649). Drops bytes after the end of the container. Throws PictureError.
 */
export const readWebp = (bytes: Buffer): UploadedPicture => {
  const end = bytes.readUInt32LE(4) + 8
  if (end > bytes.length) throw new PictureError(issue('picture_truncated'))
  const kept: Buffer[] = []
  let size: Size | null = null
  let orientation = 1
  for (let at = headerBytes; at + 8 <= end;) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    // Chunks are padded to an even length.
    const next = at + 8 + length + (length % 2)
    if (at + 8 + length > end) throw new PictureError(issue('picture_truncated'))
    const chunk = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'ANIM' || type === 'ANMF' || (type === 'VP8X' && ((chunk[0] ?? 0) & animationFlag) !== 0))
      throw new PictureError(issue('picture_animated'))
    if (type === 'EXIF') orientation = orientationOf(chunk)
    if (type === 'VP8 ' || type === 'VP8L') {
      if (size !== null) throw new PictureError(issue('picture_has_several_images'))
      size = type === 'VP8 ' ? lossySize(chunk) : losslessSize(chunk)
    }
    if (drawn.has(type)) {
      const copy = Buffer.alloc(next - at)
      bytes.copy(copy, 0, at, at + 8 + length)
      if (type === 'VP8X' && length > 0) copy[8] = (copy[8] ?? 0) & alphaFlag
      kept.push(copy)
    }
    at = next
  }
  if (size === null) throw damaged()
  const body = Buffer.concat(kept)
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  header.writeUInt32LE(body.length + 4, 4)
  return { format: 'webp', bytes: Buffer.concat([header, body]), ...size, orientation }
}

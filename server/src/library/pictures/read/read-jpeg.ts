import { readOrientation } from './exif-orientation.ts'
import { issue } from '../../../platform/base/problem.ts'
import { PictureError } from './picture-error.ts'
import type { UploadedPicture } from './uploaded-picture.ts'

/** Marker codes (ITU-T T.81, table B.1). */
const startOfScan = 0xda
const endOfImage = 0xd9
const app1 = 0xe1
/** Adobe segment: names the colour encoding of some files. */
const app14 = 0xee
/** Quantization tables, Huffman tables and the restart interval. */
const tables = new Set([0xdb, 0xc4, 0xdd])
/** Baseline, extended and progressive frames, which are the kinds in common use. */
const frameHeaders = new Set([0xc0, 0xc1, 0xc2])
const otherFrameHeaders = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const exifSignature = 'Exif\0\0'

const cutOff = () => new PictureError(issue('picture_truncated'))

/**
 * Returns the end of the entropy-coded bytes after `from`: the first marker that is neither a stuffed zero
 * nor a restart (B.1.1.5).
 */
const endOfScan = (bytes: Buffer, from: number): number => {
  // Scans byte by byte: an indexOf call for every stuffed zero would block other requests.
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  throw cutOff()
}

/** Reads a JPEG without metadata. Drops bytes after the end of the image. Throws PictureError. */
export const readJpeg = (bytes: Buffer): UploadedPicture => {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let size: { widthPixels: number; heightPixels: number } | null = null
  let orientation = 1
  let at = 2
  for (;;) {
    // Any number of 0xff fill bytes may precede a marker (B.1.1.2).
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
    const marker = bytes[at + 1]
    if (marker === undefined) throw cutOff()
    if (bytes[at] !== 0xff) throw new PictureError(issue('picture_damaged'))
    if (marker === endOfImage) break
    if (at + 4 > bytes.length) throw cutOff()
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2) throw new PictureError(issue('picture_damaged'))
    if (end > bytes.length) throw cutOff()
    if (otherFrameHeaders.has(marker)) throw new PictureError(issue('jpeg_type_unusual'))
    if (frameHeaders.has(marker)) {
      if (length < 8 || size !== null) throw new PictureError(issue('picture_damaged'))
      size = { heightPixels: bytes.readUInt16BE(at + 5), widthPixels: bytes.readUInt16BE(at + 7) }
    }
    if (marker === app1 && bytes.toString('latin1', at + 4, at + 10) === exifSignature)
      orientation = readOrientation(bytes.subarray(at + 10, end))
    const next = marker === startOfScan ? endOfScan(bytes, end) : end
    if (marker === startOfScan || marker === app14 || tables.has(marker) || frameHeaders.has(marker))
      kept.push(bytes.subarray(at, next))
    at = next
  }
  if (size === null) throw new PictureError(issue('picture_damaged'))
  kept.push(Buffer.from([0xff, endOfImage]))
  return { format: 'jpeg', bytes: Buffer.concat(kept), ...size, orientation }
}

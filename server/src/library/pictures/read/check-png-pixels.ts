import { crc32, inflateSync } from 'node:zlib'
import { issue } from '../../../platform/base/problem.ts'
import { PictureError } from './picture-error.ts'

/** Channels by colour type (W3C PNG 11.2.1); a palette image has one. */
const channelsOf: Record<number, number | undefined> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Start and spacing of the pixels of each Adam7 pass (W3C PNG 8.2). */
const interlacedPasses = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]
const wholePass = [{ x: 0, y: 0, dx: 1, dy: 1 }]

const damaged = () => new PictureError(issue('picture_damaged'))

const chunksOf = (png: Buffer): { type: string; body: Buffer }[] => {
  const chunks: { type: string; body: Buffer }[] = []
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) throw damaged()
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

const inflate = (bytes: Buffer, maxOutputLength: number): Buffer => {
  try {
    return inflateSync(bytes, { maxOutputLength })
  } catch {
    throw damaged()
  }
}

/**
 * Checks that every pixel of a PNG from `readPng` can be decoded: an undecodable watermark would fail every
 * encode of its project. Allocates as many bytes as the decoded picture has. Throws PictureError.
 */
export const checkPngPixels = (png: Buffer): void => {
  const chunks = chunksOf(png)
  const header = chunks[0]?.body
  if (header?.length !== 13) throw damaged()
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colourType = 0, , , interlace = 0] = header.subarray(8)
  const channels = channelsOf[colourType]
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth)) throw damaged()
  if (colourType === 3 && !chunks.some(({ type }) => type === 'PLTE')) throw damaged()
  const rows = (interlace === 1 ? interlacedPasses : wholePass)
    .map(({ x, y, dx, dy }) => ({
      count: Math.ceil((height - y) / dy),
      bytes: Math.ceil((Math.ceil((width - x) / dx) * channels * depth) / 8),
    }))
    .filter(({ count, bytes }) => count > 0 && bytes > 0)
  // A filter byte precedes each row (W3C PNG 7.3).
  const expected = rows.reduce((sum, { count, bytes }) => sum + count * (1 + bytes), 0)
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body))
  if (inflate(data, expected).length !== expected) throw damaged()
}

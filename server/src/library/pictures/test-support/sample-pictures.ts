import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'

const run = promisify(execFile)

const ffmpeg = async (extension: string, args: readonly string[]): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-picture-'))
  const path = join(folder, `picture.${extension}`)
  try {
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...args, path])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const makePicture = ({
  extension,
  size,
  isCornerWhite = false,
}: {
  readonly extension: string
  readonly size: string
  /** True draws the upper left quarter white and the rest black; false draws a test picture. */
  readonly isCornerWhite?: boolean
}): Promise<Buffer> =>
  ffmpeg(extension, [
    ...['-f', 'lavfi', '-i'],
    isCornerWhite
      ? `color=black:size=${size},format=gray,geq=lum='255*lt(X,W/2)*lt(Y,H/2)'`
      : `testsrc2=size=${size}`,
    ...['-frames:v', '1', '-update', '1'],
    ...(extension === 'jpg' ? ['-pix_fmt', 'yuvj420p'] : []),
  ])

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Adds an orientation and private words to a JPEG, as a camera does. */
export const withExif = (jpeg: Buffer, orientation: number, words: string): Buffer => {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*\0\0\0\b\0\x01', 'latin1')
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(words)])),
    segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${words}</x:xmpmeta>`)),
    segment(0xfe, Buffer.from(words)),
    jpeg.subarray(2),
  ])
}

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Makes an 8-bit greyscale PNG with any size in its header. */
const pngOf = (widthPixels: number, heightPixels: number, ...chunks: Buffer[]): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPixels, 0)
  header.writeUInt32BE(heightPixels, 4)
  header[8] = 8
  return Buffer.concat([pngSignature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))])
}

const greyRows = (widthPixels: number, heightPixels: number): Buffer =>
  chunk('IDAT', deflateSync(Buffer.alloc((widthPixels + 1) * heightPixels)))

const riff = (...chunks: [type: string, content: Buffer][]): Buffer => {
  const body = Buffer.concat(
    chunks.map(([type, content]) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32LE(content.length, 4)
      return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
    }),
  )
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

const resized = (jpeg: Buffer, widthPixels: number, heightPixels: number): Buffer => {
  const copy = Buffer.from(jpeg)
  const at = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(heightPixels, at + 5)
  copy.writeUInt16BE(widthPixels, at + 7)
  return copy
}

/** Uploads from hostile clients, none of which may become a picture. */
export const hostilePictures = async (): Promise<[name: string, bytes: Buffer][]> => {
  const jpeg = await makePicture({ extension: 'jpg', size: '64x64' })
  const png = await makePicture({ extension: 'png', size: '64x64' })
  const webp = await makePicture({ extension: 'webp', size: '64x64' })
  const animatedPng = await ffmpeg('apng', ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=1'])
  const animatedWebp = await ffmpeg('webp', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=1:rate=5', '-c:v', 'libwebp_anim'],
  ])
  const gif = await ffmpeg('gif', ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=0.2'])
  const bmp = await makePicture({ extension: 'bmp', size: '64x64' })
  const mp4 = await ffmpeg('mp4', ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:duration=0.2'])
  const text = (words: string): Buffer => Buffer.from(words)
  const behind = (bytes: Buffer, words: string): Buffer => Buffer.concat([bytes, text(words)])
  const wide = Buffer.alloc(10)
  wide.writeUIntBE(0x9d012a, 3, 3)
  wide.writeUInt16LE(16_383, 6)
  wide.writeUInt16LE(16_383, 8)
  return [
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['text', text('hello')],
    ['zeros', Buffer.alloc(100_000)],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['SVG with an XML declaration', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', text('<!doctype html><script>alert(1)</script>')],
    ['a playlist for ffmpeg', text('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
    ['a concat script for ffmpeg', text('ffconcat version 1.0\nfile /etc/passwd\n')],
    ['ImageMagick drawing', text('push graphic-context\nimage over 0,0 0,0 "/etc/passwd"\n')],
    ['PostScript', text('%!PS\n(/etc/passwd) run\n')],
    ['PDF', text('%PDF-1.4\n')],
    ['GIF', gif],
    ['BMP', bmp],
    ['MP4', mp4],
    ['zip', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaa', 'latin1')],
    ['a JPEG with a page behind it', behind(jpeg, '<html ><script>alert(1)</script>')],
    [
      'a JPEG with a page in its comment',
      Buffer.concat([
        jpeg.subarray(0, 2),
        segment(0xfe, text('<script>alert(1)</script>')),
        jpeg.subarray(2),
      ]),
    ],
    ['a PNG with a page behind it', behind(png, '<!DOCTYPE html><p>')],
    ['a PNG with a page in its text', pngOf(64, 64, chunk('tEXt', text('a\0<script>')), greyRows(64, 64))],
    ['a WebP with a page behind it', behind(webp, '<ScRiPt>alert(1)</ScRiPt>')],
    ['a JPEG that is cut off', jpeg.subarray(0, jpeg.length / 2)],
    ['a JPEG without its end', jpeg.subarray(0, jpeg.length - 2)],
    ['the start of a JPEG', jpeg.subarray(0, 4)],
    ['a JPEG of markers only', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)])],
    ['a JPEG with an empty segment', Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 0, 0xff, 0xd9])],
    ['a JPEG of no height', resized(jpeg, 64, 0)],
    ['a JPEG of 65535 × 65535', resized(jpeg, 65_535, 65_535)],
    ['a JPEG that is a long strip', resized(jpeg, 10_000, 16)],
    [
      'a JPEG whose tables are noise',
      Buffer.concat([jpeg.subarray(0, 2), segment(0xdb, Buffer.alloc(500, 7)), jpeg.subarray(-2)]),
    ],
    ['a PNG that is cut off', png.subarray(0, png.length / 2)],
    ['a PNG without image', pngOf(64, 64)],
    ['a PNG of 100000 × 100000', pngOf(100_000, 100_000, greyRows(64, 64))],
    ['a PNG of 2^31 × 1', pngOf(2_147_483_648, 1, greyRows(64, 64))],
    ['a PNG of no size', pngOf(0, 0, greyRows(1, 1))],
    ['a PNG of one pixel', pngOf(1, 1, greyRows(1, 1))],
    ['a PNG whose image is noise', pngOf(64, 64, chunk('IDAT', Buffer.alloc(500, 7)))],
    [
      'a PNG whose chunk has a false length',
      Buffer.concat([pngSignature, Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.alloc(100)]),
    ],
    ['a PNG without header', Buffer.concat([pngSignature, greyRows(64, 64), chunk('IEND', Buffer.alloc(0))])],
    ['an animated PNG', animatedPng],
    ['an animated WebP', animatedWebp],
    ['a WebP of 268 megapixels', riff(['VP8 ', wide])],
    ['a WebP without image', riff(['VP8X', Buffer.alloc(10)])],
    ['a WebP with two images', riff(['VP8 ', wide], ['VP8 ', wide])],
    ['a WebP that is cut off', webp.subarray(0, webp.length / 2)],
    ['a WebP that claims 4 GiB', Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8 ', 'latin1')],
    ['the start of a WebP', webp.subarray(0, 12)],
  ]
}

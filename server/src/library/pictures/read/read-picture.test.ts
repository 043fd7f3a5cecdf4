import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { PictureError } from './picture-error.ts'
import { readPicture } from './read-picture.ts'
import { hostilePictures, makePicture, withExif } from '../test-support/sample-pictures.ts'

const pictures: Record<string, Buffer> = {}

beforeAll(async () => {
  for (const extension of ['jpg', 'png', 'webp'])
    pictures[extension] = await makePicture({ extension, size: '80x60' })
})

const bytesOf = (extension: string): Buffer => pictures[extension] ?? Buffer.alloc(0)

test.each([
  ['jpg', 'jpeg'],
  ['png', 'png'],
  ['webp', 'webp'],
])('detects a %s by its bytes and reads its size', (extension, format) => {
  expect(readPicture(bytesOf(extension))).toMatchObject({
    format,
    widthPixels: 80,
    heightPixels: 60,
    orientation: 1,
  })
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'reads orientation %i and drops all other camera metadata',
  (orientation) => {
    const picture = readPicture(withExif(bytesOf('jpg'), orientation, 'Secret place'))
    expect(picture.orientation).toBe(orientation)
    expect(picture.bytes.toString('latin1')).not.toMatch(/Exif|Secret|adobe/)
  },
)

test.each([0, 9, 65_535])('treats the invalid orientation %i as upright', (orientation) => {
  expect(readPicture(withExif(bytesOf('jpg'), orientation, '')).orientation).toBe(1)
})

test.each(['jpg', 'png', 'webp'])('removes the bytes after the end of a %s', (extension) => {
  const bytes = Buffer.concat([bytesOf(extension), Buffer.from('a trailer of the camera')])
  expect(readPicture(bytes).bytes.toString('latin1')).not.toContain('trailer')
})

test('rejects hostile pictures, or reduces them to pixel data', async () => {
  for (const [name, bytes] of await hostilePictures()) {
    let kept: Buffer
    try {
      kept = readPicture(bytes).bytes
    } catch (error) {
      expect(`${name}: ${(error as Error).name}`).toBe(`${name}: PictureError`)
      continue
    }
    expect(name).toMatch(/noise/)
    expect(kept.length).toBeLessThanOrEqual(bytes.length)
  }
})

describe('arbitrary input', () => {
  const isReadOrRefused = (bytes: Buffer): void => {
    try {
      const { widthPixels, heightPixels, orientation, bytes: kept } = readPicture(bytes)
      expect(widthPixels * heightPixels).toBeLessThanOrEqual(50_000_000)
      expect(orientation).toBeGreaterThanOrEqual(1)
      expect(orientation).toBeLessThanOrEqual(8)
      expect(readPicture(kept)).toMatchObject({ widthPixels, heightPixels })
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
    }
  }

  test('is read or rejected after the first bytes of a picture', () => {
    const starts = [
      Buffer.from([0xff, 0xd8, 0xff]),
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
      Buffer.from('RIFF\x40\0\0\0WEBPVP8X', 'latin1'),
      Buffer.alloc(0),
    ]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        isReadOrRefused(Buffer.concat([start, rest]))
      }),
      { numRuns: 5_000 },
    )
  })

  test('is read or rejected when a picture is truncated or has changed bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('jpg', 'png', 'webp', 'exif'),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
        fc.nat(),
        (extension, changes, length) => {
          const source = extension === 'exif' ? withExif(bytesOf('jpg'), 6, 'x') : bytesOf(extension)
          const bytes = Buffer.from(source)
          // Mostly near the front, where the structure is.
          for (const [at, value] of changes) bytes[at % (at % 3 === 0 ? bytes.length : 120)] = value
          isReadOrRefused(length % 4 === 0 ? bytes.subarray(0, length % bytes.length) : bytes)
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

test.each([
  ['markers', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(20_000_000, 0xff)])],
  [
    'stuffed zeros',
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]),
      Buffer.alloc(20_000_000, Buffer.from([0xff, 0])),
    ]),
  ],
  ['empty chunks', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20_000_000)])],
])('rejects 20 megabytes of %s within a second', (_what, bytes) => {
  // Measures the CPU time of this thread, because the machine may be busy with other tests.
  const { user: startMicroseconds } = process.threadCpuUsage()
  expect(() => readPicture(bytes)).toThrow(PictureError)
  expect(process.threadCpuUsage().user - startMicroseconds).toBeLessThan(1_000_000)
})

import { expect, test } from 'vitest'
import { joinInitSegments, readMovie, writeAacSampleEntry, writeInitSegment } from '../index.ts'
import { u32, writeBox } from '../boxes/write-box.ts'

const upright = { rotationDegrees: 0, pixelAspectRatio: [1, 1], language: 'und' } as const
const video = writeInitSegment({
  kind: 'video',
  timescale: 90_000,
  sampleEntry: writeBox('avc1', Buffer.alloc(24), u32((320 << 16) | 180), Buffer.alloc(50)),
  ...{ widthPixels: 320, heightPixels: 180 },
  ...upright,
})
const sound = (trackId?: number) =>
  writeInitSegment(
    {
      kind: 'audio',
      timescale: 48_000,
      sampleEntry: writeAacSampleEntry(48_000, 2),
      ...{ widthPixels: 0, heightPixels: 0 },
      ...upright,
    },
    trackId,
  )

test('joinInitSegments merges two init segments into one with both tracks', async () => {
  const joined = joinInitSegments([video, sound(2)])!
  const { tracks } = await readMovie({
    sizeBytes: joined.length,
    read: async (offset, length) => joined.subarray(offset, offset + length),
  })
  expect(tracks.map(({ id, kind, timescale }) => [id, kind, timescale])).toEqual([
    [1, 'video', 90_000],
    [2, 'audio', 48_000],
  ])
})

test('joinInitSegments returns null for tracks with the same id', () => {
  expect(joinInitSegments([video, sound()])).toBeNull()
})

import { expect, test } from 'vitest'
import { readFullBox } from '../boxes/fields.ts'
import { findBox, readBoxes, requireBox } from '../boxes/box.ts'
import {
  measureMediaSegment,
  readMediaSegmentHead,
  readMovie,
  writeInitSegment,
  writeMediaSegment,
  type SampleTable,
} from '../index.ts'
import { u32, writeBox } from '../boxes/write-box.ts'

const init = writeInitSegment({
  kind: 'video',
  timescale: 30_000,
  sampleEntry: writeBox('avc1', Buffer.alloc(24), u32((320 << 16) | 180), Buffer.alloc(50)),
  widthPixels: 320,
  heightPixels: 180,
  rotationDegrees: 270,
  pixelAspectRatio: [1, 1],
  language: 'deu',
})

const tableOf = (
  samples: readonly { size: number; duration: number; offset: number; isSync: boolean }[],
): SampleTable => {
  const durations = samples.map((sample) => sample.duration)
  return {
    count: samples.length,
    offsets: new Float64Array(samples.length),
    sizes: Uint32Array.from(samples, (sample) => sample.size),
    decodeTimes: Float64Array.from(samples, (_, index) =>
      durations.slice(0, index).reduce((sum, ticks) => sum + ticks, 0),
    ),
    durations: Uint32Array.from(durations),
    compositionOffsets: Int32Array.from(samples, (sample) => sample.offset),
    isSync: Uint8Array.from(samples, (sample) => (sample.isSync ? 1 : 0)),
  }
}

const varied = [
  { size: 3, duration: 1001, offset: 2002, isSync: true },
  { size: 0, duration: 1002, offset: 0, isSync: false },
  { size: 5, duration: 1001, offset: 1001, isSync: false },
]
const alike = [1, 2, 3].map((size) => ({ size, duration: 1024, offset: 0, isSync: true }))

test.each([
  ['samples that differ in all', varied],
  ['samples that are alike but for their size', alike],
])('%s survive a write and read round trip', async (_name, samples) => {
  const table = tableOf(samples)
  const data = Buffer.from('0123456789').subarray(
    0,
    samples.reduce((sum, { size }) => sum + size, 0),
  )
  const range = { firstSample: 0, sampleCount: 3 }
  const parts = writeMediaSegment({
    ...range,
    sequenceNumber: 1,
    baseDecodeTime: 2 ** 40,
    table,
    data: [data],
  })
  const segment = Buffer.concat(parts)
  expect(measureMediaSegment(table, range)).toEqual({
    sizeBytes: segment.length,
    firstSampleEndBytes: parts[0]!.length + samples[0]!.size,
  })
  const file = Buffer.concat([init, segment])
  const movie = await readMovie({
    sizeBytes: file.length,
    read: async (offset, length) => file.subarray(offset, offset + length),
  })
  const [track] = movie.tracks
  expect(track).toMatchObject({
    id: 1,
    timescale: 30_000,
    language: 'deu',
    rotationDegrees: 270,
    widthPixels: 320,
  })
  const { offsets, ...columns } = track!.samples
  const { offsets: _, ...expected } = table
  expect(columns).toEqual({ ...expected, decodeTimes: table.decodeTimes.map((ticks) => ticks + 2 ** 40) })
  expect(file.subarray(offsets[0], offsets[2]! + table.sizes[2]!).equals(data)).toBe(true)
})

test('writeInitSegment writes no edit list and no samples', () => {
  const moov = readBoxes(requireBox(readBoxes(init), 'moov').body)
  const trak = readBoxes(requireBox(moov, 'trak').body)
  expect(findBox(trak, 'edts')).toBeUndefined()
  expect(findBox(moov, 'mvex')).toBeDefined()
  expect(readFullBox(requireBox(moov, 'mvhd').body).version).toBe(0)
})

test('writeMediaSegment throws RangeError for mismatched data and negative composition offsets', () => {
  const base = { firstSample: 0, sampleCount: 3, sequenceNumber: 1, baseDecodeTime: 0 }
  expect(() => writeMediaSegment({ ...base, table: tableOf(alike), data: [] })).toThrow(RangeError)
  const early = tableOf(varied.map((sample) => ({ ...sample, offset: -1 })))
  expect(() => writeMediaSegment({ ...base, table: early, data: [Buffer.alloc(8)] })).toThrow(RangeError)
})

test('refuses a segment with more samples than expected before it makes room for them', () => {
  const [head] = writeMediaSegment({
    ...{ sequenceNumber: 1, baseDecodeTime: 0, table: tableOf(alike), firstSample: 0, sampleCount: 3 },
    data: [Buffer.alloc(6)],
  })
  const moof = head!.subarray(0, -8)
  expect(readMediaSegmentHead(moof, head!.length + 6, 3).count).toBe(3)
  expect(() => readMediaSegmentHead(moof, head!.length + 6, 2)).toThrow('more than 2 samples')
})

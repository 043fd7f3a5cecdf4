import { expect, test } from 'vitest'
import { createSampleTable, layOutFlatMovie, readMovie, type FlatTrack, type Movie } from '../index.ts'
import { u32, writeBox } from '../boxes/write-box.ts'

const described = {
  sampleEntry: writeBox('avc1', Buffer.alloc(24), u32((320 << 16) | 180), Buffer.alloc(50)),
  widthPixels: 320,
  heightPixels: 180,
  rotationDegrees: 0,
  pixelAspectRatio: [1, 1],
  language: 'deu',
} as const

interface MadeUp {
  readonly timescale: number
  readonly firstDecodeTicks: number
  readonly sampleTicks: number
  readonly chunks: readonly number[]
  readonly sizes: readonly number[]
  readonly compositionOffsets?: readonly number[]
  /** Distance between key frames, in samples. */
  readonly groupSize: number
}

const makeTrack = (kind: 'video' | 'audio', made: MadeUp): FlatTrack => {
  const samples = createSampleTable(made.chunks.reduce((sum, count) => sum + count, 0))
  for (let index = 0; index < samples.count; index++) {
    samples.sizes[index] = made.sizes[index % made.sizes.length]!
    samples.durations[index] = made.sampleTicks
    samples.decodeTimes[index] = made.firstDecodeTicks + index * made.sampleTicks
    const offsets = made.compositionOffsets ?? [0]
    samples.compositionOffsets[index] = offsets[index % offsets.length]!
    samples.isSync[index] = index % made.groupSize === 0 ? 1 : 0
  }
  return { ...described, kind, timescale: made.timescale, samples, chunks: made.chunks }
}

const video = (change: Partial<MadeUp> = {}): FlatTrack =>
  makeTrack('video', {
    timescale: 15_360,
    firstDecodeTicks: 15_360 - 1_024,
    sampleTicks: 512,
    chunks: [60, 60, 17],
    sizes: [9_000, 300, 200, 100],
    // Presentation order differs from decoding order.
    compositionOffsets: [1_024, 2_048, 1_024, 0, 512],
    groupSize: 60,
    ...change,
  })

const audio = (change: Partial<MadeUp> = {}): FlatTrack =>
  makeTrack('audio', {
    timescale: 48_000,
    firstDecodeTicks: 48_000 - 1_024,
    sampleTicks: 1_024,
    chunks: [94, 93, 30],
    sizes: [341, 342],
    groupSize: 1,
    ...change,
  })

const readBack = (flat: ReturnType<typeof layOutFlatMovie>): Promise<Movie> =>
  readMovie({
    sizeBytes: flat.sizeBytes,
    read: async (offset, length) => flat.head.subarray(offset, offset + length),
  })

test.each<[string, FlatTrack[]]>([
  ['pictures and sound', [video(), audio()]],
  ['pictures alone', [video()]],
  ['more bytes than 32 bits can count', [video({ sizes: [2 ** 31, 5] }), audio()]],
  ['more ticks than 32 bits can count', [video({ sampleTicks: 2 ** 28 }), audio()]],
])('%s survive a layout and read round trip', async (_name, tracks) => {
  const flat = layOutFlatMovie(tracks, 1)
  const movie = await readBack(flat)
  expect(movie.tracks).toHaveLength(tracks.length)
  const isLong = flat.sizeBytes > 2 ** 32
  expect([flat.head.includes('co64'), flat.head.includes('stco')]).toEqual([isLong, !isLong])
  const next = tracks.map(() => 0)
  let offset = flat.head.length
  for (const { track, sizeBytes, chunk } of flat.chunks) {
    const { samples } = movie.tracks[track]!
    const chunkEnd = offset + sizeBytes
    for (let left = tracks[track]!.chunks[chunk]!; left > 0; left--) {
      const index = next[track]!++
      expect(samples.offsets[index]).toBe(offset)
      offset += samples.sizes[index]!
    }
    expect(offset).toBe(chunkEnd)
  }
  expect(offset).toBe(flat.sizeBytes)
  for (const [index, { samples }] of tracks.entries()) {
    const found = movie.tracks[index]!.samples
    for (const column of ['sizes', 'durations', 'compositionOffsets', 'isSync'] as const)
      expect(found[column]).toEqual(samples[column])
  }
})

test.each([
  ['priming lies before the start', {}, 1_024, -1_024],
  ['nothing lies before the start', { firstDecodeTicks: 48_000 }, 0, 0],
  ['sound begins half a second late', { firstDecodeTicks: 72_000 }, 0, 24_000],
])('%s: video begins at 0 s, and audio at its offset', async (_name, change, mediaStart, shift) => {
  const { tracks } = await readBack(layOutFlatMovie([video(), audio(change)], 1))
  // The first picture is decoded 1,024 ticks before the start and presented at the start.
  expect(tracks[0]).toMatchObject({ mediaStartTicks: 1_024, presentationShiftTicks: -1_024 })
  expect(tracks[1]).toMatchObject({
    mediaStartTicks: mediaStart,
    presentationShiftTicks: shift,
    hasComplexEdits: false,
  })
})

test('layOutFlatMovie orders chunks by decode time', () => {
  const { chunks } = layOutFlatMovie([video(), audio()], 1)
  expect(chunks.map(({ track, chunk }) => `${track}.${chunk}`)).toEqual([
    ...['0.0', '1.0', '0.1', '1.1', '0.2', '1.2'],
  ])
})

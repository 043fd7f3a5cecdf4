import { expect, test } from 'vitest'
import {
  createSampleTable,
  readMovie,
  readRecording,
  writeMediaSegment,
  writeRecordingEnd,
  writeRecordingStart,
  type RandomAccessReader,
  type SampleTable,
} from '../index.ts'
import { u32, writeBox } from '../boxes/write-box.ts'

const described = {
  rotationDegrees: 0,
  pixelAspectRatio: [1, 1],
  language: 'und',
  widthPixels: 0,
  heightPixels: 0,
} as const
const tracks = [
  {
    ...described,
    kind: 'video',
    timescale: 90_000,
    sampleEntry: writeBox('avc1', Buffer.alloc(24), u32((320 << 16) | 180), Buffer.alloc(50)),
    widthPixels: 320,
    heightPixels: 180,
  },
  {
    ...described,
    kind: 'audio',
    timescale: 48_000,
    sampleEntry: writeBox('Opus', Buffer.alloc(8), u32(0, 0), Buffer.from('0002001000000000bb800000', 'hex')),
  },
] as const

/** A sparse in-memory file: only written ranges take memory, and all others read as zeros. */
const sparseFile = () => {
  const pieces: { offset: number; bytes: Buffer }[] = []
  let sizeBytes = 0
  const write = (offset: number, bytes: Buffer) => {
    pieces.push({ offset, bytes })
    sizeBytes = Math.max(sizeBytes, offset + bytes.length)
  }
  const reader = (): RandomAccessReader => ({
    sizeBytes,
    read: async (offset, length) => {
      const read = Buffer.alloc(Math.min(length, sizeBytes - offset))
      for (const { offset: at, bytes } of pieces) {
        const skipped = Math.max(0, offset - at)
        if (skipped < bytes.length) bytes.copy(read, Math.max(0, at - offset), skipped)
      }
      return read
    },
  })
  return { write, reader, end: () => sizeBytes, skip: (bytes: number) => (sizeBytes += bytes) }
}

const pictures = 60
const pictureBytes = 12_000_000

const videoTable = (): SampleTable => {
  const table = createSampleTable(pictures)
  table.sizes.fill(pictureBytes)
  table.durations.fill(3_000)
  table.compositionOffsets.fill(6_000)
  table.isSync[0] = 1
  return table
}

const audioTable = (): SampleTable => {
  const table = createSampleTable(100)
  table.sizes.fill(200)
  table.durations.fill(960)
  table.isSync.fill(1)
  return table
}

const record = (file: ReturnType<typeof sparseFile>, fragmentCount: number) => {
  const append = (trackId: number, table: SampleTable, baseDecodeTime: number) => {
    const bytes = table.sizes.reduce((sum, size) => sum + size, 0)
    const samples = { firstSample: 0, sampleCount: table.count, table, sequenceNumber: 1 }
    const zeros = Array.from({ length: table.count }, (_, index) => zerosOf.subarray(0, table.sizes[index]))
    const [head] = writeMediaSegment({
      ...samples,
      trackId,
      baseDecodeTime,
      data: zeros,
      isContinuation: true,
    })
    file.write(file.end(), head!)
    file.skip(bytes)
  }
  for (let fragment = 0; fragment < fragmentCount; fragment++) {
    append(1, videoTable(), 90_000 + fragment * pictures * 3_000 - 6_000)
    append(2, audioTable(), 48_000 + fragment * 96_000)
  }
}

const zerosOf = Buffer.alloc(pictureBytes)

test('a recording of more than 4 GiB becomes progressive in place without moving samples', async () => {
  const file = sparseFile()
  file.write(0, writeRecordingStart(tracks))
  record(file, 16)
  const unfinished = await readRecording(file.reader())
  expect(unfinished!.endOffset).toBe(file.end())
  const end = writeRecordingEnd(unfinished!)!
  expect([end.index.includes('co64'), end.index.includes('stco')]).toEqual([true, false])
  file.write(unfinished!.endOffset, end.index)
  // Until the cover is written, the recording reads as before.
  expect((await readRecording(file.reader()))!.endOffset).toBe(unfinished!.endOffset)
  expect((await readMovie(file.reader())).isFragmented).toBe(true)

  file.write(end.coverOffset, end.cover)
  const movie = await readMovie(file.reader())
  expect(movie.isFragmented).toBe(false)
  expect(movie.durationSeconds).toBe(32)
  for (const [index, track] of movie.tracks.entries()) {
    expect(track.samples.count).toBe(16 * [60, 100][index]!)
    for (const column of ['offsets', 'sizes', 'durations', 'compositionOffsets', 'isSync'] as const)
      expect(track.samples[column]).toEqual(unfinished!.movie.tracks[index]!.samples[column])
  }
  expect(await readRecording(file.reader())).toBeNull()
})

test('a recording without samples has no end, and a track without samples is omitted', async () => {
  const file = sparseFile()
  file.write(0, writeRecordingStart(tracks))
  expect(writeRecordingEnd((await readRecording(file.reader()))!)).toBeNull()
  record(file, 1)
  const { movie, endOffset } = (await readRecording(file.reader()))!
  const [video, audio] = movie.tracks
  const silent = { ...movie, tracks: [video!, { ...audio!, samples: createSampleTable(0) }] }
  const end = writeRecordingEnd({ movie: silent, endOffset })!
  file.write(endOffset, end.index)
  file.write(end.coverOffset, end.cover)
  expect((await readMovie(file.reader())).tracks.map(({ kind }) => kind)).toEqual(['video'])
})

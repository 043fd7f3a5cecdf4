import { expect, test } from 'vitest'
import { createMediaFolder, ffmpeg, h264, testVideo } from '../../test-support/media.ts'
import { openFileReader, readFlatMovie, readMovie } from '../index.ts'
import { writeBox } from '../boxes/write-box.ts'

const folder = await createMediaFolder()

const make = async (name: string, ...args: readonly string[]) => {
  await ffmpeg([...testVideo('25', 1), ...h264(25), ...args, folder.path(name)])
  return folder.path(name)
}

test('reads the index of a flat movie as readMovie does, at its start and at its end', async () => {
  for (const path of [await make('last.mp4'), await make('first.mp4', '-movflags', '+faststart')]) {
    await using reader = await openFileReader(path)
    expect(await readFlatMovie(reader, 1_000)).toEqual(await readMovie(reader))
    await expect(readFlatMovie(reader, 10)).rejects.toMatchObject({ code: 'too_large' })
  }
})

test('leaves fragmented movies to readMovie', async () => {
  await using reader = await openFileReader(await make('parts.mp4', '-movflags', '+frag_keyframe+empty_moov'))
  expect(await readFlatMovie(reader, 1_000)).toBeNull()
})

test('does not search for an index behind many boxes', async () => {
  const bytes = Buffer.concat(Array.from({ length: 100_000 }, () => writeBox('free')))
  let readCount = 0
  const reader = {
    sizeBytes: bytes.length,
    read: async (offset: number, length: number) => {
      readCount += 1
      return bytes.subarray(offset, offset + length)
    },
  }
  expect(await readFlatMovie(reader, 1_000)).toBeNull()
  expect(readCount).toBe(1)
})

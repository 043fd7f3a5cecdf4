import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../../test-support/media.ts'
import { readPartialMovie, readMovie, type RandomAccessReader } from '../index.ts'

const folder = await createMediaFolder()
const make = async (name: string, ...movflags: readonly string[]): Promise<Buffer> => {
  const flags = movflags.length === 0 ? [] : ['-movflags', movflags.join('')]
  await ffmpeg([
    ...testVideo('25', 4),
    ...testSound(4),
    ...h264(25),
    '-c:a',
    'aac',
    ...flags,
    folder.path(name),
  ])
  return readFile(folder.path(name))
}
const [fastStart, indexLast, fragmented] = await Promise.all([
  make('fast-start.mp4', '+faststart'),
  make('index-last.mp4'),
  make('fragmented.mp4', '+frag_keyframe+empty_moov+default_base_moof'),
])

const readerOf = (bytes: Buffer, sizeBytes = bytes.length): RandomAccessReader => ({
  sizeBytes,
  read: async (offset, length) => bytes.subarray(0, sizeBytes).subarray(offset, offset + length),
})
const lookAt = (bytes: Buffer, sizeBytes: number) => readPartialMovie(readerOf(bytes, sizeBytes))
const counts = (movie: Awaited<ReturnType<typeof readMovie>>) =>
  movie.tracks.map(({ samples }) => samples.count)

test('readPartialMovie returns the whole movie as soon as the media begins when the index comes first', async () => {
  const whole = await readMovie(readerOf(fastStart))
  const mediaAt = fastStart.indexOf('mdat') - 4
  expect((await lookAt(fastStart, mediaAt)).state).toBe('waiting')
  expect(await lookAt(fastStart, mediaAt + 16)).toEqual({ state: 'here', movie: whole })
})

test('readPartialMovie counts only the complete fragments of a fragmented movie', async () => {
  const whole = await readMovie(readerOf(fragmented))
  const ends = [...fragmented.toString('latin1').matchAll(/moof/g)].slice(1).map(({ index }) => index - 4)
  const parts = []
  for (const end of ends) {
    const [exact, later] = [await lookAt(fragmented, end), await lookAt(fragmented, end + 100)]
    expect(later).toEqual(exact)
    parts.push(exact.state === 'here' ? counts(exact.movie)[0] : exact)
  }
  expect(parts).toEqual([25, 50, 75])
  const first = await lookAt(fragmented, (ends[0] ?? 0) - 1)
  expect(first).toEqual({ state: 'waiting', neededBytes: ends[0] })
  expect(await lookAt(fragmented, fragmented.length)).toEqual({ state: 'here', movie: whole })
})

test('readPartialMovie returns a needed size at which more can be read', async () => {
  for (const bytes of [fastStart, fragmented]) {
    let sizeBytes = 0
    const looks = []
    for (;;) {
      const look = await lookAt(bytes, sizeBytes)
      looks.push(look)
      if (look.state !== 'waiting') break
      expect(look.neededBytes).toBeGreaterThan(sizeBytes)
      sizeBytes = Math.min(look.neededBytes, bytes.length)
    }
    expect(looks.at(-1)?.state).toBe('here')
    expect(looks.length).toBeLessThan(10)
  }
})

test.each([
  ['an index that comes last', indexLast],
  ['text', Buffer.from('no video at all, sorry. '.repeat(100))],
  ['zeroes', Buffer.alloc(100)],
])('readPartialMovie does not wait for %s', async (_name, bytes) => {
  expect(await lookAt(bytes, Math.floor(bytes.length / 2))).toEqual({ state: 'unfit' })
})

test('readPartialMovie throws for no prefix of a file', async () => {
  for (const bytes of [fastStart, fragmented, indexLast])
    for (let sizeBytes = 0; sizeBytes < bytes.length; sizeBytes += 997)
      expect(['here', 'waiting', 'unfit']).toContain((await lookAt(bytes, sizeBytes)).state)
})

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { IsobmffError, readMovie } from '@zoetrope/isobmff'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../../../isobmff/test-support/media.ts'
import { mutate, seededRandom } from '../../../isobmff/test-support/mutations.ts'
import { packageStream, planPassthrough, readPassthroughSegment } from '../index.ts'

const folder = await createMediaFolder()

/** Changes a few bytes between two offsets. The same round makes the same changes. */
const change = (bytes: Buffer, from: number, to: number, round: number) => {
  const changed = Buffer.from(bytes)
  const random = seededRandom(round)
  for (let count = 0; count <= round % 3; count++) changed[from + random(to - from)] = random(256)
  return changed
}

const serveAll = async (bytes: Buffer) => {
  const reader = {
    sizeBytes: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  }
  const movie = await readMovie(reader)
  for (const track of ['video', 'audio'] as const) {
    const plan = planPassthrough(movie, { track, targetDurationSeconds: 1, maxDurationSeconds: 10 })
    if (!plan.ok) continue
    for (const index of plan.track.segments.keys()) await readPassthroughSegment(reader, plan.track, index)
  }
}

test('a source with changed bytes is rejected, served, or throws an IsobmffError', async () => {
  const path = folder.path('source.mp4')
  await ffmpeg([...testVideo('25', 3), ...testSound(3), ...h264(25), '-c:a', 'aac', path])
  const bytes = await readFile(path)
  const moov = bytes.indexOf('moov')
  for (let round = 0; round < 1000; round++) {
    const problem = await problemOf(serveAll(change(bytes, moov, bytes.length, round)))
    if (problem !== undefined) expect(problem).toBeInstanceOf(IsobmffError)
  }
})

const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const nothing = async () => undefined

const packageAll = (bytes: Buffer) => {
  const input = (async function* () {
    yield bytes
  })()
  return packageStream(input, { targetDurationSeconds: 1, onInit: nothing, onSegment: nothing })
}

test('a stream with changed bytes is packaged or throws an IsobmffError', async () => {
  const movflags = ['-movflags', '+empty_moov+default_base_moof+frag_keyframe+skip_trailer']
  const bytes = await ffmpeg([...testVideo('25', 1), ...h264(25), ...movflags, '-f', 'mp4', 'pipe:1'])
  const headBytes = bytes.indexOf('mdat') + 4
  for (let round = 0; round < 1000; round++) {
    const problem = await problemOf(packageAll(change(bytes, 0, headBytes, round)))
    if (problem !== undefined) expect(problem).toBeInstanceOf(IsobmffError)
  }
})

test('damaged files are rejected, served, or throw an IsobmffError', async () => {
  const media = [...testVideo('25', 2), ...testSound(2), ...h264(25), '-c:a', 'aac']
  const fragments = ['-movflags', '+empty_moov+default_base_moof+frag_keyframe']
  const path = folder.path('whole.mp4')
  await ffmpeg([...media, path])
  const files = [await readFile(path), await ffmpeg([...media, ...fragments, '-f', 'mp4', 'pipe:1'])] as const
  const random = seededRandom(23)
  for (let round = 0; round < 500; round++) {
    const { bytes, damage } = mutate(files[random(2)]!, files[random(2)]!, random)
    for (const work of [serveAll, packageAll]) {
      const problem = await problemOf(work(bytes))
      if (problem !== undefined)
        expect(problem, `round ${round}: ${damage.join(', ')}`).toBeInstanceOf(IsobmffError)
    }
  }
})

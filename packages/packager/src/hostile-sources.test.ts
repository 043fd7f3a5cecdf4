import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { IsobmffError, readMovie } from '@zoetrope/isobmff'
import { createMediaFolder, ffmpeg, h264, testSound, testVideo } from '../../isobmff/test-support/media.ts'
import { packageStream, planInPlace, readInPlaceSegment } from './index.ts'

const folder = await createMediaFolder()

/** Changes a few bytes of `bytes` between two offsets, the same ones for the same round. */
const change = (bytes: Buffer, from: number, to: number, round: number) => {
  const changed = Buffer.from(bytes)
  let state = round + 1
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
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
    const plan = planInPlace(movie, { track, targetDurationSeconds: 1, maxDurationSeconds: 10 })
    if (!plan.ok) continue
    for (const index of plan.track.segments.keys()) await readInPlaceSegment(reader, plan.track, index)
  }
}

test('a source with changed bytes is refused, served, or gives an IsobmffError', async () => {
  const path = folder.path('source.mp4')
  await ffmpeg([...testVideo('25', 3), ...testSound(3), ...h264(25), '-c:a', 'aac', path])
  const bytes = await readFile(path)
  const moov = bytes.indexOf('moov')
  for (let round = 0; round < 1000; round++) {
    const problem = await serveAll(change(bytes, moov, bytes.length, round)).catch((error: unknown) => error)
    if (problem !== undefined) expect(problem).toBeInstanceOf(IsobmffError)
  }
})

test('a stream with changed bytes is packaged or gives an IsobmffError', async () => {
  const movflags = ['-movflags', '+empty_moov+default_base_moof+frag_keyframe+skip_trailer']
  const bytes = await ffmpeg([...testVideo('25', 1), ...h264(25), ...movflags, '-f', 'mp4', 'pipe:1'])
  const nothing = async () => undefined
  const headBytes = bytes.indexOf('mdat') + 4
  for (let round = 0; round < 1000; round++) {
    const input = (async function* () {
      yield change(bytes, 0, headBytes, round)
    })()
    const options = { targetDurationSeconds: 1, onInit: nothing, onSegment: nothing }
    const problem = await packageStream(input, options).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (problem !== undefined) expect(problem).toBeInstanceOf(IsobmffError)
  }
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readPartialMovie } from '@zoetrope/isobmff'
import { makeMedia } from '../../../test/support/media.ts'
import { createInFlightIndexes } from './in-flight-indexes.ts'

type ReadResult = Awaited<ReturnType<typeof readPartialMovie>>

const maxDurationSeconds = 60
const video = { media_blob: 'source', kind: 'video', track_id: null } as const

let folder: string
let path: string
let partial: Extract<ReadResult, { state: 'here' }>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-in-flight-'))
  path = join(folder, 'source.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=4']
  const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']
  const bytes = await makeMedia([
    ...picture,
    '-c:v',
    'libx264',
    '-g',
    '25',
    '-pix_fmt',
    'yuv420p',
    ...fragments,
  ])
  await writeFile(path, bytes)
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length)
  partial = (await readPartialMovie({ sizeBytes: bytes.length, read })) as typeof partial
})
afterAll(() => rm(folder, { recursive: true }))

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Returns these movies one after the other, then the last one again; each scan takes `lookMs`. */
const watch = (seen: readonly ReadResult[], lookMs = 0) => {
  let looks = 0
  const indexes = createInFlightIndexes(maxDurationSeconds, async () => {
    const found = seen[Math.min(looks, seen.length - 1)]!
    looks += 1
    vi.advanceTimersByTime(lookMs)
    return found
  })
  const of = (receivedBytes: number) => indexes.of({ path, receivedBytes })
  return { of, looks: () => looks }
}

test.each([
  ['can be served', () => partial],
  ['cannot be read', () => ({ state: 'unfit' }) as const],
])('a source that %s is scanned once for concurrent requests and not again at once', async (_what, found) => {
  const { of, looks } = watch([found()])
  const indexes = await Promise.all([of(1_000), of(1_000), of(1_000)])
  expect(new Set([...indexes, await of(1_000), await of(2_000)]).size).toBe(1)
  expect(looks()).toBe(1)
  vi.advanceTimersByTime(501)
  await of(1_000)
  expect(looks()).toBe(1)
  await of(2_000)
  expect(looks()).toBe(2)
})

test('a slow scan delays the next one in proportion', async () => {
  const { of, looks } = watch([{ state: 'unfit' }], 2_000)
  expect(await of(1_000)).toBeNull()
  vi.advanceTimersByTime(19_000)
  expect(await of(2_000)).toBeNull()
  expect(looks()).toBe(1)
  vi.advanceTimersByTime(1_000)
  await of(2_000)
  expect(looks()).toBe(2)
})

test.each([
  ['cannot be read', () => ({ state: 'unfit' }) as const],
  [
    'claim to last for ever',
    () => ({ ...partial, movie: { ...partial.movie, durationSeconds: maxDurationSeconds + 1 } }),
  ],
])('fragments that later %s do not affect what was served before', async (_what, later) => {
  const { of, looks } = watch([partial, later()])
  const before = await of(1_000)
  expect(before?.trackOf(video)?.track.segments.length).toBeGreaterThan(0)
  vi.advanceTimersByTime(501)
  expect(await of(2_000)).toBe(before)
  expect(looks()).toBe(2)
})

test('known sources keep being served while all scans are busy, and new ones answer 503', async () => {
  const slow = Promise.withResolvers<ReadResult>()
  const seen: (ReadResult | Promise<ReadResult>)[] = [partial, slow.promise, slow.promise]
  const indexes = createInFlightIndexes(maxDurationSeconds, async () => seen.shift()!)
  const of = (name: string, receivedBytes: number) =>
    indexes.of({ path: `${folder}/${name}source.mp4`, receivedBytes })
  const before = await of('', 1_000)
  const looking = Promise.all([of('./', 1_000), of('././', 1_000)])
  vi.advanceTimersByTime(501)
  const answers = Promise.allSettled([of('', 2_000), of('./././', 1_000)])
  vi.advanceTimersByTime(2_000)
  const [known, unknown] = await answers
  expect(known).toMatchObject({ status: 'fulfilled', value: before })
  expect(unknown).toMatchObject({ status: 'rejected', reason: { status: 503 } })
  slow.resolve({ state: 'unfit' })
  expect(await looking).toEqual([null, null])
  expect(await of('', 1_000)).toBe(before)
})

test('a movie that the planner cannot handle has no track', async () => {
  const tracks = partial.movie.tracks.map((track) => ({ ...track, timescale: -1, sampleEntry: null! }))
  const { of } = watch([{ ...partial, movie: { ...partial.movie, tracks } }])
  expect((await of(1_000))?.trackOf(video)).toBeNull()
})

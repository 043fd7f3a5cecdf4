import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeSample } from '../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { wantAhead } from '../../../library/files/on-demand/wanted-chunks.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { damageFrames } from '../test-support/damaged-source.ts'
import { createOnDemandHands, makeOnDemandSource } from '../test-support/on-demand-hands.ts'
import { createRemoteBlobs } from '../test-support/remote-blobs.ts'
import { createMakeChunksHandler } from './make-chunks-handler.ts'
import { releaseChunk } from './claims/chunk-claims.ts'
import { claimWantedChunk } from './claims/claim-wanted-chunks.ts'

const run = promisify(execFile)

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }] })
  sample = await makeOnDemandSource(24)
})

afterAll(() => server.stop())

const never = new AbortController().signal

type Listed = Awaited<ReturnType<typeof hands.list>>

/** Files of the current test. */
const fileIds: number[] = []

beforeEach(() => {
  fileIds.length = 0
})

const list = async (bytes: Buffer, project: Parameters<typeof hands.newProject>[0] = {}): Promise<Listed> => {
  const file = await hands.list(bytes, await hands.newProject(project))
  fileIds.push(file.ids.fileId)
  // Earlier tests may have left wanted segments behind.
  await server.services.database.kysely
    .deleteFrom('on_demand_chunks')
    .where('file_id', 'not in', fileIds)
    .execute()
  return file
}
const listed = (): Promise<Listed> => list(sample)

/** Wants the segments after this one, as for a viewer who continues to play. */
const want = ({ rungs }: Listed, after: number, count: number, rung = 0): Promise<void> =>
  wantAhead(
    server.services.database,
    server.services.jobs,
    { renditionId: rungs[rung]!.Id, number: after },
    { count, isFirst: false },
  )

/** Encodes what is wanted in one run of the handler, and returns the segments of each encoder. */
const encode = async (
  stored: () => Promise<void> = async () => {},
  encoderCount = 2,
  /** Blob store of a worker whose media is in a bucket. */
  remoteBlobs?: BlobStore,
): Promise<string[]> => {
  const runs: number[][] = []
  const source = remoteBlobs ?? hands.dependencies.blobs
  const blobs: BlobStore = {
    ...source,
    withLocalFile: (key, use, plan) => {
      runs.push([])
      return source.withLocalFile(key, use, plan)
    },
    put: async (key, data, options) => {
      const result = await source.put(key, data, options)
      runs.at(-1)?.push(Number(/(\d+)\.m4s$/.exec(key)?.[1]))
      await stored()
      return result
    },
  }
  await createMakeChunksHandler(
    { ...hands.dependencies, blobs },
    { encoderCount, areSourcesHere: remoteBlobs === undefined },
  )({ renditionId: 0 }, never)
  return runs.map((segments) => segments.join(' '))
}

const statesOf = async ({ ids }: Listed): Promise<string[]> =>
  (await hands.chunksOf(ids.fileId)).map(({ number, state }) => `${number} ${state}`)

const untilWanted = (file: Listed, count: number): Promise<string[]> =>
  waitFor(
    () => statesOf(file),
    ({ length }) => length >= count,
  )

const isThere = (claimed: unknown): boolean => claimed !== null

const readyOf = (numbers: readonly number[]): string[] => numbers.map((number) => `${number} ready`)

test('one run encodes the segments ahead of a viewer, seven at most', async () => {
  const file = await listed()
  await want(file, 0, 9)
  expect(await encode()).toEqual(['1 2 3 4 5 6 7', '8 9'])
  expect(await statesOf(file)).toEqual(readyOf([1, 2, 3, 4, 5, 6, 7, 8, 9]))
})

test('the run for a viewer who waits continues with the segments that are wanted meanwhile, and ends after them', async () => {
  const file = await listed()
  const asked = hands.load(`${file.base}/${file.rungs[0]!.Id}/4.m4s`)
  await untilWanted(file, 1)
  const runs = await encode(async () => {
    if ((await statesOf(file)).length < 4) await want(file, 4, 3)
  })
  expect(runs).toEqual(['4 5 6 7'])
  expect((await asked).status).toBe(200)
  expect(await statesOf(file)).toEqual(readyOf([4, 5, 6, 7]))
})

test('a run ends before a segment that another encoder has', async () => {
  const file = await listed()
  await want(file, 3, 1)
  const other = await claimWantedChunk(server.workerDatabase)
  expect(other).toMatchObject({ number: 4, followers: 0 })
  await want(file, 0, 6)
  expect(await encode()).toEqual(['1 2 3', '5 6'])
  expect(await statesOf(file)).toEqual([...readyOf([1, 2, 3]), '4 claimed', ...readyOf([5, 6])])
})

test('a run ends for a viewer who waits for another segment, and another run encodes the rest', async () => {
  const file = await listed()
  await want(file, 0, 4)
  let asked: Promise<{ status: number }> | null = null
  const runs = await encode(async () => {
    if (asked !== null) return
    asked = hands.load(`${file.base}/${file.rungs[1]!.Id}/8.m4s`)
    await untilWanted(file, 5)
  }, 1)
  expect(runs[0]).toBe('1')
  // The encoder also runs ahead of this viewer, by one segment.
  expect(runs[1]).toMatch(/^8( 9)?$/)
  expect(runs).toContain('2 3 4')
  expect((await asked!).status).toBe(200)
})

test('a run ends for a viewer of another project who waits, also when its own viewer waits for the next segment', async () => {
  const [file, other] = [await listed(), await listed()]
  const asked: Promise<{ status: number }>[] = []
  const ask = (of: Listed, segment: number): Promise<unknown> => {
    asked.push(hands.load(`${of.base}/${of.rungs[0]!.Id}/${segment}.m4s`))
    return untilWanted(of, asked.length)
  }
  for (const segment of [1, 2, 3]) await ask(file, segment)
  let isAsked = false
  const runs = await encode(async () => {
    if (isAsked) return
    isAsked = true
    asked.push(hands.load(`${other.base}/${other.rungs[0]!.Id}/9.m4s`))
    await untilWanted(other, 1)
  }, 1)
  expect(runs[0]).toBe('1')
  expect(runs[1]).toMatch(/^9/)
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
})

test('a run of a download ends when a viewer wants other segments soon', async () => {
  const [file, watched] = [await listed(), await listed()]
  expect((await fetch(`${file.base}/download.mp4?rendition=${file.rungs[0]!.Id}`)).status).toBe(202)
  let isWanted = false
  const runs = await encode(async () => {
    if (!isWanted) await want(watched, 3, 2)
    isWanted = true
  }, 1)
  expect(runs.slice(0, 2)).toEqual(['0', '4 5'])
  expect(runs[2]).toMatch(/^1 2 3/)
})

test('each segment of AV1, whose encoder cannot begin segments at given frames, has a run of its own', async () => {
  const { ids, base } = await list(await makeOnDemandSource(6), {
    EncoderSettings: { Renditions: [{ Height: 90 }], VideoCodecs: ['h264', 'av1'] },
  })
  const { Id } = await hands.rungOf(ids, '90p-av1')
  expect((await fetch(`${base}/download.mp4?rendition=${Id}`)).status).toBe(202)
  expect(await encode()).toEqual(['0', '1', '2'])
})

test('one run of the handler waits for a turn, so that others are left for viewers who begin to wait', async () => {
  const file = await listed()
  await want(file, 0, 3)
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const blobs: BlobStore = {
    ...hands.dependencies.blobs,
    put: async (...put) => {
      begun.resolve()
      await held.promise
      return hands.dependencies.blobs.put(...put)
    },
  }
  const handle = createMakeChunksHandler(
    { ...hands.dependencies, blobs },
    { encoderCount: 2, areSourcesHere: true },
  )
  const ended: string[] = []
  const start = (name: string) => handle({ renditionId: 0 }, never).then(() => ended.push(name))
  const runs = [start('encodes')]
  await begun.promise
  runs.push(start('waits'), start('is free'))
  await waitFor(
    async () => ended,
    ({ length }) => length > 0,
  )
  expect(ended).toHaveLength(1)
  expect(ended).not.toContain('encodes')
  held.resolve()
  await Promise.all(runs)
  expect(await statesOf(file)).toEqual(readyOf([1, 2, 3]))
})

test('a run is planned for one segment while viewers wait for others', async () => {
  const file = await listed()
  const asked = [4, 8].map((segment) => hands.load(`${file.base}/${file.rungs[0]!.Id}/${segment}.m4s`))
  await untilWanted(file, 2)
  const order = { isAwaitedOnly: false, mayContinue: 'always', isPlayedOnFirst: true } as const
  const claim = () => claimWantedChunk(server.workerDatabase, order)
  const [first, second] = [await waitFor(claim, isThere), await waitFor(claim, isThere)]
  expect([first?.followers, second?.followers]).toEqual([0, 6])
  for (const chunk of [first, second]) await releaseChunk(server.workerDatabase, chunk!, 'interrupted')
  await encode()
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
})

test('an encoder leaves the next segment of a run to it, but not one that a viewer waits for', async () => {
  const file = await listed()
  await want(file, 0, 4)
  const database = server.workerDatabase
  const claim = () =>
    claimWantedChunk(database, {
      isAwaitedOnly: false,
      mayContinue: 'always',
      isPlayedOnFirst: true,
    })
  expect(await claim()).toMatchObject({ number: 1, followers: 3 })
  expect(await claim()).toMatchObject({ number: 3, followers: 1 })
  expect(await claim()).toBeNull()
  const asked = fetch(`${file.base}/${file.rungs[0]!.Id}/2.m4s`, { redirect: 'manual' })
  expect(await waitFor(claim, (claimed) => claimed !== null)).toMatchObject({ number: 2, urgency: 'awaited' })
  expect((await asked).status).toBe(307)
  await server.services.database.kysely.deleteFrom('on_demand_chunks').execute()
})

test('segments ahead wake a worker, unless an encoder has the one before, which takes them next', async () => {
  const { rungs } = await listed()
  const { database, jobs } = server.services
  const wakeUps = () => database.sql`select from pgboss.job where name = 'file.chunks' and state < 'active'`
  const wantFirst = async (number: number): Promise<number> => {
    await database.sql`delete from pgboss.job where name = 'file.chunks'`
    await wantAhead(database, jobs, { renditionId: rungs[0]!.Id, number }, { count: 1, isFirst: true })
    return (await wakeUps()).length
  }
  expect(await wantFirst(2)).toBe(1)
  const claimed = await claimWantedChunk(server.workerDatabase)
  expect(claimed).toMatchObject({ number: 3 })
  expect(await wantFirst(3)).toBe(0)
  await database.kysely.deleteFrom('on_demand_chunks').execute()
})

/** Returns the PSNR of each frame of the first rung, compared with the source. */
const likenessOf = async ({ base, rungs }: Listed, count: number, original = sample): Promise<number[]> => {
  const names = ['init.mp4', ...Array.from({ length: count }, (_, index) => `${index}.m4s`)]
  const parts = await Promise.all(
    names.map(async (name) => (await hands.fetchMedia(`${base}/${rungs[0]!.Id}/${name}`)).body),
  )
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-rung-'))
  const [rung, source] = [join(folder, 'rung.mp4'), join(folder, 'source.mp4')]
  await writeFile(rung, Buffer.concat(parts))
  await writeFile(source, original)
  const { stdout } = await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-i', rung, '-i', source, '-lavfi'],
    '[0:v]setpts=N/30/TB[a];[1:v]setpts=N/30/TB,scale=160:90[b];[a][b]psnr=stats_file=-',
    ...['-f', 'null', '-'],
  ])
  await rm(folder, { recursive: true })
  return [...stdout.matchAll(/psnr_y:([\d.]+|inf)/g)].map(([, value]) => Number(value))
}

test('segments of runs that began at different places are those of the source, frame by frame', async () => {
  const file = await listed()
  await want(file, 5, 3)
  await encode()
  await want(file, 0, 2)
  await encode()
  await want(file, -1, 12)
  expect(await encode()).toEqual(['0', '3 4 5', '9 10 11'])
  const likeness = await likenessOf(file, 12)
  expect(likeness).toHaveLength(720)
  expect(Math.min(...likeness)).toBeGreaterThan(30)
})

test('a run that begins where the source is damaged keeps its times', async () => {
  const damaged = await damageFrames(sample, 60, 61)
  const file = await list(damaged)
  await want(file, 0, 5)
  expect(await encode()).toEqual(['1 2 3 4 5'])
  await want(file, -1, 12)
  await encode()
  const likeness = await likenessOf(file, 12)
  expect(likeness).toHaveLength(720)
  expect(Math.min(...likeness.slice(0, 60), ...likeness.slice(120))).toBeGreaterThan(30)
})

/** Its segments are so large that a run does not fetch what lies between two ranges. */
const listLarge = async () => {
  const bytes = await makeSample({
    ...{ seconds: 24, size: '320x180' },
    extra: ['-preset', 'ultrafast', '-qp', '4', '-g', '60', '-sc_threshold', '0'],
  })
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bucket-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const newBlobs = (...change: ChangeRanges) => createRemoteBlobs(server.services.blobs, folder, ...change)
  return { bytes, newBlobs, file: await list(bytes) }
}
type ChangeRanges = [change?: Parameters<typeof createRemoteBlobs>[2]]

test('a run ahead of a viewer fetches the ranges of all its segments from a bucket', async () => {
  const { bytes, file, newBlobs } = await listLarge()
  const remote = newBlobs()
  await want(file, 0, 3)
  expect(await encode(undefined, 2, remote.blobs)).toEqual(['1 2 3'])
  expect(await statesOf(file)).toEqual(readyOf([1, 2, 3]))
  expect(remote.uses).not.toContain(true)
  expect(remote.fetchedBytes() / bytes.length).toBeLessThan(0.6)
  await remote.release()
  await want(file, -1, 12)
  await encode()
  expect(Math.min(...(await likenessOf(file, 12, bytes)))).toBeGreaterThan(30)
})

test('a viewer who begins to play a source in a bucket gets a run of one segment, and one who continues a longer one', async () => {
  const { file, newBlobs } = await listLarge()
  const remote = newBlobs()
  const play = (segment: number) => hands.load(`${file.base}/${file.rungs[0]!.Id}/${segment}.m4s`)
  const asked = play(4)
  await untilWanted(file, 1)
  const order = { isAwaitedOnly: false, mayContinue: 'after_start', isPlayedOnFirst: true } as const
  const claim = () => waitFor(() => claimWantedChunk(server.workerDatabase, order), isThere)
  const first = await claim()
  expect(first).toMatchObject({ number: 4, followers: 0, urgency: 'awaited' })
  await releaseChunk(server.workerDatabase, first!, 'interrupted')
  const runs = await encode(async () => want(file, 4, 3), 1, remote.blobs)
  expect((await asked).status).toBe(200)
  expect(runs).toEqual(['4', '5 6 7'])
  const askedNext = play(8)
  await untilWanted(file, 5)
  const next = await claim()
  expect(next).toMatchObject({ number: 8, followers: 6, urgency: 'awaited' })
  await releaseChunk(server.workerDatabase, next!, 'interrupted')
  await encode(undefined, 1, remote.blobs)
  expect((await askedNext).status).toBe(200)
  await remote.release()
})

test('a run that lacks bytes stores no segment without them, and goes back to runs of one segment', async () => {
  const { bytes, file, newBlobs } = await listLarge()
  const twelfth = bytes.length / 12
  let plans = 0
  // What the first run fetches lacks most of the fourth segment.
  const remote = newBlobs((ranges) => {
    plans += 1
    return plans > 1 ? ranges : ranges.filter(({ start }) => start < 4.1 * twelfth || start > 4.9 * twelfth)
  })
  await want(file, 0, 4)
  const runs = await encode(undefined, 1, remote.blobs)
  // How far the encoder had decoded when it had written a segment depends on the machine.
  expect(runs[0]).toMatch(/^1( 2( 3)?)?$/)
  expect(runs.at(-1)).toMatch(/4$/)
  expect(await statesOf(file)).toEqual(readyOf([1, 2, 3, 4]))
  await remote.release()
  await want(file, -1, 12)
  await encode()
  expect(Math.min(...(await likenessOf(file, 12, bytes)))).toBeGreaterThan(30)
})

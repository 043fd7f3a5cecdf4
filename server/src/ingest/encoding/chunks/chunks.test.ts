import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { countFrames, makeMedia, makeSample } from '../../../../test/support/media.ts'
import { processesOn } from '../../../../test/support/processes.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { beginRevision } from '../../../library/files/change/file-revisions.ts'
import type { EncodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { folderOfSegment, initBlob, segmentBlob } from '../../../library/files/media/media-blobs.ts'
import { lockProject } from '../../../library/projects/project-locks.ts'
import type { BlobStore, UseLocalFile } from '../../../platform/blobs/blob-store.ts'
import { createEncodeLadderHandler, type LadderDependencies } from '../handlers/encode-ladder-handler.ts'
import { holdBlobs } from '../test-support/hold-blobs.ts'
import { createRemoteBlobs } from '../test-support/remote-blobs.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number
let sample: Buffer
/** Its output exceeds the pipe buffers, so an encoder without a reader cannot finish. */
let noise: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject({ EncoderSettings: { Renditions: [{ Height: 64 }, { Height: 90 }] } })
  const make = (...extra: string[]) =>
    makeSample({
      ...{ seconds: 24, size: '160x90', videoCodec: 'mpeg4' },
      extra: ['-r', '15000/1001', '-ar', '48000', ...extra],
    })
  sample = await make()
  noise = await make('-vf', 'noise=alls=100:allf=t', '-q:v', '2')
})

afterAll(() => server.stop())

const never = new AbortController().signal
const firstTry = { number: 1, isLast: false }

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const cutting = (): LadderDependencies => ({
  ...hands.dependencies,
  chunking: { minSourceSeconds: 10, chunkSeconds: 8, countEncoders: async () => 2 },
})

const takeJobs = async ({ fileId }: Ids): Promise<EncodeLadderJob[]> => {
  const rows = await server.services.database.sql<{ data: EncodeLadderJob }[]>`
    delete from pgboss.job
    where name = 'file.ladder' and state = 'created' and data->>'fileId' = ${String(fileId)}
    returning data`
  return rows.map(({ data }) => data).toSorted((a, b) => (a.chunk ?? -1) - (b.chunk ?? -1))
}

const encode = (job: EncodeLadderJob, dependencies = cutting(), signal = never): Promise<void> =>
  createEncodeLadderHandler(dependencies)(job, signal, firstTry)

const encodeAll = async (ids: Ids): Promise<EncodeLadderJob[]> => {
  const done: EncodeLadderJob[] = []
  for (let jobs = await takeJobs(ids); jobs.length > 0; jobs = await takeJobs(ids))
    for (const job of jobs) {
      await encode(job)
      done.push(job)
    }
  return done
}

const cut = async (source = sample): Promise<{ ids: Ids; chunks: EncodeLadderJob[] }> => {
  const ids = await hands.upload(projectId, source)
  await hands.process(ids)
  const [ladder] = await takeJobs(ids)
  if (ladder === undefined) throw new Error('no ladder is wanted')
  await encode(ladder)
  return { ids, chunks: await takeJobs(ids) }
}

const ladderOf = async ({ fileId }: Ids) => {
  const { generation: revision } = await hands.rowOf(fileId)
  return server.services.database.kysely
    .selectFrom('renditions')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('generation', '=', revision)
    .where('name', '=', '90p')
    .execute()
}

const renditionsOf = ({ fileId }: Ids) =>
  server.services.database.kysely
    .selectFrom('renditions')
    .select(['kind', 'delivery', 'state', 'segments', 'timescale'])
    .where('file_id', '=', fileId)
    .execute()

test('starts and cuts chunks of a passthrough source at its segments', async () => {
  const source = await makeSample({
    ...{ seconds: 24, size: '160x90' },
    extra: ['-g', '300', '-sc_threshold', '0', '-force_key_frames', '3.3,5.4,12.1,13,17.8'],
  })
  const { ids, chunks } = await cut(source)
  expect(chunks.length).toBeGreaterThan(1)
  for (const job of chunks) await encode(job)
  const videos = (await renditionsOf(ids)).filter(({ kind }) => kind === 'video')
  expect(videos.map(({ delivery, state }) => [delivery, state])).toEqual([
    ['in_place', 'complete'],
    ['packaged', 'complete'],
  ])
  const [own = [], encoded = []] = videos.map(({ segments, timescale }) =>
    (JSON.parse(segments) as [startTicks: number][]).map(([startTicks]) => startTicks / timescale),
  )
  expect(own.length).toBeGreaterThan(3)
  expect(encoded).toHaveLength(own.length)
  for (const [index, start] of encoded.entries()) expect(start).toBeCloseTo(own[index]!, 2)
})

const segmentTimes = (segments: string) =>
  (JSON.parse(segments) as number[][]).map(([startTicks, durationTicks]) => [startTicks, durationTicks])

const chunkRowsOf = ({ fileId }: Ids) =>
  server.services.database.kysely
    .selectFrom('encode_chunks')
    .select(['number', 'state'])
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute()

const storedBlobs = async ({ fileId }: Ids): Promise<{ found: string[]; named: string[] }> => {
  const prefix = `a1/p${projectId}/f${fileId}/`
  const folder = `${server.dataFolder}/media/blobs/${prefix}`
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length))
    .filter((name) => /\.(m4s|mp4)$/.test(name))
  const rows = await server.services.database.kysely
    .selectFrom('renditions')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('delivery', '=', 'packaged')
    .execute()
  const named = rows.flatMap((row) => [
    initBlob(folderOfSegment(row, 0)),
    ...segmentTimes(row.segments).map((_, index) => segmentBlob(folderOfSegment(row, index), index)),
  ])
  return { found: found.toSorted(), named: named.map((name) => name.slice(prefix.length)).toSorted() }
}

const removeDiscarded = async ({ fileId }: Ids): Promise<void> => {
  await server.services.database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .where('file_id', '=', fileId)
    .execute()
  await hands.housekeeping()
}

const expectWhole = async (ids: Ids): Promise<void> => {
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', EncodingProgress: 100, HasErrors: false })
  expect(await ladderOf(ids)).toMatchObject([{ state: 'complete' }])
  expect(await chunkRowsOf(ids)).toEqual([])
  await removeDiscarded(ids)
  const { found, named } = await storedBlobs(ids)
  expect(found).toEqual(named)
}

test('produces the same segments with many workers as with one run', async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.process(ids)
  const [job] = await takeJobs(ids)
  await encode(job!, hands.dependencies)
  const [whole] = await ladderOf(ids)
  await expectWhole(ids)

  await server.call('POST', `/projects/${projectId}/files/${ids.fileId}/retry?force=true`)
  await hands.process(ids)
  const [ladder] = await takeJobs(ids)
  await encode(ladder!)
  const chunks = await takeJobs(ids)
  expect(chunks.map(({ chunk }) => chunk)).toEqual([0, 1, 2])
  expect((await hands.get(ids)).Status).toBe('playable')
  // Two workers at a time, out of order.
  await Promise.all([encode(chunks[2]!), encode(chunks[0]!)])
  await encode(chunks[1]!)
  const [joined] = await ladderOf(ids)
  expect(segmentTimes(joined!.segments)).toEqual(segmentTimes(whole!.segments))
  expect(joined).toMatchObject({
    ...{ codec: whole!.codec, timescale: whole!.timescale, frame_rate: whole!.frame_rate },
    ...{ width_pixels: whole!.width_pixels, state: 'complete' },
  })
  const init = async ({ media_blob }: { media_blob: string }) =>
    server.services.blobs.read(`${media_blob}/init.mp4`)
  expect(await init(joined!)).toEqual(await init(whole!))
  await encodeAll(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  expect((await hands.eventsOf(ids.fileId)).filter((name) => name === 'file.encoded')).toHaveLength(2)
})

test('encodes in one run when only one worker runs', async () => {
  const alone = { minSourceSeconds: 10, chunkSeconds: 8, countEncoders: async () => 1 }
  const ids = await hands.upload(projectId, sample)
  await hands.process(ids)
  const [ladder] = await takeJobs(ids)
  const stopped = new AbortController()
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /init\.mp4$/)
  const run = encode(ladder!, { ...hands.dependencies, blobs, chunking: alone }, stopped.signal)
  await reached
  expect(await chunkRowsOf(ids)).toEqual([])
  stopped.abort()
  release()
  await expect(run).rejects.toThrow()
})

test('repeats only the chunk of a worker presumed dead and reports EncodingProgress of all chunks together', async () => {
  const { ids, chunks } = await cut()
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /\/0\.m4s$/)
  const superseded = encode(chunks[0]!, { ...cutting(), blobs })
  await reached
  await encode(chunks[1]!)
  expect(await chunkRowsOf(ids)).toMatchObject([
    { state: 'running' },
    { state: 'done' },
    { state: 'planned' },
  ])
  await encode(chunks[0]!)
  release()
  await superseded
  const last = holdBlobs(server.services.blobs, /\/6\.m4s$/)
  const lastRun = encode(chunks[2]!, { ...cutting(), blobs: last.blobs })
  await last.reached
  // Two thirds of the remainder after the first step, which counts as 30 percent.
  await waitFor(
    () => hands.get(ids),
    ({ EncodingProgress }) => EncodingProgress >= 70,
  )
  last.release()
  await lastRun
  // The job returns although its chunk is done, as if the worker had died before completing it.
  await encode(chunks[2]!)
  await encodeAll(ids)
  await expectWhole(ids)
})

test.each<[string, (ids: Ids) => Promise<unknown>]>([
  ['deleted', ({ fileId }) => server.call('DELETE', `/projects/${projectId}/files/${fileId}`)],
  [
    'replaced',
    ({ fileId }) =>
      server.services.database.transaction(async (tx) => {
        await lockProject(tx, 1, projectId)
        await beginRevision(tx, hands.dependencies, { accountId: 1, fileId }, null)
      }),
  ],
])(
  'ends all encodes of a file that is %s within a second on every worker and leaves nothing',
  async (_how, end) => {
    const { ids, chunks } = await cut(noise)
    const before = (await storedBlobs(ids)).found
    const holds = [/\/0\.m4s$/, /\/3\.m4s$/].map((key) => holdBlobs(server.services.blobs, key))
    const runs = holds.map(({ blobs }, index) => encode(chunks[index]!, { ...cutting(), blobs }))
    await Promise.race([Promise.all(holds.map(({ reached }) => reached)), Promise.all(runs)])
    expect((await processesOn(server.dataFolder)).length).toBeGreaterThan(0)
    await end(ids)
    const endedMs = performance.now()
    await waitFor(
      () => processesOn(server.dataFolder),
      (left) => left.length === 0,
    )
    // One second by design, and some more where other tests use the cores.
    expect(performance.now() - endedMs).toBeLessThan(4_000)
    for (const { release } of holds) release()
    await Promise.all(runs)
    // The chunk that had not started.
    await encode(chunks[2]!)
    expect(await chunkRowsOf(ids)).toEqual([])
    const hidden = await server.services.database.kysely
      .selectFrom('renditions')
      .select('id')
      .where('file_id', '=', ids.fileId)
      .where('state', '=', 'encoding')
      .execute()
    expect(hidden).toEqual([])
    await removeDiscarded(ids)
    expect((await storedBlobs(ids)).found).toEqual(before)
  },
)

test('a run that has lost its chunk changes no byte of what another run has completed', async () => {
  const { ids, chunks } = await cut()
  const { blobs } = server.services
  // Encoders do not always write the same bytes.
  const put: BlobStore['put'] = (key, data, options) =>
    blobs.put(key, /\/(3\.m4s|init\.mp4)$/.test(key) ? Buffer.from('of another run') : data, options)
  const late = [/init\.mp4$/, /\/3\.m4s$/].map((key, index) => {
    const held = holdBlobs({ ...blobs, put }, key)
    return { ...held, run: encode(chunks[index]!, { ...cutting(), blobs: held.blobs }) }
  })
  for (const { reached } of late) await reached
  // The second of three claims ends without a result.
  const stopped = new AbortController()
  const again = holdBlobs(blobs, /\/3\.m4s$/)
  const second = encode(chunks[1]!, { ...cutting(), blobs: again.blobs }, stopped.signal)
  await again.reached
  stopped.abort()
  again.release()
  await expect(second).rejects.toThrow()
  for (const job of chunks) await encode(job)
  await encodeAll(ids)
  for (const { release, run } of late) {
    release()
    await run
  }
  const [row] = await ladderOf(ids)
  const { Playouts } = await hands.get(ids)
  const sizes = (JSON.parse(row!.segments) as number[][]).map(([, , sizeBytes]) => sizeBytes)
  for (const [index, sizeBytes] of sizes.entries()) {
    const { status, headers } = await fetch(`${server.url}/v/${Playouts[0].Id}/${row!.id}/${index}.m4s`)
    expect([index, status, Number(headers.get('content-length'))]).toEqual([index, 200, sizeBytes])
  }
  expect(await countFrames(Playouts[0].HLS.replace('main', `${row!.id}/playlist`))).toBeGreaterThanOrEqual(
    359,
  )
  await expectWhole(ids)
})

test('fetches little more than the chunks of each worker, and encodes the same bytes', async () => {
  const source = await makeMedia([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15:duration=48'],
    ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '2'],
  ])
  const chunking = { minSourceSeconds: 10, chunkSeconds: 16, countEncoders: async () => 2 }
  const { blobs } = server.services
  /** Each of the four jobs has its own store. */
  const hashesOf = async (...stores: BlobStore[]): Promise<string[]> => {
    const ids = await hands.upload(projectId, source)
    await hands.process(ids)
    const inStore = (index: number) => ({ ...hands.dependencies, chunking, blobs: stores[index]! })
    const [ladder] = await takeJobs(ids)
    await encode(ladder!, inStore(0))
    const chunks = await takeJobs(ids)
    expect(chunks).toHaveLength(3)
    for (const [index, job] of chunks.entries()) await encode(job, inStore(index + 1))
    const [row] = await ladderOf(ids)
    const { length } = JSON.parse(row!.segments) as unknown[]
    const keys = Array.from({ length }, (_, index) => `${row!.media_blob}/${index}.m4s`)
    const segments = await Promise.all(keys.map((key) => blobs.read(key)))
    return segments.map((data) => `${data.length} ${createHash('sha256').update(data).digest('hex')}`)
  }
  const folder = `${server.dataFolder}/copies`
  const [one, two] = [createRemoteBlobs(blobs, folder), createRemoteBlobs(blobs, folder)]
  const lacking = createRemoteBlobs(blobs, folder, (ranges) =>
    ranges.flatMap(({ start, end }) => {
      const tenth = Math.floor((end - start) / 10)
      if (tenth < 300 * 1024) return [{ start, end }]
      return [
        { start, end: start + 6 * tenth },
        { start: start + 7 * tenth, end },
      ]
    }),
  )
  const inRanges = await hashesOf(one.blobs, one.blobs, two.blobs, lacking.blobs)
  // A third of the source each, and what opens it.
  expect(one.fetchedBytes() / source.length).toBeLessThan(0.5)
  expect(two.fetchedBytes() / source.length).toBeLessThan(0.65)
  expect([...one.uses, ...two.uses]).not.toContain(true)
  // ffmpeg logged the missing bytes, so the chunk was encoded again; nothing was fetched twice.
  expect(lacking.uses).toContain(true)
  expect(lacking.fetchedBytes()).toBe(source.length)
  for (const { release } of [one, two, lacking]) await release()
  expect(await readdir(folder)).toEqual([])
  expect(await hashesOf(blobs, blobs, blobs, blobs)).toEqual(inRanges)
})

test('discards chunks that do not fit together and encodes the file in one run', async () => {
  const { ids, chunks } = await cut()
  await encode(chunks[0]!)
  await encode(chunks[1]!)
  // The first chunk lacks a segment, as when a source cannot be decoded from where its index says.
  await server.services.database.sql`
    update encode_chunks set pieces = jsonb_set(pieces, '{0,segments}', (pieces->0->'segments') - 1)
    where file_id = ${ids.fileId} and number = 0`
  await encode(chunks[2]!)
  expect(await chunkRowsOf(ids)).toEqual([])
  expect(await encodeAll(ids)).toMatchObject([{ isWhole: true }])
  await expectWhole(ids)
})

test('encodes a file in one run when a chunk fails', async () => {
  const { ids, chunks } = await cut()
  const broken = await makeSample({ seconds: 1, size: '160x90', videoCodec: 'mpeg4' })
  const path = `${server.dataFolder}/broken.mp4`
  await writeFile(path, broken.subarray(0, broken.length / 2))
  const blobs = {
    ...server.services.blobs,
    withLocalFile: <T>(_key: string, use: UseLocalFile<T>) => use(path, true),
  }
  await encode(chunks[1]!, { ...cutting(), blobs })
  expect(await chunkRowsOf(ids)).toEqual([])
  await encode(chunks[0]!)
  expect(await encodeAll(ids)).toMatchObject([{ isWhole: true }])
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
})

/** Starts a chunked encode of a codec other than H.264; returns its jobs. */
const cutLaterStep = async (): Promise<{ ids: Ids; chunks: EncodeLadderJob[] }> => {
  const later = await hands.newProject({
    EncoderSettings: { Renditions: [{ Height: 90 }], VideoCodecs: ['hevc'] },
  })
  const ids = await hands.upload(later, sample)
  await hands.process(ids)
  await takeJobs(ids)
  await encode(await hands.jobOf(ids))
  // The first step has already encoded H.264.
  const [ladder] = await takeJobs(ids)
  expect(ladder).toMatchObject({ isLater: true })
  await encode(ladder!)
  return { ids, chunks: await takeJobs(ids) }
}

test('encodes an additional codec in one run when its chunks fail', async () => {
  const { ids, chunks } = await cutLaterStep()
  for (const chunk of chunks.slice(0, -1)) await encode(chunk)
  await server.services.database.sql`
    update encode_chunks set pieces = jsonb_set(pieces, '{0,segments}', (pieces->0->'segments') - 1)
    where file_id = ${ids.fileId} and number = 0`
  await encode(chunks.at(-1)!)
  const [whole, ...others] = await takeJobs(ids)
  expect(whole).toMatchObject({ isWhole: true, isLater: true })
  expect(others).toEqual([])
  // The same applies when the first step queues it and it must yield to other files.
  await encode({ ...(await hands.jobOf(ids)), isWhole: true })
  const [turned] = await takeJobs(ids)
  expect(turned).toMatchObject({ isWhole: true, isLater: true })
  await encode(turned!)
  expect(await takeJobs(ids)).toEqual([])
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
})

test('queues the chunks of each step under separate keys', async () => {
  const keysOf = async ({ fileId }: Ids) =>
    (
      await server.services.database.sql<{ key: string }[]>`
        select singleton_key as key from pgboss.job
        where name = 'file.ladder' and data->>'fileId' = ${String(fileId)} and data ? 'chunk'`
    ).map(({ key }) => key)
  const { ids } = await cut()
  await createEncodeLadderHandler(cutting())(await hands.jobOf(ids), never, firstTry)
  const first = await keysOf(ids)
  expect(first).toHaveLength(3)
  // The next step is cut while those jobs still count as active.
  await server.services.database.sql`delete from chunked_encodes where file_id = ${ids.fileId}`
  await createEncodeLadderHandler(cutting())(await hands.jobOf(ids), never, firstTry)
  expect(new Set(await keysOf(ids)).size).toBe(6)
})

test('leaves nothing when a project is deleted and restored during a chunked encode', async () => {
  const { ids, chunks } = await cut()
  await encode(chunks[0]!)
  await server.call('DELETE', `/projects/${projectId}?cascade=true`)
  await encode(chunks[1]!)
  await server.call('POST', `/projects/${projectId}/restore`)
  await hands.projectFiles(projectId)
  expect(await chunkRowsOf(ids)).toEqual([])
  await hands.process(ids)
  await encodeAll(ids)
  await expectWhole(ids)
})

test('leaves nothing when the last chunk of a file is given up', async () => {
  const { ids, chunks } = await cut()
  await encode(chunks[0]!)
  await hands.giveUp(ids)
  await removeDiscarded(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'degraded' })
  expect(await chunkRowsOf(ids)).toEqual([])
  const { found, named } = await storedBlobs(ids)
  expect(found).toEqual(named)
})

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../../../../test/support/media.ts'
import { startSecondNode } from '../../../../test/support/second-node.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { wantAhead } from '../../../library/files/on-demand/wanted-chunks.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { startWorker } from '../../../app/roles/worker.ts'
import { createOnDemandHands } from '../test-support/on-demand-hands.ts'
import { createRemoteBlobs } from '../test-support/remote-blobs.ts'
import { createMakeChunksHandler } from './make-chunks-handler.ts'
import { releaseChunk } from './claims/chunk-claims.ts'
import { claimWantedChunk } from './claims/claim-wanted-chunks.ts'

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }, { Height: 120 }] })
  sample = await makeSample({
    ...{ seconds: 58, size: '320x180' },
    extra: ['-preset', 'ultrafast', '-g', '60', '-sc_threshold', '0'],
  })
})

afterAll(() => server.stop())

const never = new AbortController().signal

const listed = async (project: object = {}) => hands.list(sample, await hands.newProject(project))

const get = (path: string, base = server.url) => fetch(`${base}${path}`, { redirect: 'manual' })
const textOf = async (path: string) => (await get(path)).text()

test('an address has only some segments of a playout encoded, and the source plays on', async () => {
  const { path, rungs, played } = await listed()
  const wanted = rungs.flatMap(({ Id }) =>
    Array.from({ length: 26 }, (_, index) => `${path}/${Id}/${index}.m4s`),
  )
  const answers = await Promise.all(wanted.map((one) => get(one)))
  const counted = Map.groupBy(answers, ({ status }) => status)
  expect(new Set(counted.keys())).toEqual(new Set([307, 429]))
  expect(counted.get(307)!.length).toBeLessThan(66)
  const [refused] = counted.get(429)!
  expect(refused!.headers.get('retry-after')).toBe('10')
  expect(refused!.headers.get('access-control-allow-origin')).toBe('*')
  expect((await get(`${path}/${played.Id}/0.m4s`)).status).toBe(200)
  await server.services.database.kysely.deleteFrom('on_demand_chunks').execute()
})

test('leaves out rungs of which nothing is encoded while encoders are late for the project', async () => {
  const { path, rungs } = await listed()
  const other = await listed()
  const first = `${rungs[0]!.Id}/playlist.m3u8`
  expect(await textOf(`${path}/main.m3u8`)).toContain(first)
  const segment = `${server.url}${path}/${rungs[0]!.Id}/0.m4s`
  const viewer = fetch(segment)
  await waitFor(
    () => textOf(`${path}/main.m3u8`),
    (text) => !text.includes(first),
  )
  expect(await textOf(`${path}/main.mpd`)).not.toContain(`id="${rungs[0]!.Id}"`)
  expect(await textOf(`${other.path}/main.m3u8`)).toContain(`${other.rungs[0]!.Id}/playlist.m3u8`)
  await hands.play(segment)
  await viewer
  expect(await textOf(`${path}/main.m3u8`)).toContain(first)
})

test('the download of a rung has all of it encoded, after what viewers want, and answers 202 until then', async () => {
  const { ids, path, rungs } = await listed()
  const [wanted, watched] = rungs
  const download = `${path}/download.mp4?rendition=${wanted!.Id}`
  const first = await get(download)
  expect(first.status).toBe(202)
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'retry-after': '5',
    refresh: '5',
    'cache-control': 'no-store',
  })
  expect(await first.json()).toEqual({ EncodingProgress: 0 })
  const asked = get(`${path}/${watched!.Id}/3.m4s`)
  const { kysely } = server.services.database
  await waitFor(
    () => kysely.selectFrom('on_demand_chunks').selectAll().where('rendition_id', '=', watched!.Id).execute(),
    ({ length }) => length > 0,
  )
  const next = await claimWantedChunk(server.workerDatabase)
  expect(next).toMatchObject({ renditionId: watched!.Id, number: 3, urgency: 'awaited' })
  await releaseChunk(server.workerDatabase, next!, 'interrupted')
  const { sql } = server.services.database
  const wakeUps = () => sql`select 1 from pgboss.job where name = 'file.chunks' and state <= 'active'`
  await sql`delete from pgboss.job where name = 'file.chunks'`
  expect((await get(download)).status).toBe(202)
  expect(await wakeUps()).toHaveLength(1)
  await hands.encodeWanted()
  await asked
  const whole = await get(download)
  expect(whole.status).toBe(200)
  expect(whole.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.from(await whole.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  expect((await hands.get(ids)).Renditions.find(({ Id }: { Id: number }) => Id === wanted!.Id)).toMatchObject(
    { State: 'ready', IsComplete: true },
  )
})

test('the download of a source that needs encoding is its highest rung, which is encoded for it', async () => {
  const projectId = await hands.newProject()
  const source = await makeSample({ seconds: 3, size: '320x180', videoCodec: 'mpeg4' })
  const ids = await hands.upload(projectId, source)
  await hands.process(ids)
  const file = await hands.get(ids)
  const download = new URL(file.Playouts[0].MP4).pathname
  expect((await get(download)).status).toBe(202)
  await hands.encodeWanted()
  const best = file.Renditions.find(({ Name }: { Name: string }) => Name === '120p')
  const whole = await get(download)
  expect(whole.status).toBe(200)
  expect(whole.headers.get('etag')).toBe((await get(`${download}?rendition=${best.Id}`)).headers.get('etag'))
})

test('an address has only some rungs encoded for downloads', async () => {
  const answers: number[] = []
  for (let file = 0; file < 2; file++) {
    const { path, rungs } = await listed()
    for (const { Id } of rungs) answers.push((await get(`${path}/download.mp4?rendition=${Id}`)).status)
    // A repeated request does not count.
    answers.push((await get(`${path}/download.mp4?rendition=${rungs[0]!.Id}`)).status)
  }
  // The tests before have used two of five.
  expect(answers).toEqual([202, 202, 202, 202, 429, 429, 429, 429])
  await server.services.database.kysely.deleteFrom('on_demand_chunks').execute()
})

test('encodes nothing more for a project that has used its minutes of the day', async () => {
  const { ids, path, rungs, played } = await listed()
  const { account_id: accountId } = await hands.rowOf(ids.fileId)
  await server.services.database.kysely
    .insertInto('on_demand_days')
    .values({
      ...{ account_id: accountId, project_id: ids.projectId, encoded_seconds: 3_000 * 60 },
      day: new Date().toISOString().slice(0, 10),
    })
    .execute()
  const main = await textOf(`${path}/main.m3u8`)
  expect(main).toContain(`${played.Id}/playlist.m3u8`)
  expect(main).not.toContain(`${rungs[0]!.Id}/playlist.m3u8`)
  expect((await get(`${path}/${rungs[0]!.Id}/0.m4s`)).status).toBe(404)
  expect((await get(`${path}/download.mp4?rendition=${rungs[0]!.Id}`)).status).toBe(404)
  expect((await get(`${path}/${played.Id}/0.m4s`)).status).toBe(200)
})

test('serves segments of protected media by signed links only', async () => {
  const { ids, path, rungs } = await listed({ TokenSecurity: true })
  const cold = `/${rungs[0]!.Id}/0.m4s`
  const other = await listed({ TokenSecurity: true })
  const foreign = await server.call(
    'POST',
    `/projects/${other.ids.projectId}/files/${other.ids.fileId}/playouts/sign`,
  )
  const foreignToken = /\/s\/[^/]+/.exec(foreign.body.HLS)?.[0] ?? ''
  for (const prefix of ['', '/s/none', foreignToken])
    expect((await get(`${prefix}${path}${cold}`)).status).toBe(403)
  expect((await get(`${path}/download.mp4?rendition=${rungs[0]!.Id}`)).status).toBe(403)
  const chunks = () =>
    server.services.database.kysely
      .selectFrom('on_demand_chunks')
      .select('number')
      .where('file_id', '=', ids.fileId)
      .execute()
  expect(await chunks()).toEqual([])
  expect(await claimWantedChunk(server.workerDatabase)).toBeNull()
  const signed = await server.call('POST', `/projects/${ids.projectId}/files/${ids.fileId}/playouts/sign`)
  const root = new URL(signed.body.HLS as string).pathname.replace('/main.m3u8', '')
  const asked = fetch(`${server.url}${root}${cold}`)
  await waitFor(chunks, ({ length }) => length > 0)
  await hands.encodeWanted()
  expect((await asked).status).toBe(200)
})

test('encodes from the ranges of a remote source, with the same bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-ranges-'))
  const remote = createRemoteBlobs(server.services.blobs, folder)
  const encode = async (blobs: BlobStore): Promise<string> => {
    const { path, rungs } = await listed()
    const { database, jobs } = server.services
    const before = { renditionId: rungs[0]!.Id, number: 8 }
    await wantAhead(database, jobs, before, { count: 1, isFirst: false })
    await createMakeChunksHandler(
      { ...hands.dependencies, blobs },
      { encoderCount: 2, areSourcesHere: blobs !== remote.blobs },
    )({ renditionId: 0 }, never)
    return `${path}/${rungs[0]!.Id}/9.m4s`
  }
  const urls = [await encode(server.services.blobs), await encode(remote.blobs)]
  expect(remote.fetchedBytes() / sample.length).toBeLessThan(0.6)
  // The encoder, and the copy that is kept for a while.
  expect(remote.uses).toEqual([false, false])
  const answers = await Promise.all(urls.map((url) => get(url)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [local, fetched] = await Promise.all(answers.map(async (one) => Buffer.from(await one.arrayBuffer())))
  expect(fetched!.length).toBeGreaterThan(1_000)
  expect(fetched!.equals(local!)).toBe(true)
  await remote.release()
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

test('two api nodes and two workers make each segment once', async () => {
  const workers = [
    await startWorker(await server.servicesOf('worker')),
    await startWorker(await server.servicesOf('worker')),
  ]
  const second = await startSecondNode(server)
  try {
    const projectId = await hands.newProject()
    const ids = await hands.upload(projectId, sample)
    const file = await waitFor(
      () => hands.get(ids),
      ({ Status }) => Status === 'finished',
    )
    const path = `/v/${file.Playouts[0].Id}`
    const rungs = file.Renditions.filter(({ State }: { State: string }) => State === 'on-demand') as {
      Id: number
    }[]
    expect(rungs).toHaveLength(3)
    const wanted = rungs.flatMap(({ Id }) => [0, 1, 12].map((index) => `${path}/${Id}/${index}.m4s`))
    const answers = await Promise.all(
      wanted.map(async (one) =>
        Promise.all(
          [server.url, second.url, server.url, second.url].map(async (base) => {
            const answer = await fetch(`${base}${one}`)
            return `${answer.status} ${Buffer.from(await answer.arrayBuffer()).toString('base64')}`
          }),
        ),
      ),
    )
    for (const bodies of answers) {
      expect(bodies[0]).toMatch(/^200 /)
      expect(new Set(bodies).size).toBe(1)
    }
    const rows = await server.services.database.kysely
      .selectFrom('on_demand_chunks')
      .select(['number', 'state', 'attempt'])
      .where('file_id', '=', ids.fileId)
      .where('number', 'in', [0, 1, 12])
      .execute()
    expect(rows.map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(Array(9).fill('ready 1'))
  } finally {
    await second.stop()
    for (const worker of workers) await worker.stop(2_000)
  }
})

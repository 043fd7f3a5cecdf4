import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames } from '../../../../test/support/media.ts'
import { startSecondNode } from '../../../../test/support/second-node.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createOnDemandHands, makeOnDemandSource } from '../test-support/on-demand-hands.ts'
import { evictRungs } from './eviction/evict-rungs.ts'
import { fillLadders } from './fill-ladders.ts'
import { claimFillingChunks, findRungToFill } from './claims/claim-filling-chunks.ts'

const never = new AbortController().signal

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let oneSegment: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, {
    Renditions: [{ Height: 90 }],
    VideoCodecs: ['h264', 'hevc', 'av1'],
  })
  oneSegment = await makeOnDemandSource(2)
})

afterAll(() => server.stop())

const sql = <T extends object>(query: TemplateStringsArray, ...values: unknown[]) =>
  server.services.database.sql<T[]>(query, ...(values as never[]))

type Listed = Awaited<ReturnType<typeof listed>>

const listed = async (encoder: object = {}, source = oneSegment) =>
  hands.list(source, await hands.newProject({ EncoderSettings: encoder }))

const get = (url: string) => hands.fetchMedia(url)

/** State of each video rendition by its name. */
const statesOf = async ({ ids }: Pick<Listed, 'ids'>) => {
  const { Renditions } = await hands.get(ids)
  const videos = (Renditions as { Name: string; State: string; Type: string }[]).filter(
    ({ Type }) => Type === 'video',
  )
  return Object.fromEntries(videos.map(({ Name, State }) => [Name, State]))
}

/** Plays the beginning of the source, as a viewer who stays on it. Returns when the node has recorded him. */
const watchSource = async ({ ids, file, path }: Listed, url = server.url) => {
  const source = file.Renditions.find(({ Name }: { Name: string }) => Name === 'source')
  expect((await get(`${url}${path}/${source.Id}/0.m4s`)).status).toBe(200)
  await waitFor(
    () => sql`
      select from on_demand_renditions o join renditions r on r.id = o.rendition_id
      where o.file_id = ${ids.fileId} and r.codec not like 'avc%'
        and coalesce(o.watched_at < now() - interval '1 minute', true)`,
    ({ length }) => length === 0,
  )
}

const fill = () => fillLadders(hands.dependencies, never)

const areReady = (states: Readonly<Record<string, string>>): boolean =>
  states['90p-hevc'] === 'ready' && states['90p-av1'] === 'ready'

const fillUntil = (made: Listed, isDone: typeof areReady) =>
  waitFor(async () => {
    // Jobs of other files would come first.
    await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
    await fill()
    return statesOf(made)
  }, isDone)

const cold = { source: 'ready', '90p': 'on-demand', '90p-hevc': 'on-demand', '90p-av1': 'on-demand' }

test('encodes HEVC and AV1 when a viewer has watched the file, offers them once they are complete, and evicts them later', async () => {
  const source = await makeOnDemandSource(4)
  const made = await listed({}, source)
  const { ids, file, base } = made
  expect(file).toMatchObject({ Status: 'finished', EncodingProgress: 100 })
  expect(await statesOf(made)).toEqual(cold)
  const manifests = async () =>
    (await Promise.all(['main.m3u8', 'main.mpd'].map((name) => get(`${base}/${name}`)))).map(({ body }) =>
      body.toString(),
    )
  for (const text of await manifests()) {
    expect(text).toContain('avc1.')
    expect(text).not.toMatch(/hvc1|av01/)
  }

  await fill()
  expect(await statesOf(made)).toEqual(cold)
  await watchSource(made)
  await fillUntil(made, areReady)
  expect(await statesOf(made)).toEqual({
    ...{ source: 'ready', '90p': 'on-demand', '90p-hevc': 'ready', '90p-av1': 'ready' },
  })
  for (const text of await manifests()) {
    expect(text).toMatch(/hvc1\./)
    expect(text).toMatch(/av01\./)
  }
  for (const name of ['90p-hevc', '90p-av1']) {
    const { Id, Size } = await hands.rungOf(ids, name)
    expect(await countFrames(`${base}/${Id}/playlist.m3u8`)).toBe(120)
    expect(Size).toBeGreaterThan(1_000)
    expect((await get(`${base}/download.mp4?rendition=${Id}`)).status).toBe(200)
  }
  const { storage_bytes } = await hands.rowOf(ids.fileId)
  const { Renditions } = await hands.get(ids)
  const ofRungs = Renditions.map(({ Name, Size }: { Name: string; Size: number }) =>
    Name === 'source' ? 0 : Size,
  )
  expect(storage_bytes).toBeGreaterThanOrEqual(
    ofRungs.reduce((sum: number, size: number) => sum + size, source.length),
  )
  // What idle workers encode does not count for the limit of the day.
  expect(await sql`select from on_demand_days where project_id = ${ids.projectId}`).toEqual([])

  const { Id } = await hands.rungOf(ids, '90p-hevc')
  const evictAfter = async (days: number) => {
    await sql`
      update on_demand_renditions set watched_at = now() - make_interval(days => ${days}::int),
        made_at = now() - make_interval(days => ${days}::int)
      where file_id = ${ids.fileId}`
    await evictRungs(hands.dependencies, 30)
  }
  await evictAfter(29)
  expect(await hands.rungOf(ids, '90p-hevc')).toMatchObject({ Id, State: 'ready' })
  // Repeated, because the last viewer may be recorded just now.
  await waitFor(
    async () => {
      await evictAfter(31)
      return hands.rungOf(ids, '90p-hevc')
    },
    (rung) => rung.Id !== Id,
  )
  expect(await statesOf(made)).toEqual(cold)
  await fill()
  expect(await statesOf(made)).toEqual(cold)
  // The first node has recorded the viewer already, within this hour.
  const second = await startSecondNode(server)
  try {
    await watchSource(made, second.url)
  } finally {
    await second.stop()
  }
  await fillUntil(made, areReady)
})

test('encodes nothing of HEVC and AV1 for a request of a segment, which is 404', async () => {
  const made = await listed()
  const { ids, base } = made
  for (const name of ['90p-hevc', '90p-av1']) {
    const { Id } = await hands.rungOf(ids, name)
    expect((await get(`${base}/${Id}/0.m4s`)).status).toBe(404)
    expect((await get(`${base}/${Id}/aligned/0.m4s`)).status).toBe(404)
  }
  expect(await hands.chunksOf(ids.fileId)).toEqual([])
})

test('encodes an HEVC rung whole for its download', async () => {
  const { ids, base } = await listed()
  const { Id } = await hands.rungOf(ids, '90p-hevc')
  const url = `${base}/download.mp4?rendition=${Id}`
  expect((await get(url)).status).toBe(202)
  await hands.encodeWanted()
  expect(await countFrames(url)).toBe(60)
})

test('idle workers take watched rungs first, then H.264 of all files, then HEVC and AV1', async () => {
  await sql`update renditions set state = 'complete' where state = 'on_demand'`
  const first = await listed({ LadderMode: 'auto' })
  const second = await listed({ LadderMode: 'auto' })
  const third = await listed()
  for (const made of [second, third]) await watchSource(made)
  const names = new Map([first, second, third].map(({ ids }, index) => [ids.fileId, index + 1]))
  const claimed: string[] = []
  for (;;) {
    const { database } = hands.dependencies
    const next = await findRungToFill(database, [])
    if (next === null) break
    for (const { renditionId } of await claimFillingChunks(database, next)) {
      const [row] = await sql<{ file: number; codec: string }>`
        update renditions set state = 'complete' where id = ${renditionId}
        returning file_id::float8 as file, left(codec, 4) as codec`
      claimed.push(`${row!.codec} of ${names.get(row!.file)}`)
    }
  }
  expect(claimed).toEqual([
    ...['hvc1 of 3', 'av01 of 3', 'hvc1 of 2', 'av01 of 2'],
    ...['avc1 of 1', 'avc1 of 2', 'hvc1 of 1', 'av01 of 1'],
  ])
})

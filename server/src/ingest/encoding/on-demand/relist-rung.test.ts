import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { initBlob } from '../../../library/files/media/media-blobs.ts'
import { createOnDemandHands, makeOnDemandSource } from '../test-support/on-demand-hands.ts'
import { fillLadders } from './fill-ladders.ts'
import { createMakeChunksHandler } from './make-chunks-handler.ts'

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }] })
  sample = await makeOnDemandSource(6)
})

afterAll(() => server.stop())

type Listed = Awaited<ReturnType<typeof hands.list>>

const never = new AbortController().signal
const sql = <T extends object>(query: TemplateStringsArray, ...values: unknown[]) =>
  server.services.database.sql<T[]>(query, ...(values as never[]))

const listed = async (encoder: object = {}): Promise<Listed> =>
  hands.list(sample, await hands.newProject({ EncoderSettings: encoder }))

/** As if another ffmpeg had listed the rungs. */
const changeSettings = async ({ ids }: Listed): Promise<void> => {
  const { blobs } = server.services
  const rows = await sql<{ id: number; media_blob: string }>`
    select id::float8, media_blob from renditions r where file_id = ${ids.fileId}
      and exists (select from on_demand_renditions o where o.rendition_id = r.id) and state = 'on_demand'`
  expect(rows.length).toBeGreaterThan(0)
  for (const { id, media_blob } of rows) {
    const init = await blobs.read(initBlob(media_blob))
    // The sequence parameter set begins with the profile.
    const profileAt = init.indexOf('avcC') + 5
    init[profileAt] = init[profileAt] === 100 ? 77 : 100
    await blobs.put(initBlob(media_blob), init)
    const hash = createHash('sha256').update(init).digest('base64')
    await sql`
      update on_demand_renditions set plan = jsonb_set(plan, '{initSegmentHash}', to_jsonb(${hash}::text)) where rendition_id = ${id}`
  }
}

/** As if viewers waited for these segments, and encoding them had failed that often. */
const wantChunks = async (renditionId: number, numbers: readonly number[], failures = 0): Promise<void> => {
  await sql`
    insert into on_demand_chunks (rendition_id, number, account_id, file_id, wanted_until, awaited_until, failures)
    select rendition_id, number, account_id, file_id, now() + interval '1 minute', now() + interval '1 minute', ${failures}
    from on_demand_renditions, unnest(${[...numbers]}::int[]) number where rendition_id = ${renditionId}`
}

const countsOf = async ({ ids }: Listed) => ({
  file: (await hands.rowOf(ids.fileId)).storage_bytes,
  project: (await server.call('GET', `/projects/${ids.projectId}`)).body.StorageBytes as number,
})

const initsOf = async ({ ids }: Listed): Promise<string[]> => {
  const { account_id, project_id } = await hands.rowOf(ids.fileId)
  const names = await server.services.blobs.list(`a${account_id}/p${project_id}/f${ids.fileId}/`)
  return names.filter((name) => name.endsWith('/init.mp4'))
}

test('lists a rung again when the decoder settings differ, and the viewer gets the segment', async () => {
  const made = await listed()
  const { ids, base, rungs } = made
  const before = await countsOf(made)
  const [rung] = rungs
  await wantChunks(rung!.Id, [0])
  await hands.encodeWanted()
  const first = await hands.fetchMedia(`${base}/${rung!.Id}/0.m4s`)
  expect(first.status).toBe(200)
  await sql`delete from on_demand_chunks where rendition_id = ${rung!.Id} and state <> 'ready'`
  expect((await countsOf(made)).file).toBeGreaterThan(before.file)
  await changeSettings(made)
  const formerInit = await hands.fetchMedia(`${base}/${rung!.Id}/init.mp4`)
  const playlist = await hands.fetchMedia(`${base}/${rung!.Id}/playlist.m3u8`)
  const end = await hands.countSegments(`${base}/${rung!.Id}/playlist.m3u8`)
  const { body, status } = await hands.play(`${base}/${rung!.Id}/${end - 1}.m4s`)
  expect(status).toBe(200)
  const current = await hands.rungOf(ids, '90p')
  expect(current.Id).not.toBe(rung!.Id)
  expect(current.PeakBitRate).toBe(rung!.PeakBitRate)
  const own = await hands.fetchMedia(`${base}/${current.Id}/${end - 1}.m4s`)
  expect(own.body.equals(body)).toBe(true)
  expect((await hands.fetchMedia(`${base}/${current.Id}/init.mp4`)).body.equals(formerInit.body)).toBe(false)
  const times = (text: Buffer) => text.toString().match(/#EXTINF:[\d.]+/g)
  expect(times((await hands.fetchMedia(`${base}/${current.Id}/playlist.m3u8`)).body)).toEqual(
    times(playlist.body),
  )
  const main = (await hands.fetchMedia(`${base}/main.m3u8`)).body.toString()
  expect(main).toContain(`${current.Id}/playlist.m3u8`)
  expect(main).not.toContain(`${rung!.Id}/`)
  // A viewer with the former playlist keeps what there is.
  expect((await hands.fetchMedia(`${base}/${rung!.Id}/0.m4s`)).body.equals(first.body)).toBe(true)
  for (let index = 0; index < end; index++)
    expect((await hands.play(`${base}/${current.Id}/${index}.m4s`)).status).toBe(200)
  const complete = await hands.rungOf(ids, '90p')
  expect(complete).toMatchObject({ Id: current.Id, State: 'ready' })
  const counts = await countsOf(made)
  expect(counts).toEqual({ file: before.file + complete.Size, project: before.file + complete.Size })
  const download = await hands.fetchMedia(`${base}/download.mp4?rendition=${rung!.Id}`)
  expect(download.status).toBe(200)
  await hands.removeAllGarbage()
  expect((await hands.fetchMedia(`${base}/${rung!.Id}/playlist.m3u8`)).status).toBe(404)
  expect(await initsOf(made)).toHaveLength(2)
})

test('idle workers fill a rung that is listed again, even without viewers', async () => {
  const made = await listed({ LadderMode: 'auto' })
  await changeSettings(made)
  await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
  await sql`update on_demand_chunks set wanted_until = now() - interval '1 second'`
  const filled = await waitFor(
    async () => {
      await fillLadders(hands.dependencies, never)
      return (await hands.describe(made.ids)).rungs
    },
    (rungs) => rungs.every(({ State }) => State === 'ready'),
  )
  for (const [index, { Id, Name }] of filled.entries()) {
    expect(Name).toBe(made.rungs[index]!.Name)
    expect(Id).not.toBe(made.rungs[index]!.Id)
  }
})

test('two workers list a rung again only once', async () => {
  const made = await listed()
  const [rung] = made.rungs
  await changeSettings(made)
  await wantChunks(rung!.Id, [0, 1], 2)
  await Promise.all([hands.encodeWanted(), hands.encodeWanted()])
  const rows = await sql<{ former: number; successor: number }>`
    select former_id::float8 as former, rendition_id::float8 as successor from evicted_renditions where file_id = ${made.ids.fileId}`
  expect(rows).toEqual([{ former: rung!.Id, successor: (await hands.rungOf(made.ids, '90p')).Id }])
  await hands.removeAllGarbage()
  expect(await initsOf(made)).toHaveLength(2)
})

test('another worker lists a rung again when the first one is killed before', async () => {
  const made = await listed()
  const [rung] = made.rungs
  await changeSettings(made)
  const counts = await countsOf(made)
  const inits = await initsOf(made)
  await wantChunks(rung!.Id, [1], 2)
  const { blobs } = server.services
  const died = new Error('killed')
  const dying: typeof blobs = {
    ...blobs,
    put: async (...args) => {
      await blobs.put(...args)
      throw died
    },
  }
  const dependencies = { ...hands.dependencies, blobs: dying }
  await expect(
    createMakeChunksHandler(dependencies, { encoderCount: 1, areSourcesHere: true })(
      { renditionId: 0 },
      never,
    ),
  ).rejects.toThrow('killed')
  expect((await hands.rungOf(made.ids, '90p')).Id).toBe(rung!.Id)
  expect(await countsOf(made)).toEqual(counts)
  await hands.removeAllGarbage()
  expect(await initsOf(made)).toEqual(inits)
  await sql`
    update on_demand_chunks set leased_until = now() - interval '1 second', wanted_until = now() + interval '1 minute'
    where rendition_id = ${rung!.Id}`
  await hands.encodeWanted()
  expect((await hands.rungOf(made.ids, '90p')).Id).not.toBe(rung!.Id)
})

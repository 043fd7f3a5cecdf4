import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeMedia, makeSample } from '../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { BlobStoreUnavailableError, StorageFullError } from '../../../platform/blobs/blob-store.ts'
import { createOnDemandHands } from '../test-support/on-demand-hands.ts'
import { fillLadders } from './fill-ladders.ts'
import { createMakeChunksHandler } from './make-chunks-handler.ts'
import { claimWantedChunk } from './claims/claim-wanted-chunks.ts'
import type { OnDemandPlan } from './plan/plan-on-demand.ts'

const rungs = [{ Height: 64 }, { Height: 90 }, { Height: 180 }]

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let projectId: number
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: rungs })
  projectId = await hands.newProject()
  sample = await makeSample({
    ...{ seconds: 24, size: '320x180' },
    extra: ['-g', '50', '-sc_threshold', '0', '-force_key_frames', '3.3,5.4,12.1,13,17.8'],
  })
})

afterAll(() => server.stop())

const never = new AbortController().signal

const listed = (bytes = sample, project = projectId) => hands.list(bytes, project)
const get = (url: string) => hands.fetchMedia(url)
/** On a busy machine, a segment takes longer than a request is held. */

const rungsOf = (fileId: number) =>
  server.services.database.kysely
    .selectFrom('renditions')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('kind', '=', 'video')
    .where('delivery', '=', 'packaged')
    .orderBy('height_pixels')
    .execute()

const renditionOf = async (ids: { projectId: number; fileId: number }, renditionId: number) =>
  (await hands.get(ids)).Renditions.find(({ Id }: { Id: number }) => Id === renditionId)

const chunksOf = (renditionId: number) =>
  server.services.database.kysely
    .selectFrom('on_demand_chunks')
    .selectAll()
    .where('rendition_id', '=', renditionId)
    .orderBy('number')
    .execute()

test('finishes a file as soon as it is packaged, with every rung and segment listed', async () => {
  const { ids, file, base } = await listed()
  expect(file).toMatchObject({ Status: 'finished', LadderMode: 'on-demand', EncodingProgress: 100 })
  expect(await hands.eventsOf(ids.fileId)).toEqual(
    expect.arrayContaining(['file.playable', 'file.encoded', 'file.new']),
  )
  expect(
    file.Renditions.filter(({ Type }: { Type: string }) => Type === 'video').map(
      (one: Record<string, unknown>) => [one['Name'], one['State'], one['IsComplete'], one['Size']],
    ),
  ).toEqual([
    ['source', 'ready', true, expect.any(Number)],
    ['90p', 'on-demand', false, 0],
    ['64p', 'on-demand', false, 0],
  ])
  const main = (await get(`${base}/main.m3u8`)).body.toString()
  expect(main.match(/RESOLUTION=(\d+x\d+)/g)?.slice(0, 3)).toEqual([
    'RESOLUTION=320x180',
    'RESOLUTION=160x90',
    'RESOLUTION=114x64',
  ])
  const source = file.Renditions[0].Id as number
  const own = (await get(`${base}/${source}/playlist.m3u8`)).body.toString()
  const durationsOf = (text: string) =>
    [...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds))
  const startsOf = (durations: readonly number[]) =>
    durations.reduce<number[]>((starts, seconds) => [...starts, starts.at(-1)! + seconds], [0])
  for (const { id } of await rungsOf(ids.fileId)) {
    const playlist = (await get(`${base}/${id}/playlist.m3u8`)).body.toString()
    expect(playlist).toContain('#EXT-X-ENDLIST')
    const durations = durationsOf(playlist)
    expect(Math.max(...durations)).toBeLessThan(2.2)
    const starts = startsOf(durations)
    for (const start of startsOf(durationsOf(own)))
      expect(Math.min(...starts.map((one) => Math.abs(one - start)))).toBeLessThan(0.05)
  }
  const dash = (await get(`${base}/main.mpd`)).body.toString()
  expect(dash.match(/<Representation[^>]*height/g)).toHaveLength(3)
})

test('encodes a segment when it is requested, once for all viewers, with the settings that were declared', async () => {
  const { ids, base } = await listed()
  const [rung] = await rungsOf(ids.fileId)
  const init = await get(`${base}/${rung!.id}/init.mp4`)
  expect(init.status).toBe(200)
  const answers = await hands.served(() =>
    Promise.all(Array.from({ length: 20 }, () => hands.load(`${base}/${rung!.id}/2.m4s`))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(answers.map(({ body }) => body.toString('base64'))).size).toBe(1)
  const segments = JSON.parse(rung!.segments) as [number, number, number][]
  const [made] = (await chunksOf(rung!.id)).filter(({ number }) => number === 2)
  expect(made).toMatchObject({ state: 'ready', attempt: 1 })
  expect(made!.segment).toMatchObject({ startTicks: segments[2]![0], durationTicks: segments[2]![1] })
  expect((made!.segment as { sizeBytes: number }).sizeBytes).toBeLessThanOrEqual(segments[2]![2])
  const one = await waitFor(
    () => renditionOf(ids, rung!.id),
    ({ State }) => State === 'partial',
  )
  expect(one.Size).toBeGreaterThan(init.body.length)
})

test('declares a peak that the worst pictures come close to and do not exceed', async () => {
  const ceiling = 150_000
  const project = await hands.newProject({
    EncoderSettings: { LadderMode: 'on-demand', Renditions: [{ Height: 90, VideoBitRate: ceiling }] },
  })
  // No frame helps to predict another one; every second segment begins grey, and so saves bits for its end.
  const noise = "noise=alls=100:allf=t+u:enable='not(between(mod(n,120),60,75))'"
  const source = await makeMedia([
    ...['-f', 'lavfi', '-i', `color=gray:size=320x180:rate=30:duration=8,${noise}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-b:v', '4M', '-g', '60'],
  ])
  const { ids, base } = await listed(source, project)
  const [rung] = await rungsOf(ids.fileId)
  const declared = JSON.parse(rung!.segments) as [number, number, number][]
  expect(declared).toHaveLength(4)
  for (const index of declared.keys())
    expect((await hands.play(`${base}/${rung!.id}/${index}.m4s`)).status).toBe(200)
  const made = (await chunksOf(rung!.id)).map(({ segment }) => (segment as { sizeBytes: number }).sizeBytes)
  for (const [index, bytes] of made.entries()) expect(bytes).toBeLessThanOrEqual(declared[index]![2])
  const madePeak = (Math.max(...made) * 8) / 2
  expect(madePeak).toBeLessThanOrEqual(rung!.peak_bits_per_second)
  expect(madePeak).toBeGreaterThan(ceiling)
  expect(rung!.peak_bits_per_second).toBeLessThan(1.45 * ceiling)
})

test('sends a player that has waited for two seconds to the same address again, and never answers with an error of the server', async () => {
  const { ids, base } = await listed()
  const [rung] = await rungsOf(ids.fileId)
  const startedMs = performance.now()
  const first = await get(`${base}/${rung!.id}/1.m4s?CMCD=sid%3D%22x%22`)
  expect(performance.now() - startedMs).toBeLessThan(2_600)
  expect(first.status).toBe(307)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.headers.get('location')).toBe('1.m4s?CMCD=sid%3D%22x%22&wait=1')
  expect((await get(`${base}/${rung!.id}/1.m4s?wait=4`)).status).toBe(404)
  const answer = await hands.play(`${base}/${rung!.id}/1.m4s`)
  expect(answer.status).toBe(200)
  expect((await get(`${base}/${rung!.id}/99.m4s`)).status).toBe(404)
})

test('gives a chunk to one encoder at a time, and to another one when the lease of the first ends', async () => {
  const { ids, base } = await listed()
  const [rung] = await rungsOf(ids.fileId)
  const asked = get(`${base}/${rung!.id}/3.m4s`)
  const database = server.workerDatabase
  const first = await waitFor(
    () => claimWantedChunk(database),
    (claimed) => claimed !== null,
  )
  expect(first).toMatchObject({ renditionId: rung!.id, number: 3, attempt: 1, urgency: 'awaited' })
  const others = await Promise.all(Array.from({ length: 5 }, () => claimWantedChunk(database)))
  expect(others.filter((one) => one?.number === 3)).toEqual([])
  await server.services.database.kysely
    .updateTable('on_demand_chunks')
    .set({ leased_until: new Date(Date.now() - 1_000) })
    .where('rendition_id', '=', rung!.id)
    .execute()
  await asked
  const answer = await hands.play(`${base}/${rung!.id}/3.m4s`)
  expect(answer.status).toBe(200)
  const [row] = (await chunksOf(rung!.id)).filter(({ number }) => number === 3)
  expect(row).toMatchObject({ state: 'ready', attempt: 2 })
})

test('turns a rung into an ordinary one when all its segments are there', async () => {
  const { ids, base } = await listed()
  const [rung] = await rungsOf(ids.fileId)
  const count = (JSON.parse(rung!.segments) as unknown[]).length
  const bodies: Buffer[] = []
  for (let index = 0; index < count; index++)
    bodies.push((await hands.play(`${base}/${rung!.id}/${index}.m4s`)).body)
  const complete = await waitFor(
    () => renditionOf(ids, rung!.id),
    ({ State }) => State === 'ready',
  )
  expect(complete.IsComplete).toBe(true)
  const [after] = (await rungsOf(ids.fileId)).filter(({ id }) => id === rung!.id)
  const sizes = (JSON.parse(after!.segments) as number[][]).map(([, , size]) => size)
  expect(sizes).toEqual(bodies.map(({ length }) => length))
  expect(after!.peak_bits_per_second).toBeLessThanOrEqual(rung!.peak_bits_per_second)
  const row = await hands.rowOf(ids.fileId)
  expect(row.storage_bytes).toBeGreaterThanOrEqual(sample.length + complete.Size)
  const movie = await get(`${base}/download.mp4?rendition=${rung!.id}`)
  expect(movie.status).toBe(200)
  expect((await get(`${base}/${rung!.id}/iframes.m3u8`)).status).toBe(200)
})

test('encodes at once what cannot be encoded on demand, and with LadderMode eager', async () => {
  const eager = await listed(
    sample,
    await hands.newProject({ EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 90 }] } }),
  )
  expect(eager.file.Status).toBe('playable')
  expect(await rungsOf(eager.ids.fileId)).toEqual([])
  const stream = await makeSample({ seconds: 3, size: '320x180', videoCodec: 'mpeg2video', format: 'ts' })
  const { file } = await listed(stream)
  expect(file.Status).toBe('playable')
})

test('finishes a source that needs encoding when its first rung is there, and encodes the others on demand', async () => {
  const source = await makeSample({
    seconds: 9,
    size: '320x180',
    videoCodec: 'mpeg4',
    extra: ['-g', '75', '-bf', '2'],
  })
  const { ids, file, base } = await listed(source)
  expect(file).toMatchObject({ Status: 'finished', IsFinished: true, EncodingProgress: 100 })
  const stateOf = (name: string) => file.Renditions.find(({ Name }: { Name: string }) => Name === name)
  const low = stateOf('64p')
  const top = stateOf('180p')
  expect(low).toMatchObject({ State: 'ready', IsComplete: true })
  expect(top).toMatchObject({ State: 'on-demand', IsComplete: false, Size: 0 })
  const main = (await get(`${base}/main.m3u8`)).body.toString()
  expect(/^(\d+)\/playlist/m.exec(main)?.[1]).toBe(String(low.Id))
  const [row] = (await rungsOf(ids.fileId)).filter(({ id }) => id === top.Id)
  const segments = JSON.parse(row!.segments) as [number, number][]
  for (const index of segments.keys())
    expect((await hands.play(`${base}/${top.Id}/${index}.m4s`)).status).toBe(200)
  const eager = await hands.newProject({ EncoderSettings: { LadderMode: 'eager', Renditions: rungs } })
  const whole = await listed(source, eager)
  await hands.ladder(whole.ids)
  const inOneRun = (await hands.get(whole.ids)).Renditions.find(
    ({ Name }: { Name: string }) => Name === top.Name,
  )
  expect(await countFrames(`${base}/${top.Id}/playlist.m3u8`)).toBe(
    await countFrames(`${whole.base}/${inOneRun.Id}/playlist.m3u8`),
  )
})

test('keeps the mode of a file when that of its project changes', async () => {
  const project = await hands.newProject({ EncoderSettings: { LadderMode: 'on-demand' } })
  const ids = await hands.upload(project, sample)
  await server.call('PUT', `/projects/${project}`, { body: { EncoderSettings: { LadderMode: null } } })
  await hands.process(ids)
  expect(await hands.get(ids)).toMatchObject({ LadderMode: 'on-demand', Status: 'finished' })
  const later = await hands.upload(project, sample)
  expect(await hands.get(later)).toMatchObject({ LadderMode: 'auto' })
})

test('withdraws a rung that cannot be encoded, and the file plays on', async () => {
  const { ids, base } = await listed()
  const [rung] = await rungsOf(ids.fileId)
  const { plan } = await server.services.database.kysely
    .selectFrom('on_demand_renditions')
    .select('plan')
    .where('rendition_id', '=', rung!.id)
    .executeTakeFirstOrThrow()
  // No segment is as long as this plan says.
  const changed = { ...(plan as unknown as OnDemandPlan), timescale: 1 }
  await server.services.database.kysely
    .updateTable('on_demand_renditions')
    .set({ plan: JSON.stringify(changed) })
    .where('rendition_id', '=', rung!.id)
    .execute()
  // On a busy machine, a viewer gives up before the third attempt.
  await waitFor(
    async () => {
      const { status } = await hands.served(() => fetch(`${base}/${rung!.id}/0.m4s`))
      expect(status).toBe(404)
      return rungsOf(ids.fileId)
    },
    ({ length }) => length === 1,
  )
  expect((await get(`${base}/main.m3u8`)).body.toString()).not.toContain(`${rung!.id}/`)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
})

test('keeps a rung while the media storage is unavailable or full, and encodes it afterwards', async () => {
  const { ids, base } = await listed()
  const [rung] = await rungsOf(ids.fileId)
  const { blobs } = server.services
  const unavailable: typeof blobs = {
    ...blobs,
    withLocalFile: () => Promise.reject(new BlobStoreUnavailableError('no answer')),
  }
  const full: typeof blobs = { ...blobs, put: () => Promise.reject(new StorageFullError()) }
  const { account_id: accountId } = await hands.rowOf(ids.fileId)
  await server.services.database.kysely
    .insertInto('on_demand_chunks')
    .values({
      ...{
        rendition_id: rung!.id,
        number: 1,
        account_id: accountId,
        file_id: ids.fileId,
        awaited_until: new Date(Date.now() + 60_000),
      },
      wanted_until: new Date(Date.now() + 60_000),
    })
    .execute()
  for (const broken of [unavailable, full])
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(
        createMakeChunksHandler(
          { ...hands.dependencies, blobs: broken },
          { encoderCount: 1, areSourcesHere: true },
        )({ renditionId: rung!.id }, never),
      ).rejects.toThrow(broken === full ? StorageFullError : BlobStoreUnavailableError)
  expect(await chunksOf(rung!.id)).toMatchObject([{ number: 1, state: 'absent', attempt: 6, failures: 0 }])
  expect((await hands.play(`${base}/${rung!.id}/1.m4s`)).status).toBe(200)
})

test('fills the ladders of files with LadderMode auto while nothing else is to do, those of watched files first', async () => {
  const settings = { LadderMode: 'auto', Renditions: [{ Height: 64 }, { Height: 90 }] }
  const project = await hands.newProject({ EncoderSettings: settings })
  const short = await makeSample({ seconds: 6, size: '320x180', extra: ['-preset', 'ultrafast'] })
  const other = await listed(short, project)
  const { ids, base } = await listed(short, project)
  const [unwatched] = await rungsOf(other.ids.fileId)
  const [low, high] = await rungsOf(ids.fileId)
  const { kysely, sql } = server.services.database
  const setWanted = (until: Date) =>
    kysely.updateTable('on_demand_chunks').set({ wanted_until: until }).execute()
  await sql`update on_demand_renditions set watched_at = now() where rendition_id = ${low!.id}`
  await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
  const { account_id: accountId } = await hands.rowOf(ids.fileId)
  await kysely
    .insertInto('on_demand_chunks')
    .values({
      ...{ rendition_id: high!.id, number: 2, account_id: accountId, file_id: ids.fileId },
      wanted_until: new Date(Date.now() + 60_000),
    })
    .execute()
  await fillLadders(hands.dependencies, never)
  expect(await chunksOf(low!.id)).toEqual([])
  await setWanted(new Date(Date.now() - 1_000))
  await sql`insert into pgboss.job (name, data) values ('file.ladder', '{}')`
  await fillLadders(hands.dependencies, never)
  expect(await chunksOf(low!.id)).toEqual([])
  await sql`delete from pgboss.job where name in ('file.ladder', 'file.process')`
  for (const file of [ids, other.ids])
    await waitFor(
      async () => {
        await fillLadders(hands.dependencies, never)
        return hands.get(file)
      },
      ({ Renditions }) => Renditions.every(({ State }: { State: string }) => State === 'ready'),
    )
  const begunMs = async (renditionId: number) =>
    (await chunksOf(renditionId)).map(({ wanted_at }) => wanted_at.getTime())
  expect(Math.max(...(await begunMs(low!.id)))).toBeLessThan(Math.min(...(await begunMs(unwatched!.id))))

  const alone = await listed(
    short,
    await hands.newProject({ EncoderSettings: { ...settings, LadderMode: 'on-demand' } }),
  )
  // The last segment, because a run cannot continue after it.
  for (const [index, { id }] of (await rungsOf(alone.ids.fileId)).entries()) {
    const filled = await get(`${base}/${[low, high][index]!.id}/2.m4s`)
    expect(filled.status).toBe(200)
    expect((await hands.play(`${alone.base}/${id}/2.m4s`)).body.equals(filled.body)).toBe(true)
  }
})

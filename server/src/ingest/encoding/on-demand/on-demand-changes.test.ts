import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample } from '../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createPurgeFilesHandler } from '../../../library/files/jobs/purge-file-handler.ts'
import { wantAhead } from '../../../library/files/on-demand/wanted-chunks.ts'
import { createProcessFileHandler } from '../handlers/process-file-handler.ts'
import { damageFrames } from '../test-support/damaged-source.ts'
import { holdBlobs } from '../test-support/hold-blobs.ts'
import { createOnDemandHands, makeOnDemandSource } from '../test-support/on-demand-hands.ts'
import { createMakeChunksHandler } from './make-chunks-handler.ts'

/** Changes of a file and its project while its rungs are encoded on demand, and damaged sources. */

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

const never = new AbortController().signal
const frameRate = 30

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_ONDEMAND_MINUTES_PER_DAY: '2' } })
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }] })
  sample = await makeOnDemandSource(8)
})

afterAll(() => server.stop())

test('the ETag of an editor stays valid for If-Match and LastUpdateAt stays, while viewers have segments encoded', async () => {
  const { ids, base, rungs } = await hands.list(sample, await hands.newProject())
  const path = `/projects/${ids.projectId}/files/${ids.fileId}`
  const etagOf = ({ headers }: Awaited<ReturnType<typeof server.call>>): string => headers.get('etag') ?? ''
  const put = (title: string, etag: string) =>
    server.call('PUT', path, { body: { Metadata: { Title: title } }, headers: { 'If-Match': etag } })
  const before = await server.call('GET', path)
  for (const { Id } of rungs) expect((await hands.play(`${base}/${Id}/0.m4s`)).status).toBe(200)
  const watched = await waitFor(
    () => server.call('GET', path),
    ({ body }) => body.Renditions.every(({ State }: { State: string }) => State !== 'on-demand'),
  )
  // Caches must load the new record.
  expect(etagOf(watched)).not.toBe(etagOf(before))
  expect(watched.body.LastUpdateAt).toBe(before.body.LastUpdateAt)
  const first = await put('first', etagOf(before))
  expect(first.status).toBe(200)
  for (const etag of [etagOf(before), etagOf(watched)]) expect((await put('late', etag)).status).toBe(412)
  expect((await put('second', etagOf(first))).status).toBe(200)
  expect((await put('late', etagOf(first))).status).toBe(412)
  expect((await put('any', '*')).status).toBe(200)
})

test('a source can be replaced with the ETag from before viewers had segments encoded, not with that from before an edit', async () => {
  const { ids, base, rungs } = await hands.list(sample, await hands.newProject())
  const path = `/projects/${ids.projectId}/files/${ids.fileId}`
  const etag = async (): Promise<string> => (await server.call('GET', path)).headers.get('etag') ?? ''
  const replace = (ifMatch: string) =>
    server.call('PUT', `${path}/replace`, {
      body: { FileName: 'new.mp4' },
      headers: { 'If-Match': ifMatch },
    })
  const first = await etag()
  expect((await hands.play(`${base}/${rungs[0]!.Id}/0.m4s`)).status).toBe(200)
  await waitFor(etag, (now) => now !== first)
  expect((await replace(first)).status).toBe(200)
  await server.call('PUT', `${path}/metadata`, { body: { Title: 'Edited' } })
  expect((await replace(first)).status).toBe(412)
})

/** Encodes the first chunk of a rung, and waits where its segment is to be stored. */
const encodeUntilStored = async (renditionId: number) => {
  const { database, jobs, blobs: store } = server.services
  await wantAhead(database, jobs, { renditionId, number: 0 }, { count: 1, isFirst: true })
  const { blobs, reached, release } = holdBlobs(store, /1\.m4s$/)
  const run = createMakeChunksHandler(
    { ...hands.dependencies, blobs },
    { encoderCount: 2, areSourcesHere: true },
  )({ renditionId: 0 }, never)
  await reached
  return { run, release }
}

test.each([
  ['of a file', false],
  ['of a file that was moved to another project', true],
])('a segment %s that is stored after the purge leaves nothing behind', async (_name, isMoved) => {
  const { ids, rungs } = await hands.list(sample, await hands.newProject())
  const projectId = isMoved ? await hands.newProject() : ids.projectId
  if (isMoved) {
    const path = `/projects/${ids.projectId}/files/${ids.fileId}/move`
    expect((await server.call('POST', path, { body: { ProjectId: projectId } })).status).toBe(200)
  }
  const { blobs: store } = server.services
  const { run, release } = await encodeUntilStored(rungs[0]!.Id)
  await server.call('DELETE', `/projects/${projectId}/files/${ids.fileId}`)
  await hands.purge({ projectId, fileId: ids.fileId })
  release()
  await run
  for (const project of [ids.projectId, projectId])
    expect(await store.list(`a1/p${project}/f${ids.fileId}/`)).toEqual([])
})

test('a segment that is stored between the two steps of a purge is deleted', async () => {
  const { ids, rungs } = await hands.list(sample, await hands.newProject())
  const { blobs: store } = server.services
  const { run, release } = await encodeUntilStored(rungs[0]!.Id)
  await server.call('DELETE', `/projects/${ids.projectId}/files/${ids.fileId}`)
  const file = await hands.rowOf(ids.fileId)
  const whileStored = async (names: readonly string[]): Promise<void> => {
    await store.deleteAll(names)
    release()
    await run
  }
  await createPurgeFilesHandler({ ...hands.dependencies, blobs: { ...store, deleteAll: whileStored } })([
    { ...ids, accountId: file.account_id, deletedAtMs: file.deleted_at!.getTime() },
  ])
  expect(await store.list(`a1/p${ids.projectId}/f${ids.fileId}/`)).toEqual([])
})

test('a viewer of a former revision gets 404 for what it lacks at once, and nothing is encoded', async () => {
  // Encoders run ahead by six segments.
  const { ids, base, rungs } = await hands.list(await makeOnDemandSource(24), await hands.newProject())
  const former = rungs[0]!.Id
  expect((await hands.play(`${base}/${former}/0.m4s`)).status).toBe(200)
  const retried = await server.call('POST', `/projects/${ids.projectId}/files/${ids.fileId}/retry?force=true`)
  expect(retried.status).toBe(200)
  await hands.process(ids)
  expect((await hands.fetchMedia(`${base}/${former}/0.m4s`)).status).toBe(200)
  expect((await hands.fetchMedia(`${base}/${former}/11.m4s`)).status).toBe(404)
  const chunks = (await hands.chunksOf(ids.fileId)).filter(({ rendition_id }) => rendition_id === former)
  expect(chunks.map(({ number }) => number)).not.toContain(11)
})

test('a project that stops keeping sources while a file is listed keeps the source that its rungs need', async () => {
  const project = await hands.newProject()
  const mkv = await makeSample({
    ...{ seconds: 4, size: '320x180', videoCodec: 'mpeg4', audioCodec: 'mp3', format: 'mkv' },
    extra: ['-g', '60'],
  })
  const ids = await hands.upload(project, mkv, { FileName: 'clip.mkv' })
  const { blobs } = server.services
  let isChanged = false
  const dependencies = {
    ...hands.dependencies,
    blobs: {
      ...blobs,
      put: async (...args: Parameters<typeof blobs.put>) => {
        if (!isChanged)
          await server.call('PUT', `/projects/${project}`, {
            body: { EncoderSettings: { KeepOriginal: false } },
          })
        isChanged = true
        return blobs.put(...args)
      },
    },
  }
  await createProcessFileHandler(dependencies)(await hands.jobOf(ids), never, { number: 1, isLast: false })
  expect((await hands.rowOf(ids.fileId)).source_removed_at).toBeNull()
  await hands.removeAllGarbage()
  const { base, rungs } = await hands.describe(ids)
  expect((await hands.play(`${base}/${rungs[0]!.Id}/0.m4s`)).status).toBe(200)
})

test('downloads that are under way count for the minutes of the day', async () => {
  const { ids, base, rungs } = await hands.list(sample, await hands.newProject())
  const { account_id: accountId } = await hands.rowOf(ids.fileId)
  await server.services.database.sql`
    insert into on_demand_days (account_id, project_id, day, encoded_seconds)
    values (${accountId}, ${ids.projectId}, (now() at time zone 'utc')::date, 115)`
  const download = async ({ Id }: { readonly Id: number }): Promise<number> =>
    (await fetch(`${base}/download.mp4?rendition=${Id}`)).status
  expect(await download(rungs[0]!)).toBe(202)
  expect(await download(rungs[1]!)).toBe(404)
  expect(await download(rungs[0]!)).toBe(202)
  await hands.encodeWanted()
  expect(await download(rungs[0]!)).toBe(200)
})

/** A video with groups of two seconds, of which these frames cannot be decoded. */
const makeDamaged = async (fromFrame: number, toFrame: number): Promise<Buffer> =>
  damageFrames(await makeOnDemandSource(12), fromFrame, toFrame)

test.each([
  ['in the middle', 4, 8],
  ['at the end', 8, 12],
])('repeats the last picture where four seconds %s cannot be decoded', async (_place, from, to) => {
  const damaged = await makeDamaged(from * frameRate, to * frameRate)
  const { ids, base, rungs } = await hands.list(damaged, await hands.newProject())
  const playlist = `${base}/${rungs[0]!.Id}/playlist.m3u8`
  const count = await hands.countSegments(playlist)
  for (let index = 0; index < count; index += 1)
    expect((await hands.play(`${base}/${rungs[0]!.Id}/${index}.m4s`)).status).toBe(200)
  expect(await hands.rungOf(ids, rungs[0]!.Name)).toMatchObject({ State: 'ready' })
  expect(await countFrames(playlist)).toBe(12 * frameRate)
})

test('a file whose first frames cannot be decoded plays whole', async () => {
  const ids = await hands.upload(await hands.newProject(), await makeDamaged(0, 2 * frameRate))
  await hands.process(ids)
  // ffmpeg 5 encodes nothing for the first segment, so the ladder is encoded at once. Newer versions repeat the first picture.
  if ((await hands.get(ids)).Status === 'playable') await hands.ladder(ids)
  const { rungs, file, base } = await hands.describe(ids)
  expect(file).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(rungs).toHaveLength(2)
  const playlist = `${base}/${rungs[0]!.Id}/playlist.m3u8`
  for (let index = 0; index < (await hands.countSegments(playlist)); index += 1)
    expect((await hands.play(`${base}/${rungs[0]!.Id}/${index}.m4s`)).status).toBe(200)
  expect(await countFrames(playlist)).toBe(12 * frameRate)
})

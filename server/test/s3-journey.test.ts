import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { loadConfig } from '../src/app/config/config.ts'
import { evictRungs } from '../src/ingest/encoding/on-demand/eviction/evict-rungs.ts'
import { createOnDemandHands } from '../src/ingest/encoding/test-support/on-demand-hands.ts'
import { createLog } from '../src/platform/log/log.ts'
import { startApi } from '../src/app/api/start-api.ts'
import { addApiServices, adoptPublicUrl, buildServices } from '../src/app/roles/services.ts'
import { findFreePort } from './support/free-port.ts'
import { countFrames, makeSample } from './support/media.ts'
import { operate } from './support/operator.ts'
import { openPostgresProxy } from './support/postgres-proxy.ts'
import { s3Settings, startS3Server } from './support/s3-server.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let s3: Awaited<ReturnType<typeof startS3Server>>
let server: TestServer | undefined
let settings: Record<string, string>

beforeAll(async () => {
  s3 = await startS3Server()
  if ('unavailable' in s3) return
  settings = s3Settings(s3)
  server = await startTestServer({
    withWorker: true,
    environment: { ...settings, ZOETROPE_RETENTION_DAYS: '0' },
  })
})

afterAll(async () => {
  await server?.stop()
  if (!('unavailable' in s3)) await s3.stop()
})

test.for([
  ['H.264 in MP4, cut from the source in the bucket', { seconds: 9, size: '854x480' }, 270],
  [
    'MPEG-4 part 2 in AVI, encoded',
    { seconds: 4, format: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' },
    120,
  ],
] as const)(
  'with media on S3, %s plays, and deleting it leaves nothing',
  async ([, sample, frames], context) => {
    if (server === undefined) return context.skip('unavailable' in s3 ? s3.unavailable : '')
    const { call, services, dataFolder } = server
    const project = await call('POST', '/projects', {
      body: { Name: 'S3', DefaultReleaseStatus: 'published' },
    })
    const path = `/projects/${project.body.Id}/files`
    const created = await call('POST', path, { body: { FileName: 'clip' } })
    await request(created.body.Upload.URI, 'PUT', { body: await makeSample(sample) })
    const { body: file } = await waitFor(
      () => call('GET', `${path}/${created.body.Id}`),
      ({ body }) => body.IsFinished === true,
    )
    expect(file).toMatchObject({ Status: 'finished', ErrorMessage: null })
    // AVI has no timestamp for its first frame: a constant frame rate may start with one extra frame.
    expect([frames, frames + 1]).toContain(await countFrames(file.Playouts[0].HLS))
    expect((await request(file.Metadata.StandardFilePicture.ThumbURI, 'GET')).status).toBe(200)

    const source = `a1/p${project.body.Id}/f${file.Id}/source`
    expect(await services.blobs.stat(source)).not.toBeNull()
    await call('DELETE', `${path}/${file.Id}`)
    await waitFor(
      () => services.blobs.stat(source),
      (found) => found === null,
    )
    // A worker keeps its copy of a source for some seconds, because the next job may need it too.
    await waitFor(
      () => readdir(join(dataFolder, 'scratch'), { recursive: true, withFileTypes: true }).catch(() => []),
      (scratch) => !scratch.some((entry) => entry.isFile()),
    )
    expect(await readdir(join(dataFolder, 'uploads'))).toEqual([])
  },
)

test('with media on S3, a rung on demand is encoded, evicted and encoded again, and nothing of it stays behind', async (context) => {
  if (server === undefined) return context.skip('unavailable' in s3 ? s3.unavailable : '')
  const { call, services } = server
  const { sql } = services.database
  const hands = createOnDemandHands(server, { Renditions: [{ Height: 90 }] })
  const ids = await hands.upload(await hands.newProject(), await makeSample({ seconds: 6, size: '320x180' }))
  await waitFor(
    () => hands.get(ids),
    ({ IsFinished }) => IsFinished === true,
  )
  const { base } = await hands.describe(ids)
  const rungOf = () => hands.rungOf(ids, '90p')
  const watch = async () => {
    const { Id } = await rungOf()
    const count = await hands.countSegments(`${base}/${Id}/playlist.m3u8`)
    for (let index = 0; index < count; index++)
      expect((await hands.fetchMedia(`${base}/${Id}/${index}.m4s`, 'follow')).status).toBe(200)
    await waitFor(rungOf, ({ State }) => State === 'ready')
    expect(await countFrames(`${base}/${Id}/playlist.m3u8`)).toBe(180)
    return Id
  }
  const [{ account_id: accountId }, { projectId, fileId }] = [await hands.rowOf(ids.fileId), ids]
  const list = () => services.blobs.list(`a${accountId}/p${projectId}/f${fileId}/`)

  const first = await watch()
  const before = await list()
  await waitFor(
    async () => {
      await sql`
        update on_demand_renditions set watched_at = now() - interval '31 days', made_at = now() - interval '31 days'
        where file_id = ${fileId}`
      await evictRungs(hands.dependencies, 30)
      return rungOf()
    },
    ({ Id }) => Id !== first,
  )
  expect(await rungOf()).toMatchObject({ State: 'on-demand', Size: 0 })
  await hands.removeAllGarbage()
  const evicted = await list()
  expect(evicted.length).toBeLessThan(before.length)
  expect(await watch()).not.toBe(first)
  expect((await list()).length).toBe(before.length)

  await call('DELETE', `/projects/${projectId}/files/${fileId}`)
  await waitFor(list, ({ length }) => length === 0)
})

test('a backup leaves media in the bucket and reports that, and the restored files play from there', async (context) => {
  if (server === undefined) return context.skip('unavailable' in s3 ? s3.unavailable : '')
  const { call, dataFolder, services } = server
  const { body: project } = await call('POST', '/projects', {
    body: { Name: 'Kept', DefaultReleaseStatus: 'published', EncoderSettings: { UseEncoding: false } },
  })
  const path = `/projects/${project.Id}/files`
  const { body: created } = await call('POST', path, { body: { FileName: 'clip' } })
  await request(created.Upload.URI, 'PUT', { body: await makeSample({ seconds: 2 }) })
  await waitFor(
    () => call('GET', `${path}/${created.Id}`),
    ({ body }) => body.Status === 'finished',
  )

  const { host, user, password } = inject('postgres')
  const proxy = await openPostgresProxy(host)
  const [row] = await services.database.sql<{ name: string }[]>`select current_database() as name`
  const restoredName = `${row?.name}_restored`
  await services.database.onOneConnection((connection) => connection.query(`create database ${restoredName}`))
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-s3-backup-'))
  const backup = join(folder, 'backup')
  const environment = {
    ...settings,
    ZOETROPE_DATA: dataFolder,
    DATABASE_URL: proxy.urlOf(user, row?.name ?? '', password),
  }
  const made = await operate(environment, 'backup', backup)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain('Media is in the bucket media, which the backup does not include')
  expect(await readdir(join(backup, 'data'))).not.toContain('media')

  const again = {
    ...environment,
    ZOETROPE_DATA: join(folder, 'again'),
    DATABASE_URL: proxy.urlOf(user, restoredName, password),
  }
  expect(await operate(again, 'restore', backup)).toMatchObject({ code: 0, stderr: '' })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const config = loadConfig({
    ...again,
    ZOETROPE_PORT: String(port),
    ZOETROPE_PUBLIC_URL: url,
    ZOETROPE_LOG_LEVEL: 'silent',
  })
  const restored = await buildServices(config, { url: again.DATABASE_URL }, createLog({ level: 'silent' }), {
    role: 'api',
  })
  await adoptPublicUrl(restored.database, url)
  const api = await startApi(await addApiServices(restored))
  const { body: file } = await request(`${url}/v3${path}/${created.Id}`, 'GET', {
    apiKey: server.apiKey,
  })
  expect(await countFrames(file.Playouts[0].HLS)).toBe(60)
  await api.stop(1_000)
  await restored.close()
  proxy.close()
  await rm(folder, { recursive: true, force: true })
  await services.database.onOneConnection((connection) =>
    connection.query(`drop database ${restoredName} with (force)`),
  )
})

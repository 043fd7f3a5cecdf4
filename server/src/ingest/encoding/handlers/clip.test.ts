import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

const run = promisify(execFile)

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number
/** Eight seconds with a key frame every two; plays by passthrough. */
let sourceBytes: Buffer
let source: Ids

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
  sourceBytes = await makeSample({ seconds: 8, size: '160x90', extra: ['-preset', 'ultrafast'] })
  const { body: category } = await server.call('POST', '/modules/categories', { body: { Label: 'News' } })
  source = await hands.upload(projectId, sourceBytes, {
    FileName: 'council.mp4',
    Metadata: {
      Title: 'Council',
      Tags: ['city'],
      Category: [category.Id],
      CustomMetadata: { department: 'Desk' },
      Latitude: 52.5,
      ReleaseStatus: 'published',
      IsPublicAt: '2020-01-01T00:00:00+00:00',
    },
    EncodingPriority: 70,
  })
  await hands.finish(source)
})

afterAll(() => server.stop())

const clipPath = ({ fileId }: Ids = source) => `/projects/${projectId}/files/${fileId}/clips`
const make = (body: object, ids: Ids = source) => server.call('POST', clipPath(ids), { body })
const makeIds = async (body: object, ids: Ids = source): Promise<Ids> => {
  const answer = await make(body, ids)
  expect(answer.status).toBe(201)
  return { projectId, fileId: answer.body.Id }
}

const pictures = async (input: string): Promise<string[]> => {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', input, '-map', '0:v', '-f', 'framemd5', '-'])
  return [...stdout.matchAll(/([0-9a-f]{32})$/gm)].map(([, hash = '']) => hash)
}

const storedNames = ({ fileId }: Ids): Promise<string[]> =>
  readdir(`${server.dataFolder}/media/blobs/a1/p${projectId}/f${fileId}`).catch(() => [])

test('a clip takes over metadata that the project would refuse now, and its own CustomMetadata is added to it', async () => {
  const { body: category } = await server.call('POST', '/modules/categories', { body: { Label: 'Gone' } })
  const project = await hands.newProject()
  const ids = await hands.upload(project, sourceBytes, {
    Metadata: { Category: [category.Id], CustomMetadata: { department: 'Desk', adsDisabled: true } },
  })
  await hands.finish(ids)
  const fields = [
    { Name: 'department', Type: 'string', Values: ['News'] },
    { Name: 'season', Type: 'string', IsRequired: true },
  ]
  expect(
    (await server.call('PUT', `/projects/${project}`, { body: { MetadataFields: fields } })).status,
  ).toBe(200)
  expect((await server.call('DELETE', `/modules/categories/${category.Id}`)).status).toBe(200)
  const clip = (more: object) =>
    server.call('POST', `/projects/${project}/files/${ids.fileId}/clips`, {
      body: { StartTime: 0, EndTime: 2, ...more },
    })
  const { status, body } = await clip({})
  expect(status).toBe(201)
  expect(body.Metadata).toMatchObject({
    Category: [],
    CustomMetadata: { department: 'Desk', adsDisabled: true },
  })
  const named = await clip({ Metadata: { CustomMetadata: { season: '4' } } })
  expect(named.body.Metadata.CustomMetadata).toEqual({ season: '4', department: 'Desk', adsDisabled: true })
})

test('makes a clip a separate file with exactly the frames of its source', async () => {
  const answer = await make({ StartTime: 3.1, EndTime: 5, Metadata: { Title: 'The vote' } })
  expect(answer.status).toBe(201)
  const ids = { projectId, fileId: answer.body.Id as number }
  expect(answer.headers.get('location')).toBe(`${server.url}/v3/projects/${projectId}/files/${ids.fileId}`)
  expect(answer.body).toMatchObject({
    Status: 'created',
    Name: `${projectId}/${ids.fileId}/council.mp4`,
    EncodingPriority: 70,
    Metadata: {
      Title: 'The vote',
      Tags: ['city'],
      Category: [{ Label: 'News' }],
      CustomMetadata: { department: 'Desk', adsDisabled: false },
      Latitude: 52.5,
      // The visibility is not copied.
      ReleaseStatus: 'unpublished',
      IsPublicAt: null,
    },
    Source: {
      Kind: 'clip',
      URI: `${server.url}/v3/projects/${projectId}/files/${source.fileId}#t=3.1,5`,
    },
  })
  const job = await hands.clip(ids)
  await hands.clipJob(job)
  await hands.finish(ids)
  const file = await hands.get(ids)
  expect(file).toMatchObject({ Status: 'finished', Source: answer.body.Source, HasErrors: false })
  // Starts at the key frame at 2 s.
  expect(file.Properties.Length).toBeCloseTo(3, 0)
  expect(await hands.eventsOf(ids.fileId)).toEqual([
    'file.created',
    'file.uploaded',
    'file.encoding',
    'file.playable',
    'file.encoded',
    'file.new',
  ])
  expect(file.Renditions).toMatchObject([
    { Name: 'source', Type: 'video' },
    { Name: 'source', Type: 'audio' },
  ])
  const path = `${server.dataFolder}/source.mp4`
  await writeFile(path, sourceBytes)
  const all = await pictures(path)
  await server.call('PUT', `/projects/${projectId}/files/${ids.fileId}/metadata`, {
    body: { ReleaseStatus: 'published' },
  })
  const cut = await pictures(file.Playouts[0].HLS)
  expect(cut.length).toBeGreaterThanOrEqual(90)
  expect(cut.length).toBeLessThanOrEqual(93)
  expect(cut).toEqual(all.slice(60, 60 + cut.length))
  // Deleting the clip does not affect its source.
  await server.call('DELETE', `/projects/${projectId}/files/${ids.fileId}`)
  expect(await hands.get(source)).toMatchObject({ Status: 'finished' })
})

test('a clip of a file that viewers cannot see is unpublished, unless the request publishes it', async () => {
  const published = await server.call('POST', '/projects', {
    body: { Name: 'Published', DefaultReleaseStatus: 'published' },
  })
  const path = `/projects/${published.body.Id}/files`
  const ids = await hands.upload(published.body.Id, sourceBytes)
  await hands.finish(ids)
  const statusOfClip = async (metadata: object = {}): Promise<string> => {
    const body = { StartTime: 1, EndTime: 3, Metadata: metadata }
    return (await server.call('POST', `${path}/${ids.fileId}/clips`, { body })).body.Metadata.ReleaseStatus
  }
  expect(await statusOfClip()).toBe('published')
  await server.call('PUT', `${path}/${ids.fileId}/metadata`, { body: { ReleaseStatus: 'draft' } })
  expect(await statusOfClip()).toBe('unpublished')
  expect(await statusOfClip({ ReleaseStatus: 'published' })).toBe('published')
})

describe('rejects a clip', () => {
  test.each([
    ['nothing', {}],
    ['no end', { StartTime: 1 }],
    ['an end before the start', { StartTime: 2, EndTime: 1 }],
    ['no length', { StartTime: 2, EndTime: 2 }],
    ['before the start of the file', { StartTime: -1, EndTime: 2 }],
    ['after the end of the file', { StartTime: 1, EndTime: 8.5 }],
    ['a huge number', { StartTime: 0, EndTime: 1e300 }],
    ['text', { StartTime: '0', EndTime: 'end' }],
    ['a name with nothing in it', { StartTime: 0, EndTime: 1, FileName: '' }],
    ['an unknown category', { StartTime: 0, EndTime: 1, Metadata: { Category: [999_999] } }],
  ])('request: %s', async (_what, body) => {
    const before = (await server.call('GET', `/projects/${projectId}`)).body.FileCount
    expectProblem(await make(body), 'invalid')
    expect((await server.call('GET', `/projects/${projectId}`)).body.FileCount).toBe(before)
  })

  test('of a file that is empty, deleted or unknown', async () => {
    const { body } = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'a.mp4' },
    })
    const ids = { projectId, fileId: body.Id }
    expectProblem(await make({ StartTime: 0, EndTime: 1 }, ids), 'conflict')
    await server.call('DELETE', `/projects/${projectId}/files/${ids.fileId}`)
    expectProblem(await make({ StartTime: 0, EndTime: 1 }, ids), 'not_found')
    expectProblem(await make({ StartTime: 0, EndTime: 1 }, { projectId, fileId: 999_999 }), 'not_found')
  })

  test('by a caller who may not read, or may not publish a public clip', async () => {
    const body = { StartTime: 0, EndTime: 1 }
    const writeOnly = await server.newKey({ role: 'Administrator', scopes: ['files:upload'] })
    expectProblem(await server.call('POST', clipPath(), { body, apiKey: writeOnly }), 'forbidden')
    const apiKey = await server.newKey({ role: 'Uploader' })
    const published = { ...body, Metadata: { ReleaseStatus: 'published' } }
    expectProblem(await server.call('POST', clipPath(), { body: published, apiKey }), 'forbidden')
    expect((await server.call('POST', clipPath(), { body, apiKey })).status).toBe(201)
  })
})

test('cuts a clip from the source at the time of the request', async () => {
  const older = await hands.upload(projectId, sourceBytes)
  await hands.finish(older)
  const ids = await makeIds({ StartTime: 0, EndTime: 1 }, older)
  await server.call('PUT', `/projects/${projectId}/files/${older.fileId}/replace`, {
    body: await hands.smallSample(),
    headers: { 'Content-Type': 'video/mp4' },
  })
  await hands.finish(older)
  await server.call('DELETE', `/projects/${projectId}/files/${older.fileId}`)
  await hands.clip(ids)
  await hands.process(ids)
  expect(await hands.get(ids)).toMatchObject({ Properties: { VideoWidth: 160 } })
})

test('keeps a source until the clip is cut, even if it was replaced or deleted long ago', async () => {
  const { kysely } = server.services.database
  const older = await hands.upload(projectId, sourceBytes)
  await hands.finish(older)
  const { source_blob: blob } = await hands.rowOf(older.fileId)
  const first = await makeIds({ StartTime: 0, EndTime: 1 }, older)
  const path = `/projects/${projectId}/files/${older.fileId}`
  await server.call('PUT', `${path}/replace`, {
    body: await hands.smallSample(),
    headers: { 'Content-Type': 'video/mp4' },
  })
  await hands.finish(older)
  const removeDiscarded = async () => {
    await kysely
      .updateTable('discarded_media')
      .set({ remove_after: new Date(0) })
      .execute()
    await hands.housekeeping()
  }
  await removeDiscarded()
  await server.call('DELETE', path)
  await hands.purge(older)
  expect((await hands.rowOf(older.fileId)).purging_at).toBeNull()
  await hands.clip(first)
  await hands.finish(first)
  expect(await hands.get(first)).toMatchObject({ Status: 'finished' })
  await removeDiscarded()
  expect(await server.services.blobs.stat(blob ?? '')).toBeNull()
  await hands.purge(older)
  expect(await storedNames(older)).toEqual([])
})

test('fails with a message when the source is gone, and allows a retry', async () => {
  const older = await hands.upload(projectId, sourceBytes)
  await hands.finish(older)
  const ids = await makeIds({ StartTime: 0, EndTime: 1 }, older)
  const { source_blob: blob } = await hands.rowOf(older.fileId)
  await server.services.blobs.delete(blob ?? '')
  await hands.clip(ids)
  const failed = await hands.get(ids)
  expect(failed).toMatchObject({ Status: 'failed', HasErrors: true })
  expect(failed.ErrorMessage).toMatch(/no longer stored/)
  await server.services.blobs.put(blob ?? '', sourceBytes)
  const again = await server.call('POST', `/projects/${projectId}/files/${ids.fileId}/retry`)
  expect(again.body).toMatchObject({ Status: 'created', HasErrors: false })
  await hands.clip(ids)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
})

test('recovers from an interrupted run and ignores an outdated job', async () => {
  const ids = await makeIds({ StartTime: 0, EndTime: 1 })
  const { blobs } = server.services
  const brokenOff = hands.clip(ids, {
    blobs: {
      ...blobs,
      adopt: async (path, key) => {
        await blobs.adopt(path, key)
        throw new Error('killed')
      },
    },
  })
  await expect(brokenOff).rejects.toThrow('killed')
  expect(await hands.get(ids)).toMatchObject({ Status: 'created' })
  await server.call('DELETE', `/projects/${projectId}/files/${ids.fileId}`)
  const [before] = [await hands.rowOf(ids.fileId)]
  const old = { accountId: before.account_id, ...ids, attempt: 1 }
  await server.call('POST', `/projects/${projectId}/files/${ids.fileId}/restore`)
  await hands.clipJob(old)
  expect(await hands.get(ids)).toMatchObject({ Status: 'created' })
  await hands.clip(ids)
  await hands.finish(ids)
  await server.services.database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await hands.housekeeping()
  expect((await storedNames(ids)).filter((name) => name.startsWith('clip'))).toHaveLength(1)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
})

test('applies the storage quota to clips', async () => {
  const ids = await makeIds({ StartTime: 0, EndTime: 8 })
  const { StorageBytes } = (await server.call('GET', `/projects/${projectId}`)).body
  await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: StorageBytes + 100 } })
  // The run stops before a clip is stored.
  const { blobs } = server.services
  const adopt = () => Promise.reject(new Error('too large to be stored'))
  await hands.clip(ids, { blobs: { ...blobs, adopt } })
  const failed = await hands.get(ids)
  expect(failed).toMatchObject({ Status: 'failed', HasErrors: true })
  expect(failed.ErrorMessage).toMatch(/quota/)
  expect(await storedNames(ids)).toEqual([])
  await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: StorageBytes } })
  expectProblem(await make({ StartTime: 0, EndTime: 1 }), 'quota_exceeded')
  await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: null } })
})

test('accepts an upload as the source instead', async () => {
  const ids = await makeIds({ StartTime: 0, EndTime: 1 })
  const { body } = await server.call('PUT', `/projects/${projectId}/files/${ids.fileId}/replace`, {
    body: { FileName: 'other.mp4' },
  })
  expect((await request(body.Upload.URI, 'PUT', { body: await hands.smallSample() })).status).toBe(200)
  await hands.clip(ids)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({
    Source: { Kind: 'upload', URI: null },
    Properties: { VideoWidth: 320 },
  })
})

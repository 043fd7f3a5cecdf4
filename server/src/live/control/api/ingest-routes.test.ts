import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { hashToken } from '../../../platform/base/ids.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_RTMP_PORT: '1936' } })
})

afterAll(() => server.stop())

const newProject = async (): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name: 'Live' } })).body.Id

const ingestOf = (projectId: number, apiKey = server.apiKey): Promise<Answer> =>
  server.call('GET', `/projects/${projectId}/live/ingest`, { apiKey })

const change = (projectId: number, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('PUT', `/projects/${projectId}/live/ingest`, { body, headers })

test('every project has a live stream with an address and a random key', async () => {
  const projectId = await newProject()
  const { status, body } = await ingestOf(projectId)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ProjectId: projectId,
    StreamInType: 'rtmp',
    StreamInURI: null,
    StreamInConnection: {
      ServerURI: 'rtmp://127.0.0.1:1936/live',
      StreamName: expect.stringMatching(/^[0-9A-Za-z]{24,}$/),
      WhipURI: null,
    },
    UseLowLatency: true,
    TimeshiftDuration: 0,
    ReconnectWindow: 60,
    AutomaticTranscoding: false,
    AutoRecording: false,
    ReleaseStatus: 'published',
    IsEnabled: true,
    IsSynced: true,
  })
  expect((await ingestOf(projectId)).body).toEqual(body)
})

test('the board texts are set and reset', async () => {
  const projectId = await newProject()
  const texts = { BoardText: 'We begin at 18:00.', EndedText: 'Thank you!' }
  expect((await change(projectId, texts)).body).toMatchObject(texts)
  expect((await change(projectId, { BoardText: null })).body).toMatchObject({ ...texts, BoardText: '' })
  const tooLong = await change(projectId, { EndedText: 'x'.repeat(501) })
  expect(tooLong.status).toBe(400)
  expect(tooLong.body.error.details).toMatchObject([{ field: 'EndedText' }])
})

test('SRT has the stream id in the address and the passphrase beside it, without an RTMP address', async () => {
  const projectId = await newProject()
  const { body } = await change(projectId, { StreamInType: 'srt' })
  const { PlayoutId } = (await server.call('GET', `/projects/${projectId}/live/output`)).body
  expect(body.StreamInConnection).toMatchObject({
    ServerURI: null,
    SrtURI: `srt://127.0.0.1:10080?streamid=${PlayoutId}`,
    SrtPassphrase: expect.stringMatching(/^[0-9A-Za-z]{20,79}$/),
  })
})

test('concurrent first requests get the same key', async () => {
  const projectId = await newProject()
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => ingestOf(projectId)),
    change(projectId, {}),
  ])
  expect(new Set(answers.map(({ body }) => body.StreamInConnection.StreamName)).size).toBe(1)
})

test('first requests at the same time succeed, whichever constraint notices the other', async () => {
  for (let round = 0; round < 40; round += 1) {
    const projectId = await newProject()
    const answers = await Promise.all(Array.from({ length: 4 }, () => ingestOf(projectId)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
})

test('stores the key sealed, with only its hash beside it', async () => {
  const projectId = await newProject()
  const { StreamName } = (await ingestOf(projectId)).body.StreamInConnection
  const row = await server.services.database.kysely
    .selectFrom('live_streams')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  expect(row.stream_key_hash).toEqual(hashToken(StreamName))
  expect(JSON.stringify(row)).not.toContain(StreamName)
})

test('hides the keys and the credentials of sources without the live:keys permission', async () => {
  const projectId = await newProject()
  const uri = 'srt://8.8.8.8:9000?passphrase=very-secret-text'
  await change(projectId, { StreamInType: 'srt-pull', StreamInURI: uri })
  expect((await ingestOf(projectId)).body.StreamInURI).toBe(uri)
  const scopes = ['live:read', 'live:control']
  for (const apiKey of [await server.newKey({ role: 'Reader' }), await server.newKey({ scopes })]) {
    const { body } = await ingestOf(projectId, apiKey)
    expect(body.StreamInURI).toBe('srt://8.8.8.8:9000?…')
    expect(body.StreamInConnection).toMatchObject({ StreamName: null, SrtPassphrase: null })
  }
})

test('a record that was read without credentials can be sent back and keeps them', async () => {
  const projectId = await newProject()
  const uri = 'rtmp://8.8.8.8/app/very-secret-key'
  const { body } = await change(projectId, { StreamInType: 'rtmp-pull', StreamInURI: uri })
  const apiKey = await server.newKey({ scopes: ['live:read', 'live:control'] })
  const seen = await ingestOf(projectId, apiKey)
  expect(seen.body.StreamInURI).not.toContain('very-secret')
  const options = { apiKey, body: { ...seen.body, Title: 'New' } }
  expect((await server.call('PUT', `/projects/${projectId}/live/ingest`, options)).status).toBe(200)
  const after = (await ingestOf(projectId)).body
  expect(after).toMatchObject({ Title: 'New', StreamInURI: uri })
  expect(after.StreamInConnection).toEqual(body.StreamInConnection)
})

test('changes single settings, and resets them with null', async () => {
  const projectId = await newProject()
  const settings = {
    Title: 'Spring show',
    ReleaseStatus: 'draft',
    UseLowLatency: false,
    TimeshiftDuration: 14_400,
    ReconnectWindow: 0,
    AutomaticTranscoding: true,
    Renditions: [{ Height: 720, VideoBitRate: 2_500_000 }, { Height: 360 }],
    AutoRecording: true,
    IsEnabled: false,
  }
  const { status, body } = await change(projectId, settings)
  expect(status).toBe(200)
  expect(body).toMatchObject(settings)
  const cleared = Object.fromEntries(Object.keys(settings).map((name) => [name, null]))
  expect((await change(projectId, cleared)).body).toMatchObject({
    Title: '',
    ReleaseStatus: 'published',
    UseLowLatency: true,
    TimeshiftDuration: 0,
    ReconnectWindow: 60,
    AutomaticTranscoding: false,
    Renditions: [],
    AutoRecording: false,
    IsEnabled: true,
  })
})

describe('rejects', () => {
  let projectId: number
  beforeAll(async () => {
    projectId = await newProject()
  })

  test.each<[string, object]>([
    ['TimeshiftDuration', { TimeshiftDuration: 14_401 }],
    ['TimeshiftDuration', { TimeshiftDuration: -1 }],
    ['TimeshiftDuration', { TimeshiftDuration: 1e300 }],
    ['ReconnectWindow', { ReconnectWindow: 601 }],
    ['ReconnectWindow', { ReconnectWindow: 1.5 }],
    ['Renditions', { Renditions: Array.from({ length: 7 }, () => ({ Height: 360 })) }],
    ['Renditions', { Renditions: [{ Height: 1 }] }],
    ['StreamInType', { StreamInType: 'ftp' }],
    ['StreamInType', { StreamInType: 'whip' }],
    ['StreamInURI', { StreamInType: 'hls-pull' }],
    ['StreamInURI', { StreamInType: 'hls-pull', StreamInURI: 'rtmp://8.8.8.8/app' }],
    ['StreamInURI', { StreamInType: 'rtmp-pull', StreamInURI: 'rtmp://10.0.0.1/app' }],
    ['StreamInURI', { StreamInURI: 'file:///etc/passwd' }],
    ['ReleaseStatus', { ReleaseStatus: 'secret' }],
    ['Title', { Title: 'a\0b' }],
    ['Title', { Title: 'a'.repeat(256) }],
  ])('a bad %s: %j', async (field, body) => {
    const answer = await change(projectId, body)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toContain(field)
  })
})

test('rejects a stale If-Match, but not after the live node has only caught up', async () => {
  const projectId = await newProject()
  const { headers } = await ingestOf(projectId)
  const etag = headers.get('etag') ?? ''
  // Simulates a node that has not applied the stream yet: the ETag of the earlier read must stay valid.
  await server.services.database.sql`
    update live_streams set node_id = ${crypto.randomUUID()}, applied_version = 0 where project_id = ${projectId}`
  const pending = await ingestOf(projectId)
  expect(pending.body.IsSynced).toBe(false)
  expect(pending.headers.get('etag')).not.toBe(etag)
  expect((await change(projectId, { Title: 'A' }, { 'If-Match': etag })).status).toBe(200)
  expectProblem(await change(projectId, { Title: 'B' }, { 'If-Match': etag }), 'stale')
})

test('resetting the key creates a new one, and log and audit record the reset without the key', async () => {
  const projectId = await newProject()
  const path = `/projects/${projectId}/live`
  const before = (await ingestOf(projectId)).body.StreamInConnection.StreamName
  const reset = () =>
    server.call('POST', `${path}/ingest/resetkey`, { headers: { 'Idempotency-Key': `reset-${projectId}` } })
  const first = await reset()
  const key = first.body.StreamInConnection.StreamName
  expect(key).not.toBe(before)
  expect((await reset()).body).toEqual(first.body)
  expect((await ingestOf(projectId)).body).toEqual(first.body)
  const { body: log } = await server.call('GET', `${path}/log`)
  expect(log).toMatchObject({ TotalCount: 1, LogEntries: [{ Level: 'info', Code: 'key_reset' }] })
  const { body: audit } = await server.call('GET', `/audit?action=live.*&subjectId=${projectId}`)
  expect(audit.AuditEntries).toMatchObject([{ Action: 'live.key-reset', Subject: 'Live' }])
  for (const text of [JSON.stringify(log), JSON.stringify(audit)]) {
    expect(text).not.toContain(key)
    expect(text).not.toContain(before)
  }
})

describe('targets', () => {
  test('are stored sealed, shown without their key, and changed field by field', async () => {
    const projectId = await newProject()
    const path = `/projects/${projectId}/live/targets`
    const URI = 'rtmps://8.8.8.8/app/very-secret-key'
    const made = await server.call('POST', path, { body: { Label: 'Elsewhere', URI } })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ Label: 'Elsewhere', IsEnabled: true, URI: 'rtmps://8.8.8.8/app/…-key' })
    const url = `${path}/${made.body.Id}`
    expect(made.headers.get('location')).toBe(`${server.url}/v3${url}`)
    const etag = made.headers.get('etag')
    for (const same of [{}, { URI }, made.body])
      expect((await server.call('PUT', url, { body: same })).headers.get('etag')).toBe(etag)
    expect((await server.call('PUT', url, { body: { ...made.body, IsEnabled: false } })).body).toMatchObject({
      URI: made.body.URI,
      IsEnabled: false,
    })
    expect((await server.call('GET', path)).body).toMatchObject({
      TotalCount: 1,
      Targets: [{ IsEnabled: false }],
    })
    expect((await server.call('GET', `/projects/${projectId}/live/status`)).body.Targets).toMatchObject([
      { Id: made.body.Id, Label: 'Elsewhere', State: 'idle' },
    ])
    expect((await server.call('DELETE', url)).status).toBe(200)
    expectProblem(await server.call('GET', url), 'not_found')
    const { body: audit } = await server.call('GET', `/audit?action=live.*&subjectId=${projectId}`)
    expect(audit.AuditEntries).toHaveLength(3)
    expect(JSON.stringify(audit)).not.toContain('very-secret')
  })

  test('are created from a server URL and a stream key, and the key does not move to a new server', async () => {
    const path = `/projects/${await newProject()}/live/targets`
    const ServerURI = 'rtmps://8.8.8.8/app/'
    const StreamKey = "FB-123?s_bl=1&s_ps='/x"
    const made = await server.call('POST', path, { body: { ServerURI, StreamKey } })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ServerURI: 'rtmps://8.8.8.8/app' })
    expect(JSON.stringify(made.body)).not.toContain('FB-123')
    expect(made.body).not.toHaveProperty('StreamKey')
    const { sealed_uri } = await server.services.database.kysely
      .selectFrom('live_targets')
      .select('sealed_uri')
      .where('id', '=', made.body.Id)
      .executeTakeFirstOrThrow()
    // One segment of the path, which the push decodes.
    expect(server.services.secrets.liveNodes.open(sealed_uri).toString()).toBe(
      'rtmps://8.8.8.8/app/FB-123%3Fs_bl%3D1%26s_ps%3D%27%2Fx',
    )

    const url = `${path}/${made.body.Id}`
    const put = (body: object) => server.call('PUT', url, { body })
    for (const same of [made.body, { ServerURI }, { ServerURI, StreamKey }])
      expect((await put(same)).headers.get('etag')).toBe(made.headers.get('etag'))
    const moved = await put({ ServerURI: 'rtmp://8.8.4.4/app' })
    expectProblem(moved, 'invalid')
    expect(moved.body.error.details).toMatchObject([{ field: 'StreamKey' }])
    expect((await put({ ServerURI: 'rtmp://8.8.4.4/live', StreamKey: 'other-key' })).body).toMatchObject({
      URI: 'rtmp://8.8.4.4/live/…-key',
      ServerURI: 'rtmp://8.8.4.4/live',
    })
    expect((await put({ StreamKey: 'the-third-one' })).body.URI).toBe('rtmp://8.8.4.4/live/…-one')
  })

  test.each([
    [{ URI: 'rtmp://8.8.8.8/app' }, 'URI', /must end with the stream key/],
    [{ URI: 'rtmp://8.8.8.8/app/' }, 'URI', /must end with the stream key/],
    [{}, 'URI', /is required/],
    [{ URI: 'rtmp://8.8.8.8/app/key', StreamKey: 'key' }, 'URI', /together/],
    [{ ServerURI: 'rtmp://8.8.8.8/app' }, 'StreamKey', /is required/],
    [{ StreamKey: 'key' }, 'ServerURI', /is required/],
    [{ ServerURI: 'rtmp://8.8.8.8', StreamKey: 'key' }, 'ServerURI', /must name the application/],
    [{ ServerURI: 'rtmp://8.8.8.8/app?a=b', StreamKey: 'key' }, 'ServerURI', /must have no query/],
    [{ ServerURI: 'rtmp://10.0.0.1/app', StreamKey: 'key' }, 'ServerURI', /not on the public internet/],
    [{ ServerURI: 'rtmp://8.8.8.8/app', StreamKey: '..' }, 'StreamKey', /must not be a path/],
    [{ ServerURI: 'rtmp://8.8.8.8/app', StreamKey: 'a key' }, 'StreamKey', /./],
  ])('are rejected with a reason: %j', async (body, field, sentence) => {
    const path = `/projects/${await newProject()}/live/targets`
    const answer = await server.call('POST', path, { body })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details).toMatchObject([{ field, issue: expect.stringMatching(sentence) }])
  })

  test('must be allowed RTMP addresses, at most ten per stream', async () => {
    const projectId = await newProject()
    const path = `/projects/${projectId}/live/targets`
    for (const URI of ['rtmp://10.0.0.1/app/key', 'https://8.8.8.8/app', 'rtmp://8.8.8.8'])
      expectProblem(await server.call('POST', path, { body: { URI } }), 'invalid')
    const create = () => server.call('POST', path, { body: { URI: 'rtmp://8.8.8.8/app/key' } })
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(10)
    expectProblem(await create(), 'conflict')
  })
})

test('the live stream of a deleted project is not found, and is unchanged when the project is restored', async () => {
  const projectId = await newProject()
  const before = (await ingestOf(projectId)).body
  expect((await server.call('DELETE', `/projects/${projectId}`)).status).toBe(200)
  for (const name of ['ingest', 'output', 'status', 'log', 'recordings', 'targets'])
    expectProblem(await server.call('GET', `/projects/${projectId}/live/${name}`), 'not_found')
  await server.call('POST', `/projects/${projectId}/restore`)
  expect((await ingestOf(projectId)).body).toEqual(before)
})

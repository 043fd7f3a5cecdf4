import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { purgeProjects } from '../../../library/projects/purge-projects.ts'
import { dropOldLiveLog } from './live-log.ts'
import { emitLive } from './live-events.ts'
import { nodeTokenOf } from '../nodes/node-token.ts'
import { putLivePoster } from '../store/live-poster-store.ts'
import { purgeLiveStreams } from '../store/purge-live-streams.ts'
import { dropStoredWindows } from '../store/stored-windows.ts'
import { putOnline, startFakeNode, type FakeNode } from '../test-support/fake-node.ts'

let server: TestServer
let node: FakeNode
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  node = await startFakeNode(server)
})

afterAll(async () => {
  await node.stop()
  await server.stop()
})

beforeEach(async () => {
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Live' } })).body.Id
  node.requests.length = 0
  node.answer = async () => ({ status: 200, body: {} })
  await server.services.database.sql`update live_nodes set seen_at = now() where id = ${node.id}`
})

const call = (method: string, name: string, options: object = {}): Promise<Answer> =>
  server.call(method, `/projects/${projectId}/live/${name}`, options)

const health = {
  Publisher: { Protocol: 'rtmp', Address: '192.0.2.7', Encoder: 'test' },
  Video: { Codec: 'avc1.640028', Width: 1280, Height: 720, FrameRate: 30, BitRate: 1, KeyFrameInterval: 2 },
  Audio: null,
  DroppedFrames: 0,
  DriftMs: 1.5,
  Viewers: 3,
  Latency: { Target: 1, MeasuredP50: 1.1, MeasuredP95: 1.9 },
  Warnings: [],
  Recording: null,
}

const rowOf = async () =>
  server.services.database.kysely
    .selectFrom('live_streams')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()

test('an offline stream cannot be stopped, recorded or clipped', async () => {
  for (const name of ['stop', 'recording/start', 'recording/stop'])
    expectProblem(await call('POST', name), 'conflict')
  expectProblem(await call('POST', 'clip', { body: { Duration: 30 } }), 'conflict')
  expect((await call('GET', 'status')).body).toMatchObject({
    State: 'offline',
    OnlineSince: null,
    Publisher: null,
    NodeId: null,
  })
  expect(node.requests).toEqual([])
})

test('the status combines the rows with the figures of the node, and falls back to the rows', async () => {
  await putOnline(server, node, projectId)
  node.answer = async () => ({ status: 200, body: health })
  expect((await call('GET', 'status')).body).toEqual({
    ProjectId: projectId,
    State: 'online',
    OnlineSince: '2026-03-01T12:00:00.000+00:00',
    ...health,
    Targets: [],
    NodeId: node.id,
  })
  expect(node.requests).toMatchObject([{ path: '/control/status', body: { ProjectId: projectId } }])
  for (const answer of [null, { status: 500, body: {} }, { status: 200, body: { Viewers: 'many' } }]) {
    node.answer = async () => answer
    expect((await call('GET', 'status')).body).toMatchObject({ State: 'online', Publisher: null, Viewers: 0 })
  }
})

test('the status of a pushed stream warns of ports that a node cannot open', async () => {
  const { sql } = server.services.database
  const ports = JSON.stringify([
    { protocol: 'rtmp', port: 1_935, sinceMs: Date.UTC(2026, 2, 1, 12) },
    { protocol: 'srt', port: 10_080, sinceMs: 0 },
  ])
  const other = crypto.randomUUID()
  await sql`insert into live_nodes (id, url, disk, taken_ports) values (${other}, 'http://127.0.0.1:1', '', ${ports}::text::jsonb)`
  expect((await call('GET', 'status')).body.Warnings).toEqual([
    {
      Code: 'port_taken',
      Message: expect.stringContaining('port 1935 for RTMP'),
      Since: '2026-03-01T12:00:00.000+00:00',
    },
  ])
  // A dead node has no ports.
  await sql`update live_nodes set seen_at = now() - interval '11 seconds' where id = ${other}`
  expect((await call('GET', 'status')).body.Warnings).toEqual([])
})

test('notifies the node of a stop after the commit, with the node token', async () => {
  await putOnline(server, node, projectId)
  const wanted: number[] = []
  node.answer = async ({ path }) => {
    if (path === '/control/sync') wanted.push((await rowOf()).stops_wanted)
    return { status: 200, body: health }
  }
  const headers = { 'Idempotency-Key': `stop-${projectId}` }
  const { status, body } = await call('POST', 'stop', { headers })
  // After a while without an effect, the response shows the present state.
  expect([status, body.State, wanted]).toEqual([200, 'online', [1]])
  expect(node.requests[0]?.authorization).toBe(`Bearer ${nodeTokenOf(server.services.secrets)}`)
  // A pending stop is not repeated.
  await call('POST', 'stop')
  const row = await rowOf()
  expect([row.stops_wanted, row.version]).toEqual([1, 2])
  expect((await call('GET', 'log')).body.LogEntries).toMatchObject([
    { Code: 'stop_wanted', Reason: 'live_stop_wanted', Params: {} },
  ])
})

test('a recording is requested once, its stop cancels the request, and responses show the effect', async () => {
  await putOnline(server, node, projectId)
  let asked = 0
  node.answer = async ({ path }) => {
    // The node applies a request after it has confirmed it.
    asked = path === '/control/sync' ? 0 : asked + 1
    const isRecording = (await rowOf()).is_recording_wanted === asked > 2
    const Recording = isRecording
      ? { State: 'recording', Since: '2026-03-01T12:00:01+00:00', Bytes: 1 }
      : null
    return { status: 200, body: { ...health, Recording } }
  }
  for (const [name, isWanted, version] of [
    ['recording/start', true, 2],
    ['recording/start', true, 2],
    ['recording/stop', false, 3],
  ] as const) {
    const { status, body } = await call('POST', name)
    expect([status, body.Recording !== null]).toEqual([200, isWanted])
    const row = await rowOf()
    expect([row.is_recording_wanted, row.version]).toEqual([isWanted, version])
  }
})

test('settings are synced when the node confirms them', async () => {
  await putOnline(server, node, projectId)
  expect((await call('PUT', 'ingest', { body: { Title: 'New' } })).body).toMatchObject({ IsSynced: false })
  expect(node.requests.map(({ path }) => path)).toEqual(['/control/sync'])
  await server.services.database.sql`
    update live_streams set applied_version = version where project_id = ${projectId}`
  expect((await call('GET', 'ingest')).body).toMatchObject({ Title: 'New', IsSynced: true })
})

test('does not call a dead node, and does not wait for it', async () => {
  const dead = await startFakeNode(server)
  await putOnline(server, dead, projectId)
  await server.services.database.sql`
    update live_nodes set seen_at = now() - interval '1 minute' where id = ${dead.id}`
  expect((await call('PUT', 'ingest', { body: { Title: 'New' } })).status).toBe(200)
  expect((await call('POST', 'stop')).status).toBe(200)
  expectProblem(await call('POST', 'clip', { body: { Duration: 30 } }), 'unavailable')
  expect(dead.requests).toEqual([])
  await dead.stop()
})

describe('a clip', () => {
  test('is the file that the node has made', async () => {
    await putOnline(server, node, projectId)
    const { body: file } = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'clip.mp4' },
    })
    node.answer = async () => ({ status: 200, body: { FileId: file.Id } })
    const { status, body, headers } = await call('POST', 'clip', {
      body: { Duration: 30, Title: 'The goal' },
    })
    expect([status, body.Id]).toEqual([201, file.Id])
    expect(headers.get('location')).toBe(`${server.url}/v3/projects/${projectId}/files/${file.Id}`)
    expect(node.requests.at(-1)?.body).toEqual({ ProjectId: projectId, Duration: 30, Title: 'The goal' })
  })

  test('fails with the message of the node', async () => {
    await putOnline(server, node, projectId)
    const message = 'The disk is full. Free some space.'
    const failure = { code: 507, type: 'storage_full', message, reason: 'disk_full', params: {} }
    node.answer = async () => ({ status: 507, body: { error: failure } })
    const answer = await call('POST', 'clip', { body: { Duration: 30 } })
    expectProblem(answer, 'storage_full')
    expect(answer.body.error.message).toBe(message)
    for (const body of [null, 'nonsense', { error: { type: 'unauthorized', message } }]) {
      node.answer = async () => ({ status: 500, body })
      expectProblem(await call('POST', 'clip', { body: { Duration: 30 } }), 'unavailable')
    }
  })

  test.each([{}, { Duration: 0 }, { Duration: 3_601 }, { Duration: '30s' }])('rejects %j', async (body) => {
    expectProblem(await call('POST', 'clip', { body }), 'invalid')
  })
})

describe('the output', () => {
  test('has the same addresses before and during a broadcast', async () => {
    const before = (await call('GET', 'output')).body
    const base = `${server.url}/l/${before.PlayoutId}`
    expect(before).toMatchObject({
      IsOnline: false,
      OnlineSince: null,
      HLS: `${base}/main.m3u8`,
      LLHLS: `${base}/ll.m3u8`,
      DASH: `${base}/main.mpd`,
      PictureURI: `${base}/poster.jpg`,
      EmbedCodes: { PlayerURL: `${server.url}/embed/${before.PlayoutId}` },
      Latency: { Target: null, MeasuredP50: null, MeasuredP95: null },
    })
    await putOnline(server, node, projectId)
    node.answer = async () => ({ status: 200, body: health })
    expect((await call('GET', 'output')).body).toEqual({
      ...before,
      IsOnline: true,
      OnlineSince: '2026-03-01T12:00:00.000+00:00',
      Latency: health.Latency,
    })
  })

  test('has no LL-HLS without low latency, and escapes the title in the embed codes', async () => {
    await call('PUT', 'ingest', { body: { UseLowLatency: false, Title: '"></iframe></script><b>' } })
    const { LLHLS, EmbedCodes, PlayoutId } = (await call('GET', 'output')).body
    expect(LLHLS).toBeNull()
    expect(EmbedCodes.iFrame.match(/<\/?\w+/g)).toEqual(['<iframe', '</iframe'])
    expect(EmbedCodes.JavaScript).toBe(
      `<script src="${server.url}/embed.js" data-playout="${PlayoutId}" async></script>`,
    )
  })

  test('is signed for viewers with the requested validity', async () => {
    const { body } = await call('POST', 'output/sign', { body: { ValidSeconds: 3_600 } })
    const { PlayoutId } = (await call('GET', 'output')).body
    const token = /\/s\/([^/]+)\/l\//.exec(body.HLS)?.[1] ?? ''
    expect(body.Token).toBe(token)
    expect(server.services.tokens.check(token, PlayoutId)).toEqual({
      kind: 'viewer',
      expiresAt: new Date(body.ExpiresAt),
      tokenId: body.TokenId,
    })
    expectProblem(await call('POST', 'output/sign', { body: { ValidSeconds: 1 } }), 'invalid')
  })
})

test('events carry the current stream in order, without its secrets', async () => {
  const { body: ingest } = await call('GET', 'ingest')
  await putOnline(server, node, projectId)
  const { database, config } = server.services
  const warning = { code: 'key_frames_too_rare', message: 'Key frames come every 12 s; set 2 s.' }
  await Promise.all(
    Array.from({ length: 5 }, () =>
      database.transaction(async (tx) =>
        emitLive(tx, config.publicUrl, await rowOf(), 'live.warning', { warning }),
      ),
    ),
  )
  const { body } = await server.call('GET', `/events?after=0&limit=500&projectId=${projectId}&event=live.*`)
  expect(body.Events.map(({ Sequence }: { Sequence: number }) => Sequence)).toEqual([1, 2, 3, 4, 5])
  expect(body.Events[0]).toMatchObject({
    Event: 'live.warning',
    ProjectId: projectId,
    Live: {
      ProjectId: projectId,
      State: 'online',
      IsOnline: true,
      Broadcast: { OnlineSince: '2026-03-01T12:00:00.000+00:00', EndedAt: null },
      Warning: { Code: warning.code, Message: warning.message },
      Failure: null,
      Recording: null,
    },
  })
  expect(JSON.stringify(body)).not.toContain(ingest.StreamInConnection.StreamName)
})

test('a live project cannot be deleted; a purged one leaves no rows, and old log entries are dropped before', async () => {
  const { database } = server.services
  await putOnline(server, node, projectId)
  await database.sql`update projects set is_live = true where id = ${projectId}`
  expectProblem(await server.call('DELETE', `/projects/${projectId}`), 'conflict')
  await database.sql`update projects set is_live = false where id = ${projectId}`
  await call('POST', 'targets', { body: { URI: 'rtmp://127.0.0.1/app/key' } })
  await call('POST', 'ingest/resetkey')
  await dropOldLiveLog(database, 1)
  expect((await call('GET', 'log')).body.TotalCount).toBe(1)
  await dropOldLiveLog(database, 0)
  expect((await call('GET', 'log')).body.TotalCount).toBe(0)
  await call('POST', 'ingest/resetkey')
  await putLivePoster(database.kysely, projectId, { picture: Buffer.of(1), takenAt: new Date() })
  expect((await server.call('DELETE', `/projects/${projectId}`)).status).toBe(200)
  await database.sql`update projects set purge_at = now() where id = ${projectId}`
  await purgeProjects({ database, retentionDays: 7 })
  // A broadcast that no node has ended, with a stored DVR window.
  await database.sql`update live_broadcasts set has_stored_window = true, ended_at = null where project_id = ${projectId}`
  await purgeLiveStreams(database)
  const broadcasts = () =>
    database.kysely.selectFrom('live_broadcasts').select('id').where('project_id', '=', projectId).execute()
  expect(await broadcasts()).toHaveLength(1)
  await database.sql`update projects set purged_at = now() - interval '16 minutes' where id = ${projectId}`
  await dropStoredWindows(database, server.services.blobs)
  await purgeLiveStreams(database)
  for (const table of [
    'live_streams',
    'live_broadcasts',
    'live_log',
    'live_targets',
    'live_posters',
  ] as const)
    expect(
      await database.kysely.selectFrom(table).selectAll().where('project_id', '=', projectId).execute(),
    ).toEqual([])
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createMediaFolder,
  ffmpeg,
  testSound,
  testVideo,
} from '../../../../packages/isobmff/test-support/media.ts'
import { commandChunks, messageChunks } from '../../../../packages/rtmp/test-support/chunks.ts'
import { findFreePort } from '../../../test/support/free-port.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { createLog } from '../../platform/log/log.ts'
import { sql } from 'kysely'
import { keepHouse } from '../../platform/jobs/housekeeping.ts'
import { dropStoredWindows, markStoredWindow, storedWindowPrefix } from '../control/store/stored-windows.ts'
import { dropFailedBroadcasts } from '../control/store/live-broadcasts.ts'
import { nodeTokenOf } from '../control/nodes/node-token.ts'
import { keepListening } from './connections/keep-listening.ts'
import { publishCanned } from './test-support/canned-encoder.ts'
import { startLiveWorld, type LiveWorld, type TestStream } from './test-support/live-world.ts'

const quiet = createLog({ level: 'silent' })
let world: LiveWorld

let rtmpsPort: number
const folder = await createMediaFolder()

beforeAll(async () => {
  const [keyPath, certificatePath] = [folder.path('key.pem'), folder.path('certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-subj',
    '/CN=localhost',
    ...curve,
    '-keyout',
    keyPath,
    '-out',
    certificatePath,
  ])
  rtmpsPort = await findFreePort()
  world = await startLiveWorld({
    ZOETROPE_RTMPS_PORT: String(rtmpsPort),
    ZOETROPE_TLS_CERT: certificatePath,
    ZOETROPE_TLS_KEY: keyPath,
  })
})

const goLive = async (stream: TestStream, from = world) => {
  const encoder = await publishCanned(from.rtmpPort, stream.streamKey)
  encoder.send(3)
  await stream.until('live.started')
  return encoder
}

const control = async (path: string, body: object) => {
  const response = await fetch(`${world.node().url}/control/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${nodeTokenOf(world.server.services.secrets)}` },
    body: JSON.stringify(body),
  })
  return (await response.json()) as unknown
}

const sync = (stream: TestStream) => control('sync', { ProjectId: stream.projectId })
const playlistOf = (stream: TestStream) => fetch(`${world.node().url}/l/${stream.playoutId}/ll.m3u8`)

describe('a publisher with the right key', () => {
  test('goes live when its media is playable, and ends on FCUnpublish', async () => {
    const stream = await world.newStream()
    const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
    expect(encoder.status.code).toBe('NetStream.Publish.Start')
    expect(await stream.until('live.connected')).toEqual(['live.connected'])
    expect((await playlistOf(stream)).status).toBe(404)
    encoder.send(3)
    expect(await stream.until('live.started')).toEqual(['live.connected', 'live.started'])
    const playlist = await playlistOf(stream)
    expect(playlist.status).toBe(200)
    expect(await playlist.text()).toContain('av/live.m3u8')
    expect(await stream.row()).toMatchObject({ state: 'online', node_id: world.node().id })
    const health = await control('status', { ProjectId: stream.projectId })
    expect(health).toMatchObject({
      Publisher: { Protocol: 'rtmp', Address: '127.0.0.1' },
      Video: { Codec: 'avc1.42c00c', Width: 320, Height: 180 },
      Audio: { Codec: 'mp4a.40.2', Channels: 2, SampleRate: 48_000 },
      Recording: null,
    })

    encoder.publisher.send(commandChunks('FCUnpublish', 6, null, stream.streamKey))
    await stream.until('live.ended')
    const events = await stream.events()
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    expect(events.at(-1)?.record).toMatchObject({
      State: 'offline',
      IsOnline: false,
      Broadcast: { EndReason: 'unpublished' },
    })
    // Viewers behind live still load the end of the playlist.
    const last = await fetch(`${world.node().url}/l/${stream.playoutId}/video/live.m3u8`)
    expect(await last.text()).toContain('#EXT-X-ENDLIST')
    encoder.breakOff()
  })

  test.each([
    ['live/', (key: string) => key],
    ['/live', (key: string) => `${key}?token=1`],
    ['live', (key: string) => `live/${key}`],
  ])('may send its key in the form of its encoder, with the application %s', async (app, nameOf) => {
    const stream = await world.newStream()
    const { status, breakOff } = await publishCanned(world.rtmpPort, nameOf(stream.streamKey), { app })
    expect(status.code).toBe('NetStream.Publish.Start')
    breakOff()
    expect(await stream.until('live.failed')).toEqual(['live.connected', 'live.failed'])
  })
})

test('keeps two concurrent publishers with their keys in the application name apart', async () => {
  const streams = [await world.newStream(), await world.newStream()]
  const encoders = await Promise.all(
    streams.map(({ streamKey }) => publishCanned(world.rtmpPort, '/', { app: `live/${streamKey}` })),
  )
  for (const [index, stream] of streams.entries()) {
    encoders[index]!.send(3)
    expect(await stream.until('live.started')).toEqual(['live.connected', 'live.started'])
  }
  for (const encoder of encoders) encoder.breakOff()
})

test('a publisher returns after a change of the type, which takes effect with the next broadcast', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  await stream.change({ kind: 'srt' })
  await sync(stream)
  encoder.breakOff()
  await stream.until('live.disconnected')
  const again = await publishCanned(world.rtmpPort, stream.streamKey)
  again.send(3)
  await stream.until('live.reconnected')
  again.publisher.send(commandChunks('FCUnpublish', 6, null, stream.streamKey))
  await stream.until('live.ended')
  again.breakOff()
  const { status } = await publishCanned(world.rtmpPort, stream.streamKey)
  expect(status.code).toBe('NetStream.Publish.Denied')
  await stream.until('live.failed')
  expect((await stream.events()).at(-1)?.record.Failure).toMatchObject({ Code: 'wrong_kind' })
})

describe('refuses with a reason', () => {
  test('a publisher with an unknown key', async () => {
    const { status } = await publishCanned(world.rtmpPort, 'no-such-key')
    expect(status).toMatchObject({
      code: 'NetStream.Publish.Denied',
      description: 'No live stream has this key.',
    })
  })

  test('a publisher whose stream is disabled or is of another kind', async () => {
    const disabled = await world.newStream({ is_enabled: false })
    const pulled = await world.newStream({ kind: 'srt' })
    for (const [stream, code] of [
      [disabled, 'disabled'],
      [pulled, 'wrong_kind'],
    ] as const) {
      const { status } = await publishCanned(world.rtmpPort, stream.streamKey)
      expect(status.code).toBe('NetStream.Publish.Denied')
      await stream.until('live.failed')
      const [event] = await stream.events()
      expect(event?.record).toMatchObject({ State: 'offline', Failure: { Code: code } })
      expect(await stream.logCodes()).toEqual([code])
    }
  })

  test('a second publisher, even when both connect at once', async () => {
    const stream = await world.newStream()
    const both = await Promise.all([1, 2].map(() => publishCanned(world.rtmpPort, stream.streamKey)))
    const codes = both.map(({ status }) => status.code).sort()
    expect(codes).toEqual(['NetStream.Publish.Denied', 'NetStream.Publish.Start'])
    const first = both.find(({ status }) => status.code === 'NetStream.Publish.Start')
    first?.send(3)
    const sending = setInterval(() => first?.send(1), 200)
    await waitFor(
      () => stream.row(),
      ({ state }) => state === 'online',
    )
    const third = await publishCanned(world.rtmpPort, stream.streamKey)
    clearInterval(sending)
    expect(third.status.code).toBe('NetStream.Publish.Denied')
    expect((await stream.row()).state).toBe('online')
    // Refusals are reported once a minute: the two make one event.
    const events = await waitFor(stream.events, ({ length }) => length >= 3)
    expect(events.map(({ name }) => name).sort()).toEqual([
      'live.connected',
      'live.publisher_refused',
      'live.started',
    ])
    expect(events.find(({ name }) => name === 'live.publisher_refused')?.record).toMatchObject({
      Failure: { Code: 'second_publisher' },
    })
    first?.breakOff()
  })
})

test('a publisher that disconnects and returns continues its broadcast', async () => {
  const stream = await world.newStream()
  const first = await goLive(stream)
  first.breakOff()
  await stream.until('live.disconnected')
  expect(await stream.row()).toMatchObject({ state: 'reconnecting' })
  const again = await publishCanned(world.rtmpPort, stream.streamKey)
  again.send(3)
  const names = await stream.until('live.reconnected')
  expect(names).toEqual(['live.connected', 'live.started', 'live.disconnected', 'live.reconnected'])
  const broadcasts = new Set((await stream.events()).map(({ record }) => record.Broadcast.Id))
  expect(broadcasts.size).toBe(1)
  const playlist = await fetch(`${world.node().url}/l/${stream.playoutId}/video/live.m3u8`)
  expect(await playlist.text()).toContain('#EXT-X-DISCONTINUITY')
  again.breakOff()
})

test('a publisher that is silent for a second is replaced by one with the same key', async () => {
  const stream = await world.newStream()
  const silent = await goLive(stream)
  const second = await waitFor(
    () => publishCanned(world.rtmpPort, stream.streamKey),
    ({ status }) => status.code === 'NetStream.Publish.Start',
    4_000,
  )
  expect((await silent.publisher.status()).description).toBe('Another connection now publishes this stream.')
  second.send(3)
  await stream.until('live.reconnected')
  second.breakOff()
})

test('a broadcast ends when its publisher does not return in time', async () => {
  const stream = await world.newStream({ reconnect_seconds: 1 })
  const encoder = await goLive(stream)
  encoder.breakOff()
  const names = await stream.until('live.ended')
  expect(names).toEqual(['live.connected', 'live.started', 'live.disconnected', 'live.ended'])
  const project = await world.server.call('GET', `/projects/${stream.projectId}`)
  expect(project.body.IsLive).toBe(false)
})

describe('changes by the API take effect at once:', () => {
  test('a new key disconnects the publisher, and the broadcast waits', async () => {
    const stream = await world.newStream()
    const encoder = await goLive(stream)
    await stream.change({ stream_key_hash: Buffer.alloc(32, stream.projectId) })
    await sync(stream)
    expect((await encoder.publisher.status()).description).toBe('The stream key was changed.')
    await stream.until('live.disconnected')
    const { status } = await publishCanned(world.rtmpPort, stream.streamKey)
    expect(status.description).toBe('No live stream has this key.')
  })

  test('a stop ends this broadcast but not the next one', async () => {
    const stream = await world.newStream()
    const encoder = await goLive(stream)
    await stream.change({ stops_wanted: 1 })
    await sync(stream)
    expect((await encoder.publisher.status()).description).toBe('The stream was stopped by the API.')
    await stream.until('live.ended')
    expect(await stream.row()).toMatchObject({ state: 'offline', stops_done: 1 })
    const next = await goLive(stream)
    next.breakOff()
  })

  test('disabling a stream ends its broadcast', async () => {
    const stream = await world.newStream()
    await goLive(stream)
    await stream.change({ is_enabled: false })
    await stream.until('live.ended')
  })

  test('a setting for the next broadcast does not count as applied until then', async () => {
    const stream = await world.newStream()
    const encoder = await goLive(stream)
    await stream.change({ title: 'At once' })
    const { version } = await stream.row()
    await waitFor(
      () => stream.row(),
      ({ applied_version }) => applied_version === version,
    )
    await stream.change({ is_low_latency: false })
    await sync(stream)
    expect((await stream.row()).applied_version).toBe(version)
    await stream.change({ is_low_latency: true })
    await sync(stream)
    await waitFor(
      () => stream.row(),
      ({ applied_version }) => applied_version === version + 2,
    )
    encoder.breakOff()
  })
})

test('an address that opens a thousand idle connections gets fifty of them, and others still publish', async () => {
  const held: Socket[] = []
  let closedCount = 0
  for (const port of [world.rtmpPort, rtmpsPort])
    for (let index = 0; index < 1_020; index += 1) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
      socket.on('error', () => {})
      socket.on('close', () => (closedCount += 1))
      held.push(socket)
    }
  await waitFor(
    async () => closedCount,
    (count) => count === 2 * (1_020 - 50),
  )
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  expect(closedCount).toBe(2 * (1_020 - 50))
  encoder.breakOff()
  for (const socket of held) socket.destroy()
})

test('ffmpeg goes live over RTMPS within four seconds', async () => {
  const stream = await world.newStream()
  const address = `rtmps://127.0.0.1:${rtmpsPort}/live/${stream.streamKey}`
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac']
  const published = ffmpeg(['-re', ...testVideo('25', 3), ...testSound(3), ...video, '-f', 'flv', address])
  await stream.until('live.started')
  const playlist = await playlistOf(stream)
  expect(await playlist.text()).toContain('RESOLUTION=320x180')
  await published
  expect(await stream.until('live.ended')).toEqual(['live.connected', 'live.started', 'live.ended'])
  const last = (await stream.events()).at(-1)
  const { Broadcast } = last?.record ?? {}
  const startedMs = Date.parse(Broadcast.OnlineSince) - Date.parse(Broadcast.ConnectedAt)
  expect(startedMs).toBeLessThan(4_000)
})

test('a port in use does not prevent the start, and is opened when it is free', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const server = createServer((socket) => socket.destroy())
  const listener = await keepListening(server, { host: '127.0.0.1', port, name: 'RTMP' }, quiet, 20)
  expect(server.listening).toBe(false)
  expect(listener.waitingSinceMs()).toBeLessThanOrEqual(Date.now())
  other.close()
  await waitFor(
    async () => server.listening,
    (isListening) => isListening,
  )
  expect(listener.waitingSinceMs()).toBeNull()
  listener.close()
})

test('refuses VP9 with a reason, and rejects the next attempts at once', async () => {
  const stream = await world.newStream()
  const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
  encoder.publisher.send(
    messageChunks(9, Buffer.concat([Buffer.of(0x90), Buffer.from('vp09'), Buffer.alloc(4, 0x81)])),
  )
  expect((await encoder.publisher.status()).description).toContain('VP9')
  await stream.until('live.failed')
  // The next attempt gets the same message, and the owner gets no further event.
  const again = await publishCanned(world.rtmpPort, stream.streamKey)
  expect(again.status.code).toBe('NetStream.Publish.Denied')
  expect(again.status.description).toContain('VP9')
  expect(await stream.until('live.failed')).toEqual(['live.connected', 'live.failed'])
  const { database } = world.server.services
  const left = () =>
    database.kysely
      .selectFrom('live_broadcasts')
      .select('id')
      .where('project_id', '=', stream.projectId)
      .execute()
  await dropFailedBroadcasts(database, 1)
  expect(await left()).toHaveLength(1)
  await dropFailedBroadcasts(database, 0)
  expect(await left()).toEqual([])
})

test('housekeeping deletes a stored DVR window a quarter of an hour after the end', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  encoder.publisher.send(commandChunks('FCUnpublish', 6, null, stream.streamKey))
  await stream.until('live.ended')
  const { database, blobs } = world.server.services
  const broadcast = await database.kysely
    .selectFrom('live_broadcasts')
    .select('id')
    .where('project_id', '=', stream.projectId)
    .executeTakeFirstOrThrow()
  const prefix = storedWindowPrefix(broadcast.id)
  await markStoredWindow(database, broadcast)
  await blobs.put(`${prefix}e1/video-1.m4s`, Buffer.of(1))
  const { workerDatabase } = world.server
  await dropStoredWindows(workerDatabase, blobs)
  expect(await blobs.list(prefix)).toHaveLength(1)
  await sql`update live_broadcasts set ended_at = ended_at - interval '16 min' where id = ${broadcast.id}`.execute(
    database.kysely,
  )
  // A failure of the store stops no later task, and the next run repeats it.
  const failing = { deletePrefix: () => Promise.reject(new Error('gone')) }
  let laterCount = 0
  const tasks = [() => dropStoredWindows(workerDatabase, failing), async () => laterCount++]
  await expect(keepHouse(tasks)).rejects.toThrow('gone')
  expect(laterCount).toBe(1)
  await dropStoredWindows(workerDatabase, blobs)
  expect(await blobs.list(prefix)).toEqual([])
  encoder.breakOff()
})

test('the node tells other nodes its id, and that it has a lease', async () => {
  expect(await control('who', {})).toEqual({ NodeId: world.node().id, HasLease: true })
})

test('the control server rejects requests without the node token', async () => {
  const answer = await fetch(`${world.node().url}/control/status`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(401)
})

import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { findFreePort } from '../../../../test/support/free-port.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { commandChunks } from '../../../../../packages/rtmp/test-support/chunks.ts'
import { newMessage } from '../../../platform/base/message.ts'
import { liveReason } from '../../control/api/live-reason.ts'
import { nodeTokenOf } from '../../control/nodes/node-token.ts'
import { openConnection } from '../../../platform/db/driver/connection.ts'
import { createLog } from '../../../platform/log/log.ts'
import { nodeTokenHeader } from '../../../playback/live/pass-on.ts'
import { createBroadcastStore } from './broadcast-store.ts'
import { claimStream, isOtherOwner } from './claim-stream.ts'
import { declareDead } from './declare-dead.ts'
import { removeNode, writeHeartbeat } from './node-row.ts'
import { readStream } from './owned-stream.ts'
import { createRecovery } from './recover-broadcasts.ts'
import { publishCanned } from '../test-support/canned-encoder.ts'
import { startLiveWorld, type LiveWorld, type TestStream } from '../test-support/live-world.ts'
import { prepareProcessKeys } from '../../../app/roles/process-keys.ts'
import { mainScript } from '../../../../test/support/main-script.ts'

let world: LiveWorld

beforeAll(async () => {
  world = await startLiveWorld()
})

const goLive = async (stream: TestStream, port = world.rtmpPort) => {
  const encoder = await publishCanned(port, stream.streamKey)
  encoder.send(5)
  await stream.until('live.started')
  return encoder
}

const stranger = { remoteAddress: '192.0.2.1', encoder: '' }

const nodeCount = async () => {
  const rows = await world.server.services.database.kysely.selectFrom('live_nodes').select('id').execute()
  return rows.length
}

const mediaSequence = async (stream: TestStream, url: string) => {
  const answer = await fetch(`${url}/l/${stream.playoutId}/video/live.m3u8`)
  const text = await answer.text()
  const numbers = [...text.matchAll(/^(\d+)-\d+\.m4s$/gm)].map(([, number]) => Number(number))
  return { first: Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]), last: Math.max(...numbers), text }
}

test('a broadcast continues after a restart of the live node, with increasing segment numbers', async () => {
  const stream = await world.newStream()
  await goLive(stream)
  const before = await mediaSequence(stream, world.node().url)
  await world.stopNode()
  await stream.until('live.disconnected')
  expect(await nodeCount()).toBe(0)
  await world.startNode()
  const again = await publishCanned(world.rtmpPort, stream.streamKey)
  again.send(5)
  const names = await stream.until('live.reconnected')
  expect(names).toEqual(['live.connected', 'live.started', 'live.disconnected', 'live.reconnected'])
  const after = await mediaSequence(stream, world.node().url)
  expect(after.last).toBeGreaterThan(before.last)
  expect(after.text).toContain('#EXT-X-DISCONTINUITY')
  again.breakOff()
})

test.each([300, -300])(
  'a broadcast waits for its publisher when the clock is set by %i s',
  async (seconds) => {
    const stream = await world.newStream({ reconnect_seconds: seconds > 0 ? 60 : 2 })
    const encoder = await goLive(stream)
    encoder.breakOff()
    await stream.until('live.disconnected')
    const { now } = Date
    const set = vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1_000)
    onTestFinished(() => set.mockRestore())
    // Without a publisher, a broadcast waits as long as configured.
    if (seconds < 0) {
      expect((await stream.until('live.ended')).at(-1)).toBe('live.ended')
      return
    }
    const { database } = world.server.services
    const beats = async () => {
      const [row] = await database.sql<{ at: number }[]>`
      select extract(epoch from seen_at)::float8 as at from live_nodes where id = ${world.node().id}`
      return row!.at
    }
    const from = await beats()
    // At least two checks of the time limits.
    await waitFor(beats, (at) => at > from + 2.5)
    const again = await publishCanned(world.rtmpPort, stream.streamKey)
    again.send(5)
    await stream.until('live.reconnected')
    again.breakOff()
  },
)

test('takes over the streams of a node that stopped cleanly', async () => {
  const hasty = await world.newStream({ reconnect_seconds: 1 })
  const idle = await world.newStream()
  const purged = await world.newStream()
  await goLive(hasty)
  await publishCanned(world.rtmpPort, idle.streamKey)
  await idle.until('live.connected')
  await world.stopNode()
  const { database, config } = world.server.services
  expect(await hasty.row()).toMatchObject({ state: 'reconnecting' })
  // A claim that was committed after its node had stopped.
  await sql`update live_streams set node_id = ${randomUUID()} where project_id = ${purged.projectId}`.execute(
    database.kysely,
  )
  const clock = { ms: 0 }
  const nodeId = randomUUID()
  const recovery = createRecovery({
    database,
    nodeId,
    publicUrl: config.publicUrl,
    disk: 'another',
    isThere: async () => null,
    steadySinceMs: () => -Infinity,
    now: () => clock.ms,
    log: createLog({ level: 'silent' }),
  })
  await recovery.sweep()
  expect(await hasty.row()).toMatchObject({ state: 'reconnecting' })
  const { id: targetId } = await database.kysely
    .insertInto('live_targets')
    .values({
      account_id: (await hasty.row()).account_id,
      project_id: hasty.projectId,
      label: '',
      sealed_uri: Buffer.alloc(0),
      state: 'online',
      message: null,
      online_since: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update live_broadcasts set disconnected_at = disconnected_at - interval '1 s' where project_id = ${hasty.projectId}`.execute(
    database.kysely,
  )
  clock.ms = 5_000
  await recovery.sweep()
  expect((await hasty.events()).at(-1)?.record).toMatchObject({ Broadcast: { EndReason: 'not_back' } })
  for (const stream of [hasty, idle, purged])
    expect(await stream.row()).toMatchObject({ state: 'offline', node_id: null })
  const target = database.kysely.selectFrom('live_targets').selectAll().where('id', '=', targetId)
  expect(await target.executeTakeFirst()).toMatchObject({ state: 'idle', online_since: null })
  await world.startNode()
})

test('a node that its supervisor declares dead is taken over at once, and its broadcasts wait for their publishers', async () => {
  const online = await world.newStream()
  const connected = await world.newStream()
  const { database, config } = world.server.services
  const [dead, supervisorId, nodeId] = [randomUUID(), randomUUID(), randomUUID()]
  const disk = randomUUID()
  const url = 'http://127.0.0.1:1'
  await writeHeartbeat(database, { id: dead, url, publicUrl: null, disk, supervisorId })
  const stored = { database, nodeId: dead, publicUrl: config.publicUrl }
  const claim = async (stream: TestStream) => {
    const claimed = await claimStream(
      stored,
      (await readStream(database.kysely, stream.projectId))!,
      stranger,
    )
    if (claimed === 'changed' || isOtherOwner(claimed)) throw new Error('refused')
    return claimed
  }
  const { stream: row, broadcast } = await claim(online)
  const key = {
    accountId: row.account_id,
    projectId: row.project_id,
    broadcastId: broadcast.id,
    epoch: row.epoch,
  }
  await createBroadcastStore(stored).markOnline(key)
  await claim(connected)

  await declareDead(stored, randomUUID())
  expect(await online.row()).toMatchObject({ state: 'online', node_id: dead })
  await declareDead(stored, supervisorId)
  expect(await online.row()).toMatchObject({ state: 'reconnecting' })
  expect((await online.events()).at(-1)?.name).toBe('live.disconnected')
  expect((await connected.events()).at(-1)?.name).toBe('live.failed')

  const recovery = createRecovery({
    ...stored,
    nodeId,
    disk,
    isThere: async () => null,
    steadySinceMs: () => -Infinity,
    now: Date.now,
    log: createLog({ level: 'silent' }),
  })
  expect(await recovery.sweep()).toBe(1)
  expect(await online.row()).toMatchObject({ state: 'reconnecting', node_id: nodeId })
  expect(await connected.row()).toMatchObject({ state: 'offline', node_id: null })
  expect((await online.events()).filter(({ name }) => name === 'live.disconnected')).toHaveLength(1)
})

test.each([
  ['refuses connections', 0, false, true, -Infinity],
  ['does not answer', 0, null, true, -Infinity],
  ['answers, but cannot reach the database', 5, true, false, -Infinity],
  ['answers, but cannot reach the database for a minute', 60, true, true, -Infinity],
  ['answers, and returns later from a minute without database', 60, true, false, Date.now()],
  ['has a heartbeat, and does not answer in time', null, null, false, -Infinity],
] as const)('a node that %s counts as dead or alive when its publisher comes back', async (...given) => {
  const [, silentSeconds, isThere, isLost, steadySinceMs] = given
  const { database, config } = world.server.services
  const other = randomUUID()
  const row = {
    id: other,
    url: 'http://127.0.0.1:1',
    publicUrl: null,
    disk: randomUUID(),
    supervisorId: null,
  }
  await writeHeartbeat(database, row)
  if (silentSeconds !== null)
    await sql`update live_nodes set seen_at = now() - make_interval(secs => ${silentSeconds}) where id = ${other}`.execute(
      database.kysely,
    )
  const beating = setInterval(() => {
    if (silentSeconds === null) void writeHeartbeat(database, row)
  }, 100)
  onTestFinished(() => clearInterval(beating))
  const recovery = createRecovery({
    database,
    nodeId: randomUUID(),
    publicUrl: config.publicUrl,
    disk: 'another',
    isThere: async () => isThere,
    steadySinceMs: () => steadySinceMs,
    now: Date.now,
    log: createLog({ level: 'silent' }),
  })
  const startedMs = performance.now()
  expect(await recovery.isLost(other)).toBe(isLost)
  expect(performance.now() - startedMs).toBeLessThan(5_000)
  clearInterval(beating)
  await removeNode(database, other)
  expect(await recovery.isLost(other)).toBe(true)
})

test('a node that does not answer is dead as soon as its lease has ended', async () => {
  const { database, config } = world.server.services
  const paused = randomUUID()
  const row = { url: 'http://127.0.0.1:1', publicUrl: null, disk: randomUUID(), supervisorId: null }
  const fallSilent = async (): Promise<void> => {
    await writeHeartbeat(database, { id: paused, ...row })
    await sql`update live_nodes set seen_at = now() - interval '1.2 s' where id = ${paused}`.execute(
      database.kysely,
    )
  }
  let isBack = true
  const recovery = createRecovery({
    database,
    nodeId: world.node().id,
    publicUrl: config.publicUrl,
    disk: 'another',
    // The question takes until after the end of the lease.
    isThere: async () => {
      if (isBack) await writeHeartbeat(database, { id: paused, ...row })
      await delay(400)
      return null
    },
    steadySinceMs: () => -Infinity,
    now: Date.now,
    log: createLog({ level: 'silent' }),
  })
  // The node of the tests must not judge it first.
  await world.stopNode()
  await fallSilent()
  expect(await recovery.sweep()).toBe(0)
  isBack = false
  await fallSilent()
  expect(await recovery.sweep()).toBe(1)
  await world.startNode()
})

test('releases a publisher that the row has and the node does not', async () => {
  const connected = await world.newStream()
  const online = await world.newStream()
  const { database, config } = world.server.services
  const stored = { database, nodeId: world.node().id, publicUrl: config.publicUrl }
  await claimStream(stored, (await readStream(database.kysely, connected.projectId))!, stranger)
  const claimed = await claimStream(stored, (await readStream(database.kysely, online.projectId))!, stranger)
  if (claimed === 'changed' || isOtherOwner(claimed)) throw new Error('refused')
  const { account_id: accountId, project_id: projectId, epoch } = claimed.stream
  const key = { accountId, projectId, broadcastId: claimed.broadcast.id, epoch }
  await createBroadcastStore(stored).markOnline(key)
  expect(await connected.until('live.failed')).toEqual(['live.connected', 'live.failed'])
  await online.until('live.disconnected')
  const again = await publishCanned(world.rtmpPort, online.streamKey)
  again.send(5)
  await online.until('live.reconnected')
  again.breakOff()
})

test('leaves out the numbers that a silent node may have used for a publisher that came back to it', async () => {
  const stream = await world.newStream()
  const { database, config } = world.server.services
  const silent = randomUUID()
  const node = { id: silent, publicUrl: null, disk: randomUUID(), supervisorId: null }
  await writeHeartbeat(database, { ...node, url: 'http://127.0.0.1:1' })
  const setSilence = (seconds: number) =>
    sql`update live_nodes set seen_at = now() - make_interval(secs => ${seconds}) where id = ${silent}`.execute(
      database.kysely,
    )
  // The node of the tests must not take it over meanwhile.
  await setSilence(-60)
  const claim = async (nodeId: string) => {
    const stored = { database, nodeId, publicUrl: config.publicUrl }
    const authorized = (await readStream(database.kysely, stream.projectId))!
    const claimed = await claimStream(stored, authorized, stranger)
    if (claimed === 'changed' || isOtherOwner(claimed)) throw new Error('refused')
    const { account_id: accountId, project_id: projectId, epoch } = claimed.stream
    const { broadcast } = claimed
    const key = { accountId, projectId, broadcastId: broadcast.id, epoch }
    return { store: createBroadcastStore(stored), key, broadcast }
  }
  const { store, key } = await claim(silent)
  await store.markOnline(key)
  await store.markAway(key, liveReason('left', newMessage('live_publisher_left_early')))
  await setSilence(20)
  const { broadcast } = await claim(randomUUID())
  const unknownMs = Number(broadcast.lost_until) - Number(broadcast.disconnected_at)
  expect(unknownMs).toBeGreaterThanOrEqual(20_000)
  expect(unknownMs).toBeLessThan(30_000)
})

test('another node may continue a broadcast only when the journal has all of its segments', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  const { database } = world.server.services
  let listed = 0
  await database.transaction(async (tx) => {
    await sql`lock table live_journal in exclusive mode`.execute(tx)
    encoder.send(5)
    encoder.breakOff()
    await delay(2_000)
    listed = (await mediaSequence(stream, world.node().url)).last
    expect((await stream.events()).map(({ name }) => name)).toEqual(['live.connected', 'live.started'])
  })
  await stream.until('live.disconnected')
  const rows = await sql<{ lines: string }>`
    select j.lines from live_journal j join live_streams s using (broadcast_id)
    where s.project_id = ${stream.projectId}`.execute(database.kysely)
  const stored = rows.rows.flatMap(({ lines }) => lines.split('\n')).map((line) => JSON.parse(line) as Line)
  expect(stored.some(({ segment }) => segment?.number === listed)).toBe(true)
})

interface Line {
  readonly segment?: { readonly number: number }
}

test('viewers do not see an earlier broadcast while the broadcast of a lost node is restored', async () => {
  const stream = await world.newStream()
  const earlier = await goLive(stream)
  earlier.publisher.send(commandChunks('FCUnpublish', 6, null, stream.streamKey))
  await stream.until('live.ended')
  const { database, secrets, config } = world.server.services
  const headers = { [nodeTokenHeader]: nodeTokenOf(secrets) }
  const load = async () => {
    const answer = await fetch(`${world.node().url}/l/${stream.playoutId}/video/live.m3u8`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  expect((await load()).text).toContain('#EXT-X-ENDLIST')

  const stored = { database, nodeId: randomUUID(), publicUrl: config.publicUrl }
  const claimed = await claimStream(stored, (await readStream(database.kysely, stream.projectId))!, stranger)
  if (claimed === 'changed' || isOtherOwner(claimed)) throw new Error('refused')
  await database.transaction(async (tx) => {
    // The node reads the journal before it restores the broadcast.
    await sql`lock table live_journal in access exclusive mode`.execute(tx)
    await sql`update live_broadcasts set online_at = now(), disconnected_at = now() where id = ${claimed.broadcast.id}`.execute(
      database.kysely,
    )
    await sql`update live_streams set node_id = ${world.node().id}, epoch = epoch + 1, state = 'reconnecting' where project_id = ${stream.projectId}`.execute(
      database.kysely,
    )
    // The node knows a stream for a second.
    await delay(1_100)
    expect(await load()).toMatchObject({ status: 503 })
  })
})

test('rejects a publisher whose key is reset during its admission', async () => {
  const stream = await world.newStream()
  const { database, config } = world.server.services
  const stored = { database, nodeId: world.node().id, publicUrl: config.publicUrl }
  const authorized = (await readStream(database.kysely, stream.projectId))!
  for (const change of [{ stream_key_hash: Buffer.alloc(32, 7) }, { is_enabled: false }]) {
    const before = (await readStream(database.kysely, stream.projectId))!
    await stream.change(change)
    expect(await claimStream(stored, before, stranger)).toBe('changed')
  }
  expect(await claimStream(stored, authorized, stranger)).toBe('changed')
  expect(await stream.events()).toEqual([])
})

/** Returns a function that ends the outage. */
const startOutage = async (): Promise<() => Promise<void>> => {
  const { connection } = world.server.services.database
  if ('url' in connection) throw new Error('tests have a database on a socket')
  const { database } = connection
  const administration = await openConnection({ ...connection, database: 'postgres' })
  const allow = async (isAllowed: boolean): Promise<void> => {
    await administration.query(`alter database ${database} with allow_connections ${String(isAllowed)}`)
  }
  onTestFinished(async () => {
    await allow(true)
    administration.discard()
  })
  await allow(false)
  await administration.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database,
  ])
  return () => allow(true)
}

test('a database outage ends no broadcast, and the events keep their order', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  // A viewer loads a playlist before the outage.
  const before = await mediaSequence(stream, world.node().url)
  const endOutage = await startOutage()
  encoder.breakOff()
  // The node accepts the publisher from memory.
  const again = await waitFor(
    () => publishCanned(world.rtmpPort, stream.streamKey),
    ({ status }) => status.code === 'NetStream.Publish.Start',
  )
  again.send(5)
  const playlist = await waitFor(
    () => mediaSequence(stream, world.node().url),
    ({ text }) => text.includes('#EXT-X-DISCONTINUITY'),
  )
  expect(playlist.first).toBe(before.first)
  await endOutage()
  const names = await stream.until('live.reconnected')
  expect(names).toEqual(['live.connected', 'live.started', 'live.disconnected', 'live.reconnected'])
  again.breakOff()
})

test('a node that reaches neither the database nor another node sends no playlist until the database is back', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  const { database } = world.server.services
  const sockets: Socket[] = []
  const frozen = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(frozen, 'listening')
  const url = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`
  const other = { id: randomUUID(), url, publicUrl: null, disk: randomUUID(), supervisorId: null }
  await writeHeartbeat(database, other)
  // The node of the tests must not take it for dead.
  await sql`update live_nodes set seen_at = now() + interval '1 minute' where id = ${other.id}`.execute(
    database.kysely,
  )
  onTestFinished(async () => {
    await removeNode(database, other.id)
    for (const socket of sockets) socket.destroy()
    frozen.close()
    encoder.breakOff()
  })
  const statusOf = async (name: string) =>
    (await fetch(`${world.node().url}/l/${stream.playoutId}/video/${name}`)).status
  const { text } = await mediaSequence(stream, world.node().url)
  const [segment] = /^\d+-\d+\.m4s$/m.exec(text)!
  // The node reads the other ones four times a second.
  await delay(1_000)
  const endOutage = await startOutage()
  expect(await statusOf('live.m3u8')).toBe(200)
  await waitFor(
    () => statusOf('live.m3u8'),
    (status) => status === 503,
  )
  expect(await statusOf(segment)).toBe(200)
  await endOutage()
  await waitFor(
    () => statusOf('live.m3u8'),
    (status) => status === 200,
  )
})

const children: ChildProcess[] = []

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a live node in a separate process, on the database and the data folder of the tests. */
const spawnNode = async (rtmpPort: number): Promise<ChildProcess> => {
  const { config, database, secrets } = world.server.services
  // `up` does it before it starts its processes.
  await prepareProcessKeys(database, secrets)
  const child = spawn(process.execPath, [mainScript, 'serve', '--role', 'live'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ZOETROPE_DATA: config.dataFolder,
      ZOETROPE_PUBLIC_URL: config.publicUrl,
      ZOETROPE_RTMP_PORT: String(rtmpPort),
      ZOETROPE_LOG_LEVEL: 'silent',
      ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(database.connection),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

const publishWhenThere = (port: number, streamKey: string) =>
  waitFor(
    () => publishCanned(port, streamKey).catch(() => null),
    (encoder) => encoder?.status.code === 'NetStream.Publish.Start',
  )

test('after a kill -9 a publisher resumes its broadcast, and broadcasts that wait too long end', async () => {
  await world.stopNode()
  const patient = await world.newStream()
  const hasty = await world.newStream({ reconnect_seconds: 1 })
  const idle = await world.newStream()
  const port = await findFreePort()
  const first = await spawnNode(port)
  const encoder = await publishWhenThere(port, patient.streamKey)
  encoder?.send(5)
  await patient.until('live.started')
  await goLive(hasty, port)
  await publishWhenThere(port, idle.streamKey)
  await idle.until('live.connected')
  first.kill('SIGKILL')
  // Restarts at once, as a supervisor does: the stale session must not block the publisher.
  await spawnNode(port)
  const again = await publishWhenThere(port, patient.streamKey)
  again?.send(5)
  expect(await patient.until('live.reconnected')).toEqual([
    'live.connected',
    'live.started',
    'live.disconnected',
    'live.reconnected',
  ])
  expect(await hasty.until('live.ended')).toEqual([
    'live.connected',
    'live.started',
    'live.disconnected',
    'live.ended',
  ])
  expect(await idle.until('live.failed')).toEqual(['live.connected', 'live.failed'])
  const projects = await world.server.services.database.kysely
    .selectFrom('projects')
    .select('id')
    .where('is_live', '=', true)
    .where('id', 'in', [patient.projectId, hasty.projectId, idle.projectId])
    .execute()
  expect(projects).toEqual([{ id: patient.projectId }])
})

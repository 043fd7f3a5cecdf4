import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../test/support/free-port.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import { publishCanned } from './test-support/canned-encoder.ts'
import { startLiveWorld, type LiveWorld, type TestStream } from './test-support/live-world.ts'

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

const nodeCount = async () => {
  const rows = await world.server.services.database.kysely.selectFrom('live_nodes').select('id').execute()
  return rows.length
}

const mediaSequence = async (stream: TestStream, url: string) => {
  const answer = await fetch(`${url}/l/${stream.playoutId}/video/live.m3u8`)
  const text = await answer.text()
  const numbers = [...text.matchAll(/^(\d+)\.m4s$/gm)].map(([, number]) => Number(number))
  return { first: Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]), last: Math.max(...numbers), text }
}

test('a broadcast goes on when the live node is restarted, with numbers that never go back', async () => {
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

test('a database that is away for a while ends no broadcast, and the events come in their order', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  // Somebody watches.
  await mediaSequence(stream, world.node().url)
  const { connection } = world.server.services.database
  if ('url' in connection) throw new Error('tests have a database on a socket')
  const { host, user, database } = connection
  const administration = postgres({ host, user, database: 'postgres', max: 1, onnotice: () => {} })
  const allow = (isAllowed: boolean) =>
    administration.unsafe(`alter database ${database} with allow_connections ${String(isAllowed)}`)
  onTestFinished(async () => {
    await allow(true)
    await administration.end()
  })
  await allow(false)
  await administration`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`
  encoder.breakOff()
  // Accepted by what the node remembers.
  const again = await waitFor(
    () => publishCanned(world.rtmpPort, stream.streamKey),
    ({ status }) => status.code === 'NetStream.Publish.Start',
  )
  again.send(5)
  const playlist = await waitFor(
    () => mediaSequence(stream, world.node().url),
    ({ text }) => text.includes('#EXT-X-DISCONTINUITY'),
  )
  expect(playlist.first).toBe(0)
  await allow(true)
  const names = await stream.until('live.reconnected')
  expect(names).toEqual(['live.connected', 'live.started', 'live.disconnected', 'live.reconnected'])
  again.breakOff()
})

const mainScript = fileURLToPath(new URL('../main.ts', import.meta.url))
const children: ChildProcess[] = []

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A live node as a process of its own, on the database and the data folder of the tests. */
const spawnNode = async (rtmpPort: number): Promise<ChildProcess> => {
  const { config, database } = world.server.services
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

test('after a kill -9 the publisher comes back to the same broadcast, and those that wait too long are over', async () => {
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
  // Two seconds pass.
  await sql`update live_nodes set seen_at = seen_at - interval '2 s'`.execute(
    world.server.services.database.kysely,
  )

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

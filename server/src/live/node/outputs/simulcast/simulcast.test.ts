import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createRtmpServer, type MediaMessage } from '@zoetrope/rtmp'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openLiveStream } from '../../../control/store/live-stream-store.ts'
import { startTestServer } from '../../../../../test/support/test-server.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { createSimulcast, type Simulcast } from './create-simulcast.ts'
import { resetTargetStates } from './target-states.ts'

const server = await startTestServer()
const { database, secrets } = server.services
const { kysely } = database
const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
  await server.stop()
})

const startTarget = async (port = 0, handle?: (socket: Socket) => void) => {
  const published: MediaMessage[][] = []
  const sockets = new Set<Socket>()
  const rtmp = createRtmpServer({
    authorize: async ({ streamKey }) => (streamKey === 'key' ? { accept: true } : { refuse: 'Unknown key.' }),
    onPublish: async (session) => {
      const messages: MediaMessage[] = []
      published.push(messages)
      for await (const message of session.messages) messages.push(message)
    },
    onError: () => {},
  })
  const listener: Server = createServer((socket) => {
    sockets.add(socket)
    if (handle) return handle(socket)
    void rtmp.handleSocket(socket)
  })
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const stop = async (): Promise<void> => {
    listener.close()
    for (const socket of sockets) socket.destroy()
    await rtmp.close('over')
  }
  stops.push(stop)
  return { published, port: (listener.address() as AddressInfo).port, stop }
}

/** The database as seen by a node that loses its connection to it. */
const startOutages = () => {
  const state = { isDown: false, refusals: 0 }
  const breakable = new Proxy(kysely, {
    get: (target, name) => {
      if (state.isDown) {
        state.refusals++
        throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const refusal = () =>
    waitFor(
      async () => state.refusals,
      (count) => count > 0,
    )
  return { state, refusal, database: { ...database, kysely: breakable } }
}

const newBroadcast = async (nodeDatabase = database) => {
  const account = await kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const project = await kysely
    .insertInto('projects')
    .values({ account_id: account.id, name: 'Live' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await openLiveStream(kysely, secrets, { accountId: account.id, projectId: project.id })
  const simulcast: Simulcast = createSimulcast({
    stream: { account_id: account.id, project_id: project.id, epoch: 0 },
    broadcastId: 7,
    database: nodeDatabase,
    secrets,
    dial: async ({ port }) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
    log: pino({ enabled: false }),
    backOffMs: { first: 20, longest: 40 },
  })
  const addTarget = async (port: number, key = 'key', onlineSince: Date | null = null): Promise<number> => {
    const uri = secrets.liveNodes.seal(Buffer.from(`rtmp://127.0.0.1:${port}/live/${key}`))
    const row = await kysely
      .insertInto('live_targets')
      .values({
        account_id: account.id,
        project_id: project.id,
        label: '',
        sealed_uri: uri,
        message: null,
        online_since: onlineSince,
        ...(onlineSince !== null && { state: 'online' as const }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    simulcast.sync()
    return row.id
  }
  const giveToAnotherNode = () =>
    kysely.updateTable('live_streams').set({ epoch: 1 }).where('project_id', '=', project.id).execute()
  const target = (id: number) =>
    kysely.selectFrom('live_targets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const logged = async () =>
    (
      await kysely
        .selectFrom('live_log')
        .selectAll()
        .where('project_id', '=', project.id)
        .orderBy('id')
        .execute()
    ).map(({ level, code, message, broadcast_id: id }) => `${level} ${code} ${id}: ${message}`)
  return { simulcast, addTarget, giveToAnotherNode, target, logged }
}

const bytes = (length: number, seed: number) => Buffer.alloc(length, seed)
const configurations: readonly MediaMessage[] = [
  { type: 'video-configuration', codec: 'avc1', data: bytes(40, 1) },
  { type: 'audio-configuration', codec: 'mp4a', data: bytes(2, 2) },
]
const picture = (index: number, isKeyFrame = index % 5 === 0): MediaMessage => ({
  type: 'video-frame',
  codec: 'avc1',
  timestampMs: index * 40,
  compositionTimeMs: 40,
  isKeyFrame,
  data: bytes(5_000, index % 256),
})
const sound = (index: number): MediaMessage => ({
  type: 'audio-frame',
  codec: 'mp4a',
  timestampMs: index * 40 + 3,
  data: bytes(200, index % 256),
})

/** Sends the stream until the condition is met, and returns all that was sent. */
const sendUntil = async (simulcast: Simulcast, isDone: () => boolean | Promise<boolean>, from = 0) => {
  const sent: MediaMessage[] = []
  let index = from
  await waitFor(
    async () => {
      for (const message of [picture(index), sound(index)]) {
        sent.push(message)
        simulcast.onMessage?.(message)
      }
      index++
      return isDone()
    },
    (isOver) => isOver,
  )
  return { sent, next: index }
}

const start = (simulcast: Simulcast): void => {
  for (const message of configurations) simulcast.onMessage?.(message)
}

test('a target gets the original bytes and timestamps from a key frame on, and is reconnected when it drops', async () => {
  const { simulcast, addTarget, target, logged } = await newBroadcast()
  const other = await startTarget()
  let remote = await startTarget()
  const [id, otherId] = [await addTarget(remote.port), await addTarget(other.port)]
  start(simulcast)
  const first = await sendUntil(simulcast, () => (remote.published[0]?.length ?? 0) > 30)
  const got = remote.published[0]!
  expect(got.slice(0, 2)).toEqual(configurations)
  const [head] = got.slice(2)
  expect(head).toMatchObject({ type: 'video-frame', isKeyFrame: true })
  const headMs = head?.type === 'video-frame' ? head.timestampMs : null
  const from = first.sent.findIndex(
    (message) => message.type === 'video-frame' && message.timestampMs === headMs,
  )
  expect(got.slice(2)).toEqual(first.sent.slice(from, from + got.length - 2))
  expect(
    await waitFor(
      () => target(id),
      ({ state }) => state === 'online',
    ),
  ).toMatchObject({ restart_count: 0 })

  await remote.stop()
  const away = await sendUntil(simulcast, async () => (await target(id)).state === 'waiting', first.next)
  expect((await target(id)).message).not.toBeNull()
  // The other target is not affected.
  expect(await target(otherId)).toMatchObject({ state: 'online', restart_count: 0 })
  remote = await startTarget(remote.port)
  await sendUntil(simulcast, () => (remote.published[0]?.length ?? 0) > 10, away.next)
  expect(remote.published[0]!.slice(0, 3)).toMatchObject([...configurations, { isKeyFrame: true }])
  expect(
    (
      await waitFor(
        () => target(id),
        ({ state }) => state === 'online',
      )
    ).restart_count,
  ).toBeGreaterThan(0)

  await simulcast.stop('ended')
  expect([await target(id), await target(otherId)]).toMatchObject([
    { state: 'idle', online_since: null },
    { state: 'idle', online_since: null },
  ])
  expect(other.published).toHaveLength(1)
  const name = `127.0.0.1:${remote.port}`
  expect((await logged()).filter((line) => line.includes(name))).toEqual([
    `info target_online 7: ${name} receives the stream.`,
    expect.stringMatching(
      `^warning target_lost 7: ${name} does not receive the stream: .+\\. Zoetrope keeps trying\\.$`,
    ),
    `info target_online 7: ${name} receives the stream.`,
  ])
})

test('targets are added, refused and removed while the stream is live', async () => {
  const { simulcast, addTarget, target, logged } = await newBroadcast()
  const remote = await startTarget()
  start(simulcast)
  const { next } = await sendUntil(simulcast, () => true)
  const wrong = await addTarget(remote.port, 'wrong-key')
  const right = await addTarget(remote.port)
  const later = await sendUntil(simulcast, () => remote.published.length === 1, next)
  const refused = await waitFor(
    () => target(wrong),
    ({ message }) => message !== null,
  )
  expect(refused).toMatchObject({ message: 'The server refused: Unknown key.' })
  await kysely.updateTable('live_targets').set({ is_enabled: false }).where('id', '=', right).execute()
  simulcast.sync()
  await waitFor(
    () => target(right),
    ({ state }) => state === 'idle',
  )
  const count = remote.published[0]!.length
  await sendUntil(simulcast, () => true, later.next)
  expect(remote.published[0]).toHaveLength(count)
  await simulcast.stop('ended')
  const name = `127.0.0.1:${remote.port}`
  expect((await logged()).toSorted()).toEqual([
    `info target_online 7: ${name} receives the stream.`,
    `warning target_lost 7: ${name} does not receive the stream: The server refused: Unknown key. Zoetrope keeps trying.`,
  ])
})

test('a returning publisher with a new clock restarts the push', async () => {
  const { simulcast, addTarget, target, logged } = await newBroadcast()
  const remote = await startTarget()
  const id = await addTarget(remote.port)
  start(simulcast)
  await sendUntil(simulcast, () => (remote.published[0]?.length ?? 0) > 5)
  simulcast.onGone?.()
  await waitFor(
    () => target(id),
    ({ state }) => state === 'waiting',
  )
  start(simulcast)
  await sendUntil(simulcast, () => (remote.published[1]?.length ?? 0) > 5)
  expect(remote.published[1]![2]).toMatchObject({ type: 'video-frame', isKeyFrame: true })
  await simulcast.stop('ended')
  // The target was not lost.
  expect(await logged()).toHaveLength(1)
})

const startSlowTarget = async (onPublish: Parameters<typeof createRtmpServer>[0]['onPublish']) => {
  const rtmp = createRtmpServer({
    authorize: async () => ({ accept: true }),
    onPublish,
    onError: () => {},
    limits: { queuedBytes: 1_000 },
  })
  return { rtmp, remote: await startTarget(0, (socket) => void rtmp.handleSocket(socket)) }
}

test('a target that reads nothing takes a bounded amount of memory', async () => {
  const { simulcast, addTarget, target } = await newBroadcast()
  // Accepts the publish and never reads it.
  const { rtmp, remote } = await startSlowTarget(() => new Promise<void>(() => {}))
  const id = await addTarget(remote.port)
  start(simulcast)
  const { next } = await sendUntil(simulcast, async () => (await target(id)).state === 'online')
  const before = process.memoryUsage().arrayBuffers
  // 160 MB in total, sent from two buffers that the test keeps anyway.
  const [key, between] = [picture(next, true), picture(next + 1, false)]
  for (let index = 0; index < 32_000; index++) simulcast.onMessage?.(index % 5 === 0 ? key : between)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 2 ** 20)
  expect(
    await waitFor(
      () => target(id),
      ({ message }) => message !== null,
    ),
  ).toMatchObject({
    state: 'online',
    message: expect.stringContaining('too slow'),
  })
  await simulcast.stop('ended')
  await rtmp.close('over')
})

test('a target that was too slow has no message after it has caught up', async () => {
  const { simulcast, addTarget, target, logged } = await newBroadcast()
  const reading = Promise.withResolvers<void>()
  const { rtmp, remote } = await startSlowTarget(async ({ messages }) => {
    await reading.promise
    for await (const message of messages) void message
  })
  const id = await addTarget(remote.port)
  start(simulcast)
  const { next } = await sendUntil(simulcast, async () => (await target(id)).state === 'online')
  for (let index = next; index < next + 4_000; index++) simulcast.onMessage?.(picture(index))
  await waitFor(
    () => target(id),
    ({ message }) => message !== null,
  )
  reading.resolve()
  await sendUntil(simulcast, async () => (await target(id)).message === null, next + 4_000)
  expect(await target(id)).toMatchObject({ state: 'online', restart_count: 0 })
  await simulcast.stop('ended')
  expect(await logged()).toHaveLength(1)
  await rtmp.close('over')
})

test('resets the target states that a killed node left for offline streams', async () => {
  const { simulcast, addTarget, target } = await newBroadcast()
  const id = await addTarget(1)
  await simulcast.stop('shutdown')
  await kysely
    .updateTable('live_targets')
    .set({ state: 'online', online_since: new Date() })
    .where('id', '=', id)
    .execute()
  await resetTargetStates(database)
  expect(await target(id)).toMatchObject({ state: 'idle', online_since: null })
})

test('targets get the stream after a database outage at the beginning of the broadcast', async () => {
  const outage = startOutages()
  outage.state.isDown = true
  const { simulcast, addTarget } = await newBroadcast(outage.database)
  const remote = await startTarget()
  await addTarget(remote.port)
  await outage.refusal()
  outage.state.isDown = false
  start(simulcast)
  await sendUntil(simulcast, () => remote.published.length === 1)
  await simulcast.stop('ended')
})

test('a state that changes during a database outage is stored afterwards', async () => {
  const outage = startOutages()
  const { simulcast, addTarget, target } = await newBroadcast(outage.database)
  const remote = await startTarget()
  const id = await addTarget(remote.port)
  start(simulcast)
  await sendUntil(simulcast, async () => (await target(id)).state === 'online')
  outage.state.isDown = true
  simulcast.onGone?.()
  await outage.refusal()
  outage.state.isDown = false
  await waitFor(
    () => target(id),
    ({ state }) => state === 'waiting',
  )
  outage.state.isDown = true
  await simulcast.stop('ended')
})

test('a target is idle while a taken-over stream waits for its publisher', async () => {
  const { simulcast, addTarget, target } = await newBroadcast()
  const id = await addTarget(1, 'key', new Date())
  const waiting = await waitFor(
    () => target(id),
    ({ state }) => state !== 'online',
  )
  expect(waiting).toMatchObject({ state: 'idle', online_since: null })
  await simulcast.stop('shutdown')
})

test('a node that has lost the stream does not change the states that its successor writes', async () => {
  const { simulcast, addTarget, giveToAnotherNode, target } = await newBroadcast()
  const { port } = await startTarget()
  const id = await addTarget(port)
  start(simulcast)
  await sendUntil(simulcast, async () => (await target(id)).state === 'online')
  await giveToAnotherNode()
  await simulcast.stop('shutdown')
  expect(await target(id)).toMatchObject({ state: 'online' })
})

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { publishCanned, type CannedEncoder } from '../test-support/canned-encoder.ts'
import { startLiveWorld, type LiveWorld, type TestStream } from '../test-support/live-world.ts'

let world: LiveWorld
beforeAll(async () => {
  world = await startLiveWorld()
})

const goLive = async (stream: TestStream): Promise<CannedEncoder> => {
  const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
  encoder.send(5)
  await stream.until('live.started')
  return encoder
}

/** Gives a waiting stream to a node of another machine. Returns what makes that node miss its heartbeats. */
const giveToOtherNode = async ({ projectId }: TestStream): Promise<() => Promise<unknown>> => {
  const { database } = world.server.services
  const id = randomUUID()
  await database.sql`
    insert into live_nodes (id, url, disk, seen_at, taken_ports)
    values (${id}, 'http://127.0.0.1:1', 'other', now() + interval '60 s', '[]')`
  await database.sql`update live_streams set node_id = ${id}, epoch = epoch + 1 where project_id = ${projectId}`
  // The node looks every second whether it owns its streams.
  await delay(2_500)
  return () => database.sql`update live_nodes set seen_at = now() - interval '3 s' where id = ${id}`
}

/** A broadcast that is resumed reads the journal, so it waits. */
const lockJournal = async (): Promise<() => Promise<void>> => {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = world.server.services.database.transaction(async (tx) => {
    await sql`lock table live_journal in access exclusive mode`.execute(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  return async () => {
    released.resolve()
    await done
  }
}

const untilTakenOver = (stream: TestStream) =>
  waitFor(stream.row, ({ node_id, state }) => node_id === world.node().id && state === 'reconnecting')

/** The node reads its rows in the order of the table, which updates change. */
const putAfter = async (stream: TestStream, other: TestStream): Promise<void> => {
  const { database } = world.server.services
  for (;;) {
    const rows = await database.sql<{ id: number }[]>`
      select s.project_id as id from live_streams s join projects on projects.id = s.project_id
      where s.node_id = ${world.node().id}`
    const ids = rows.map(({ id }) => id)
    if (ids.indexOf(other.projectId) < ids.indexOf(stream.projectId)) return
    await stream.change({ title: randomUUID() })
  }
}

/** Sends on while the node compares its broadcasts with the rows several times. */
const sendOn = async (encoder: CannedEncoder): Promise<void> => {
  for (let round = 0; round < 8; round += 1) {
    encoder.send(1)
    await delay(500)
  }
  expect(encoder.publisher.socket.readyState).toBe('open')
}

test('a publisher that returns during the takeover of its stream stays connected', async () => {
  const stream = await world.newStream()
  const encoder = await goLive(stream)
  encoder.breakOff()
  await stream.until('live.disconnected')
  const die = await giveToOtherNode(stream)
  const release = await lockJournal()
  await die()
  const { epoch } = await untilTakenOver(stream)
  const returning = publishCanned(world.rtmpPort, stream.streamKey)
  await waitFor(stream.row, (row) => row.epoch > epoch)
  await release()
  const again = await returning
  expect(again.status.code).toBe('NetStream.Publish.Start')
  await sendOn(again)
  expect((await stream.events()).map(({ name }) => name).slice(-2)).toEqual([
    'live.disconnected',
    'live.reconnected',
  ])
  expect((await stream.row()).state).toBe('online')
  again.breakOff()
})

test('a broadcast that begins during the takeover of another stream continues', async () => {
  const [first, second] = [await world.newStream(), await world.newStream()]
  const former = await goLive(second)
  former.breakOff()
  await second.until('live.disconnected')
  await second.change({ is_enabled: false })
  await second.until('live.ended')
  await second.change({ is_enabled: true })
  const encoder = await goLive(first)
  encoder.breakOff()
  await first.until('live.disconnected')
  const die = await giveToOtherNode(first)
  const release = await lockJournal()
  await die()
  await untilTakenOver(first)
  await putAfter(second, first)
  await delay(1_500)
  const again = await goLive(second)
  await release()
  await sendOn(again)
  expect((await second.events()).at(-1)?.name).toBe('live.started')
  expect((await second.row()).state).toBe('online')
  again.breakOff()
})

test('a node whose heartbeat waits refuses publishers after the end of its lease, and lets them in afterwards', async () => {
  const stream = await world.newStream()
  const released = Promise.withResolvers<void>()
  const held = world.server.services.database.transaction(async (tx) => {
    await sql`select from live_nodes where id = ${world.node().id} for update`.execute(tx)
    await released.promise
  })
  // The lease ends after 1.5 s.
  await delay(2_500)
  const refused = await publishCanned(world.rtmpPort, stream.streamKey)
  expect(refused.status).toMatchObject({
    code: 'NetStream.Publish.Denied',
    description: 'The server cannot look up the stream key just now; try again.',
  })
  expect(await stream.row()).toMatchObject({ state: 'offline', node_id: null })
  released.resolve()
  await held
  const admitted = await waitFor(
    () => publishCanned(world.rtmpPort, stream.streamKey),
    ({ status }) => status.code === 'NetStream.Publish.Start',
  )
  admitted.breakOff()
})

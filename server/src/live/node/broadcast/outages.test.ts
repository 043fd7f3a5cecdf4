import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startLive } from '../../../app/roles/live.ts'
import { openConnection } from '../../../platform/db/driver/connection.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { publishCanned } from '../test-support/canned-encoder.ts'
import { startLiveWorld, type LiveWorld } from '../test-support/live-world.ts'

let world: LiveWorld
beforeAll(async () => {
  world = await startLiveWorld({ ZOETROPE_LIVE_RECORDINGS: 'media' })
})

const accepted = 'NetStream.Publish.Start'

/** As during a failover. */
const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
  const { connection } = world.server.services.database
  const administrator = await openConnection(connection)
  const [database] = await administrator.rows<{ name: string }>('select current_database() as name')
  await administrator.query(
    `begin read write; alter database ${database?.name} set default_transaction_read_only = ${value}; commit`,
  )
  // The setting applies to new connections.
  await administrator.query(`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^zoetrope( key=|$)'`)
  administrator.discard()
}

const recordingsOf = (projectId: number) =>
  world.server.services.database.kysely
    .selectFrom('live_recordings')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()

test('a read-only database delays state changes and does not end recordings', async () => {
  const [stream, recorded] = [await world.newStream(), await world.newStream({ is_auto_recorded: true })]
  const other = await publishCanned(world.rtmpPort, recorded.streamKey)
  other.send(5)
  await waitFor(
    () => recordingsOf(recorded.projectId),
    (all) => all.length === 1,
  )
  const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
  encoder.send(5)
  await stream.until('live.started')
  encoder.breakOff()
  await stream.until('live.disconnected')

  await setReadOnly('on')
  const again = await publishCanned(world.rtmpPort, stream.streamKey)
  expect(again.status.code).toBe(accepted)
  for (let round = 0; round < 4; round += 1) {
    other.send(1)
    again.send(1)
    await delay(500)
  }
  await setReadOnly('off')
  again.send(1)
  other.send(1)
  await stream.until('live.reconnected')
  expect((await stream.row()).state).toBe('online')
  expect(await recordingsOf(recorded.projectId)).toMatchObject([{ ended_at: null, message: null }])
  again.breakOff()
  other.breakOff()
})

test('the next broadcast begins while the media storage is unavailable, and both recordings are saved later', async () => {
  await world.stopNode()
  const services = await world.server.servicesOf('live')
  let isAway = false
  const blobs = new Proxy(services.blobs, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown =>
        isAway
          ? Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
          : value.apply(target, args)
    },
  })
  const running = await startLive({ ...services, blobs })
  onTestFinished(async () => {
    isAway = false
    await running.stop(4_000)
    await world.startNode()
  })
  const stream = await world.newStream({ is_auto_recorded: true })
  const encoder = await publishCanned(world.rtmpPort, stream.streamKey)
  encoder.send(5)
  await waitFor(stream.events, (all) => all.some(({ name }) => name === 'live.started'))
  await waitFor(
    () => recordingsOf(stream.projectId),
    (all) => all.length === 1,
  )
  isAway = true
  encoder.send(4)
  await stream.change({ stops_wanted: 1 })
  await waitFor(stream.row, ({ state }) => state === 'offline')

  const again = await waitFor(
    () => publishCanned(world.rtmpPort, stream.streamKey),
    ({ status }) => status.code === accepted,
  )
  again.send(5)
  await waitFor(stream.row, ({ state }) => state === 'online')
  isAway = false
  again.send(4)
  await stream.change({ stops_wanted: 2 })
  const recordings = await waitFor(
    () => recordingsOf(stream.projectId),
    (all) => all.length === 2 && all.every(({ state }) => state === 'finished'),
  )
  expect(recordings.map(({ message }) => message)).toEqual([null, null])
})

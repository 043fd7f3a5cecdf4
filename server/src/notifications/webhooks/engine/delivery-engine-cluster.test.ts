import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openConnection } from '../../../platform/db/driver/connection.ts'
import { lockClass, shardCount, shardOf } from './shard-locks.ts'
import { startReceiver, type Receiver } from '../test-support/receiver.ts'
import { createWebhookWorld, testMasterKey, type WebhookWorld } from '../test-support/webhook-world.ts'

let world: WebhookWorld
let receiver: Receiver
let workers: ChildProcess[]

beforeEach(async () => {
  world = await createWebhookWorld()
  receiver = await startReceiver()
  workers = []
})

afterEach(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await receiver.close()
  await world.close()
})

const startWorker = async (): Promise<ChildProcess> => {
  const script = new URL('../test-support/worker-process.ts', import.meta.url).pathname
  const settings = JSON.stringify({
    connection: world.connection,
    masterKey: testMasterKey.toString('base64'),
  })
  const worker = spawn(process.execPath, [script, settings], { stdio: ['ignore', 'pipe', 'inherit'] })
  workers.push(worker)
  await once(worker.stdout, 'data')
  return worker
}

const shardsPerProcess = async (): Promise<number[]> => {
  const rows = await world.database.sql<{ shards: number }[]>`
    select count(*)::int as shards from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and classid = ${lockClass}
      and database = (select oid from pg_database where datname = current_database())
    group by pid order by 1 desc`
  return rows.map(({ shards }) => shards)
}

const allDelivered = () =>
  expect
    .poll(async () => (await world.deliveries()).filter(({ state }) => state !== 'delivered').length)
    .toBe(0)

const deliveryIds = (): unknown[] => receiver.received.map(({ headers }) => headers['webhook-id'])

const pathsReceived = (): string[] => receiver.received.map(({ path }) => path.replace(/\?.*/, '')).toSorted()

/** Their ids are consecutive, so they belong to different shards. */
const addWebhooks = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await world.addWebhook(`${receiver.url}/${index}`)
}

describe('several delivery engines on one database', () => {
  it('own no shard whose webhooks an engine of version 0.1 may be sending to', async () => {
    await addWebhooks(4)
    const former = await openConnection(world.connection)
    await former.query(
      `select pg_advisory_lock_shared($1, 16), pg_advisory_lock($1, shard)
      from generate_series(1, 15, 2) shard`,
      [7_304_101],
    )
    await world.startEngine()
    await expect.poll(shardsPerProcess).toEqual([128])
    await world.emitEvent(1)
    await receiver.until(2)
    expect(pathsReceived()).toEqual(['/hook/1', '/hook/3'])
    former.discard()
    await receiver.until(4)
    expect(pathsReceived()).toEqual(['/hook/0', '/hook/1', '/hook/2', '/hook/3'])
    await expect.poll(shardsPerProcess).toEqual([256])
  })

  it('share the webhooks and send nothing twice', async () => {
    await addWebhooks(20)
    await world.startEngine()
    await world.startEngine()
    await expect.poll(shardsPerProcess).toEqual([128, 128])
    for (let index = 0; index < 25; index += 1) await world.emitEvent(index % 5)
    await receiver.until(500)
    await allDelivered()
    expect(receiver.received).toHaveLength(500)
    expect(new Set(deliveryIds()).size).toBe(500)
  })

  it('send nothing twice while one engine hands shards over to another', async () => {
    await addWebhooks(20)
    await world.startEngine()
    for (let index = 0; index < 25; index += 1) await world.emitEvent(index % 5)
    const second = world.startEngine()
    for (let index = 0; index < 25; index += 1) await world.emitEvent(index % 5)
    await second
    await expect.poll(shardsPerProcess).toEqual([128, 128])
    for (let index = 0; index < 25; index += 1) await world.emitEvent(index % 5)
    await allDelivered()
    expect(new Set(deliveryIds()).size).toBe(1_500)
    expect(receiver.received).toHaveLength(1_500)
  })

  /** The last shard is among those handed over. */
  const addWebhookOfLastShard = async (targetUrl: string): Promise<void> => {
    let id: number
    do ({ id } = await world.addWebhook(targetUrl, { is_enabled: false }))
    while (shardOf(id) !== shardCount - 1)
    await world.database.sql`update webhooks set is_enabled = true where id = ${id}`
  }

  it('abort a request to a silent receiver two seconds into a shard handover and send it again', async () => {
    const silent = await startReceiver((_request, response) => {
      if (silent.received.length > 1) response.end()
    })
    await addWebhookOfLastShard(silent.url)
    await world.startEngine()
    await world.emitEvent(1)
    await silent.until(1)
    await world.startEngine()
    await expect.poll(shardsPerProcess).toEqual([128, 128])
    await allDelivered()
    expect(await world.deliveries()).toMatchObject([{ attemptCount: 1 }])
    expect(silent.received).toHaveLength(2)
    await silent.close()
  })

  it('hand a shard over only when it has no requests in flight', async () => {
    const held: ServerResponse[] = []
    const slow = await startReceiver((_request, response) => void held.push(response))
    await addWebhookOfLastShard(slow.url)
    await world.startEngine()
    await world.emitEvent(1)
    await slow.until(1)
    await world.startEngine()
    await expect.poll(shardsPerProcess).toEqual([129, 127])
    for (const response of held) response.end()
    await expect.poll(shardsPerProcess).toEqual([128, 128])
    await allDelivered()
    expect(slow.received).toHaveLength(1)
    await slow.close()
  })

  it('recover when one engine loses the connection that holds its shard locks', async () => {
    await addWebhooks(20)
    await world.startEngine()
    await world.emitEvent(1)
    await receiver.until(20)
    await world.database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'zoetrope-deliveries' and datname = current_database()`
    await world.emitEvent(1)
    await receiver.until(40)
    await allDelivered()
  })

  it('take over all shards of an engine that stops', async () => {
    await addWebhooks(20)
    const first = await world.startEngine()
    await world.startEngine()
    await expect.poll(shardsPerProcess).toEqual([128, 128])
    await first.stop({ graceMs: 1_000 })
    await expect.poll(shardsPerProcess).toEqual([256])
    await world.emitEvent(1)
    await receiver.until(20)
  })

  it('lose no event and keep the order of each file when workers die by kill -9', async () => {
    await addWebhooks(20)
    await world.startEngine()
    const kills = 3
    const eventsPerRound = 40
    for (let round = 0; round < kills; round += 1) {
      const worker = await startWorker()
      await expect.poll(shardsPerProcess).toEqual([128, 128])
      const events: Promise<unknown>[] = []
      for (let index = 0; index < eventsPerRound; index += 1) events.push(world.emitEvent(1 + (index % 10)))
      await receiver.until(receiver.received.length + 200)
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      await Promise.all(events)
    }
    await allDelivered()
    expect(new Set(deliveryIds()).size).toBe(20 * kills * eventsPerRound)
    for (const [orderingKey, requests] of Map.groupBy(receiver.received, ({ path }) =>
      path.replace(/&event=.*/, ''),
    )) {
      // Deliveries repeated after a kill arrive again in order, so only first arrivals are compared.
      const firstArrivals = [...new Set(requests.map(({ eventId }) => eventId))]
      expect(firstArrivals, orderingKey).toEqual(firstArrivals.toSorted((a, b) => a - b))
    }
  })
})

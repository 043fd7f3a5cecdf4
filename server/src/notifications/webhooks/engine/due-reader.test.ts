import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDueReader } from './due-reader.ts'
import { shardCount } from './shard-locks.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'

let world: WebhookWorld

beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.close())

const options = {
  shards: Array.from({ length: shardCount }, (_, index) => index),
  skippedWebhookIds: [],
  limitPerWebhook: 10,
  limit: 1_000,
  now: new Date(),
}

const addMany = async (count: number, each: number): Promise<number[]> => {
  const { sql, kysely } = world.database
  const eventId = await world.emitEvent(1)
  await sql`
    insert into webhooks (account_id, target_url, sealed_secret, secret_last_four, event_types)
    select ${world.accountId}::bigint, 'http://127.0.0.1:9', '', '', '{*}' from generate_series(1, ${count}::int)`
  await sql`
    insert into deliveries (account_id, webhook_id, event_id)
    select w.account_id, w.id, ${eventId}::bigint from webhooks w, generate_series(1, ${each}::int) order by w.id`
  const rows = await kysely.selectFrom('webhooks').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

describe('createDueReader', () => {
  it('reads a bounded number of deliveries and takes all webhooks in turn', async () => {
    const ids = await addMany(30, 8)
    const readDue = createDueReader(world.database)
    const seen = new Map<number, number[]>()
    for (let read = 0; read < 6; read += 1) {
      const { sendable } = await readDue({ ...options, limit: 100 })
      expect(sendable.length).toBeLessThanOrEqual(100)
      for (const { webhookId, id } of sendable) seen.set(webhookId, [...(seen.get(webhookId) ?? []), id])
    }
    expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual(ids)
    for (const read of seen.values()) expect(new Set(read).size).toBe(8)
  })

  it('skips hundreds of failing endpoints per read and includes recently active webhooks in every read', async () => {
    const ids = await addMany(600, 1)
    const alive = ids.at(-1) as number
    await world.database.sql`
      insert into webhook_health (webhook_id, account_id, paused_until)
      select id, account_id, ${new Date(Date.now() + 60_000)} from webhooks where id <> ${alive}`
    const readDue = createDueReader(world.database)
    const reads: (readonly number[])[] = []
    for (let read = 0; read < 8; read += 1)
      reads.push((await readDue(options)).sendable.map(({ webhookId }) => webhookId))
    expect(reads.map((found) => found.includes(alive))).toEqual([false, false, ...Array(6).fill(true)])
  })
})

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newMessage } from '../../../platform/base/message.ts'
import { createLog } from '../../../platform/log/log.ts'
import type { AttemptOutcome } from '../attempts/attempt-delivery.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { neverTried } from '../health/endpoint-health.ts'
import { readHealth } from '../health/health-store.ts'
import { keepHealth } from './keep-health.ts'
import { aWebhook } from '../test-support/prepared-delivery.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'
import { lockWebhook } from '../store/webhook-store.ts'

const targetUrl = 'https://new.example.com/'
let world: WebhookWorld
let queue: DeliveryQueue
let webhookId: number

beforeEach(async () => {
  world = await createWebhookWorld()
  webhookId = (await world.addWebhook(targetUrl)).id
  queue = createDeliveryQueue({ ...aWebhook, id: webhookId }, neverTried)
})
afterEach(() => world.close())

const failure = (change: Partial<AttemptOutcome> = {}) => ({
  queue,
  isGone: false,
  targetUrl,
  result: {
    deliveryId: 1,
    webhookId,
    orderingKey: null,
    number: 1,
    state: 'failed' as const,
    delayMs: null,
    blocksKey: false,
    releasesKey: false,
    startedAt: new Date(),
    durationMs: 1,
    statusCode: 410,
    responseExcerpt: null,
    error: newMessage('receiver_gone'),
  },
  ...change,
})

const keep = (...batch: ReturnType<typeof failure>[]) =>
  keepHealth(
    {
      database: world.database,
      publicUrl: 'http://localhost:8080',
      log: createLog({ level: 'silent' }),
      now: () => new Date(),
    },
    batch,
  )

const health = async () => (await readHealth(world.database.kysely, [webhookId])).get(webhookId)
const isEnabled = async () =>
  (
    await world.database.kysely
      .selectFrom('webhooks')
      .select('is_enabled')
      .where('id', '=', webhookId)
      .executeTakeFirstOrThrow()
  ).is_enabled

describe('keepHealth', () => {
  it('ignores answers of the former URL, even a 410', async () => {
    const former = { targetUrl: 'https://old.example.com/', isGone: true }
    await keep(failure(former))
    expect(await health()).toBeUndefined()
    await keep(failure())
    await keep(failure(former), failure(former))
    expect(await health()).toMatchObject({ failuresInRow: 1 })
    expect(queue.health()).toMatchObject({ failuresInRow: 1 })
    expect(await isEnabled()).toBe(true)
    await keep(failure({ isGone: true }))
    expect(await isEnabled()).toBe(false)
  })

  it('counts a failure once even when the webhook cannot be disabled', async () => {
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`.execute(
      world.database.kysely,
    )
    await sql`create trigger refuse before update on webhooks execute function refuse()`.execute(
      world.database.kysely,
    )
    await keep(failure({ isGone: true }))
    expect(await health()).toMatchObject({ failuresInRow: 1 })
    await sql`drop trigger refuse on webhooks`.execute(world.database.kysely)
    await keep(failure({ isGone: true }))
    expect(await isEnabled()).toBe(false)
  })

  it('keeps the waiting deliveries of a webhook it disables', async () => {
    const eventId = await world.emitEvent(1)
    await world.database.sql`
      insert into deliveries (account_id, webhook_id, event_id, state)
      select ${world.accountId}::bigint, ${webhookId}::bigint, ${eventId}::bigint, state
      from generate_series(1, 2), unnest('{pending,waiting}'::text[]) as state`
    await keep(failure({ isGone: true }))
    expect(await isEnabled()).toBe(false)
    expect((await world.deliveries()).map(({ state }) => state)).not.toContain('cancelled')
  })
})

it('emit writes an event for a webhook whose row is locked', async () => {
  await world.database.transaction(async (tx) => {
    await lockWebhook(tx, { accountId: world.accountId, projectIds: null }, webhookId)
    await world.emitEvent(1)
  })
  expect(await world.deliveries()).toHaveLength(1)
})

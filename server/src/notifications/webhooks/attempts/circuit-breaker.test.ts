import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import type { DeliveryEngine } from '../engine/delivery-engine.ts'
import type { EndpointHealth } from '../health/endpoint-health.ts'
import { readHealth } from '../health/health-store.ts'
import { startReceiver, type Receiver } from '../test-support/receiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'

let world: WebhookWorld
let receiver: Receiver
let status: number
let nowMs: number
let webhookId: number

beforeEach(async () => {
  world = await createWebhookWorld()
  status = 503
  nowMs = Date.now()
  receiver = await startReceiver((_request, response) => void response.writeHead(status).end())
  webhookId = (await world.addWebhook(receiver.url)).id
})

afterEach(async () => {
  await receiver.close()
  await world.close()
})

/** The retry delay of 600 s keeps failed deliveries from being sent again during the test. */
const startEngine = (): Promise<DeliveryEngine> =>
  world.startEngine({ retryDelaysSeconds: [600], now: () => new Date(nowMs) })

const healthThat = (isSo: (health: EndpointHealth) => boolean): Promise<EndpointHealth> =>
  waitFor(
    async () => (await readHealth(world.database.kysely, [webhookId])).get(webhookId),
    (health) => health !== undefined && isSo(health),
  ) as Promise<EndpointHealth>

const emitMany = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await world.emitEvent(null)
}

const untried = async (): Promise<number> =>
  (await world.deliveries()).filter(({ attemptCount }) => attemptCount === 0).length

const webhook = () =>
  world.database.kysely
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow()

const failUntilPaused = async (): Promise<number> => {
  await emitMany(60)
  await healthThat(({ pausedUntil }) => pausedUntil !== null)
  // Requests in flight together with the tenth failure still arrive.
  await waitFor(
    async () => (await world.deliveries()).filter(({ state }) => state === 'waiting').length,
    (count) => count === receiver.received.length,
  )
  return receiver.received.length
}

describe('endpoint that fails ten times in a row', () => {
  it('receives nothing for 30 s, then one probe, then nothing for 60 s, even from another process', async () => {
    const engine = await startEngine()
    const before = await failUntilPaused()
    expect(before).toBeGreaterThanOrEqual(10)
    expect(before).toBeLessThanOrEqual(25)
    expect(await untried()).toBe(60 - before)

    nowMs += 31_000
    const probed = await healthThat(({ pauseCount }) => pauseCount === 2)
    expect((probed.pausedUntil as Date).getTime() - nowMs).toBeGreaterThanOrEqual(60_000)
    expect(receiver.received).toHaveLength(before + 1)

    await engine.stop({ graceMs: 1_000 })
    await startEngine()
    nowMs += 61_000
    await healthThat(({ pauseCount }) => pauseCount === 3)
    expect(receiver.received).toHaveLength(before + 2)
    expect(await untried()).toBe(60 - before - 2)

    status = 204
    nowMs += 125_000
    await waitFor(untried, (count) => count === 0)
    expect(await healthThat(({ pausedUntil }) => pausedUntil === null)).toMatchObject({
      failuresInRow: 0,
      failingSince: null,
    })
  })

  it('does not delay deliveries to other endpoints', async () => {
    await startEngine()
    await failUntilPaused()
    const other = await startReceiver()
    await world.addWebhook(other.url)
    await emitMany(20)
    await other.until(20)
    await other.close()
  })

  it('is disabled with a reason and a time after five days of failures', async () => {
    await startEngine()
    await failUntilPaused()
    for (let probe = 1; probe <= 4; probe += 1) {
      nowMs += 29 * 3_600_000
      await healthThat(({ pauseCount }) => pauseCount === 1 + probe)
    }
    nowMs += 29 * 3_600_000
    const disabled = await waitFor(webhook, ({ is_enabled }) => !is_enabled)
    expect(disabled.disabled_reason).toMatch(
      /^Every request has failed since 20.*\+00:00; the last time: The receiver answered 503 instead of 2xx\.$/,
    )
    expect(disabled.disabled_at).toBeInstanceOf(Date)
    expect(await untried()).toBeGreaterThan(0)
    expect((await world.deliveries()).some(({ state }) => state === 'cancelled')).toBe(false)
    expect(await world.database.kysely.selectFrom('audit_entries').selectAll().execute()).toMatchObject([
      { action: 'webhook.disabled', user_id: null, subject: 'Webhook', subject_id: String(webhookId) },
    ])
  })
})

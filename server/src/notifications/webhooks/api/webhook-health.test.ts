import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { hourMs, hourOf } from '../health/hour-counts.ts'
import { addToHours, dropOldHours } from '../health/hour-store.ts'
import { percentileMs, stepCount, stepOf } from '../../../platform/base/latency-steps.ts'
import { startReceiver, type Receiver } from '../test-support/receiver.ts'
import { createWebhookApi, notificationsPath as path, type WebhookApi } from '../test-support/webhook-api.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'

let world: WebhookWorld
let api: WebhookApi
let receiver: Receiver
let status: number
let id: number

beforeEach(async () => {
  world = await createWebhookWorld()
  api = await createWebhookApi(world)
  status = 200
  receiver = await startReceiver((_request, response) => void response.writeHead(status).end())
  id = (await world.addWebhook(receiver.url)).id
})

afterEach(async () => {
  await api.close()
  await receiver.close()
  await world.close()
})

const health = async () => (await api.call('GET', `${path}/${id}/health`)).json()
const healthOf = (expected: string) => waitFor(health, ({ Status }) => Status === expected)

const none = Array<number>(48).fill(0)

const failUntilPaused = async () => {
  status = 503
  await world.startEngine({ retryDelaysSeconds: [600] })
  for (let index = 0; index < 40; index += 1) await world.emitEvent(null)
  return healthOf('paused')
}

describe('GET /modules/notifications?orderBy=health', () => {
  it('lists webhooks that need attention first, page by page', async () => {
    const off = await world.addWebhook(receiver.url, { is_enabled: false })
    const flaky = await world.addWebhook(receiver.url)
    const failing = await world.addWebhook(receiver.url)
    const givenUp = await world.addWebhook(receiver.url, {
      is_enabled: false,
      disabled_reason: 'The receiver answered 410 Gone.',
    })
    await world.database.sql`
      insert into webhook_health (webhook_id, account_id, failures_in_row)
      values (${failing.id}, ${world.accountId}, 1), (${flaky.id}, ${world.accountId}, 0)`
    const hour = hourOf(new Date())
    const counts = { deliveredCount: 20, failedCount: 82, latencyCounts: [] }
    await addToHours(world.database.kysely, [{ webhookId: flaky.id, hour, ...counts }])
    const ids: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = (await api.call('GET', `${path}?orderBy=health&limit=2${query}`)).json()
      ids.push(...page.Webhooks.map(({ Id }: { Id: number }) => Id))
      cursor = page.NextCursor
    }
    expect(ids).toEqual([givenUp.id, failing.id, flaky.id, id, off.id])
    expect((await api.call('GET', `${path}/${flaky.id}/health`)).json()).toMatchObject({
      Status: 'ok',
      Last48Hours: { DeliveredCount: 20, FailedCount: 82 },
    })
  })

  it('returns the health of each webhook with includeHealth=true, and otherwise none', async () => {
    const hour = hourOf(new Date())
    const counts = { deliveredCount: 5, failedCount: 2, latencyCounts: [] }
    await addToHours(world.database.kysely, [{ webhookId: id, hour, ...counts }])
    await world.emitEvent(1)
    const other = await world.addWebhook(receiver.url, { is_enabled: false })
    const listed = async (query: string) => (await api.call('GET', `${path}?${query}`)).json().Webhooks
    const [off, on] = await listed('includeHealth=true')
    expect([off.Id, on.Id]).toEqual([other.id, id])
    expect(on.Health).toEqual(await health())
    expect(on.Health).toMatchObject({ Status: 'ok', WaitingCount: 1 })
    expect(on.Health.Last48Hours.DeliveredByHour.slice(-2)).toEqual([0, 5])
    expect(on.Health.Last48Hours.FailedByHour.slice(-2)).toEqual([0, 2])
    expect(off.Health).toMatchObject({ WebhookId: other.id, Status: 'disabled', WaitingCount: 0 })
    expect((await listed('includeHealth=false'))[0]).not.toHaveProperty('Health')
    expect((await api.call('GET', `${path}?includeHealth=yes`)).statusCode).toBe(400)
  })
})

describe('GET /modules/notifications/{webhookId}/health', () => {
  it('reports ok and the waiting deliveries of an endpoint that was never tried', async () => {
    expect(await health()).toEqual({
      WebhookId: id,
      Status: 'ok',
      FailuresInRow: 0,
      FailingSince: null,
      PausedUntil: null,
      HeldReason: null,
      LastSuccessAt: null,
      LastFailure: null,
      Last48Hours: { DeliveredCount: 0, FailedCount: 0, DeliveredByHour: none, FailedByHour: none },
      WaitingCount: 0,
      OldestWaitingAt: null,
      DisabledReason: null,
      DisabledAt: null,
    })
    await world.emitEvent(1)
    await world.emitEvent(1)
    const { CreatedAt } = (await api.call('GET', `${path}/${id}/deliveries?sort=asc`)).json().Deliveries[0]
    expect(await health()).toMatchObject({ WaitingCount: 2, OldestWaitingAt: CreatedAt })
  })

  it("follows the endpoint from success to failure and back without changing the webhook's ETag", async () => {
    const { etag } = (await api.call('GET', `${path}/${id}`)).headers
    await world.startEngine({ retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05, 0.05] })
    await world.emitEvent(null)
    await waitFor(health, ({ LastSuccessAt }) => LastSuccessAt !== null)
    status = 500
    await world.emitEvent(null)
    expect(await healthOf('failing')).toMatchObject({
      FailingSince: expect.stringMatching(/\+00:00$/),
      LastFailure: {
        StatusCode: 500,
        Error: 'The receiver answered 500 instead of 2xx.',
        Reason: 'receiver_answered',
        Params: { status: 500 },
      },
      WaitingCount: 1,
    })
    status = 200
    expect(await healthOf('ok')).toMatchObject({
      FailuresInRow: 0,
      FailingSince: null,
      LastFailure: { StatusCode: 500 },
      WaitingCount: 0,
    })
    expect((await api.call('GET', `${path}/${id}`)).headers['etag']).toBe(etag)
  })

  it('shows a pause, which a test delivery ends at once', async () => {
    const paused = await failUntilPaused()
    expect(Date.parse(paused.PausedUntil) - Date.now()).toBeGreaterThan(20_000)
    expect(paused.WaitingCount).toBe(40)
    status = 204
    expect((await api.call('POST', `${path}/${id}/test`)).statusCode).toBe(201)
    expect(await healthOf('ok')).toMatchObject({ PausedUntil: null })
  })

  it.each([['IsEnabled true'], ['another TargetURL']])('shows no pause after %s', async (change) => {
    await failUntilPaused()
    status = 200
    const answer = await api.call(
      'PUT',
      `${path}/${id}`,
      change === 'IsEnabled true' ? { IsEnabled: true } : { TargetURL: 'https://example.com/' },
    )
    expect(answer.statusCode).toBe(200)
    expect(['ok', 'failing']).toContain((await health()).Status)
  })

  it('shows when and why the webhook was disabled, until it is enabled again', async () => {
    status = 410
    await world.startEngine()
    await world.emitEvent(null)
    const disabled = await healthOf('disabled')
    expect(disabled).toMatchObject({ DisabledReason: expect.stringContaining('410 Gone'), WaitingCount: 1 })
    const record = (await api.call('GET', `${path}/${id}`)).json()
    expect(record).toMatchObject({
      IsEnabled: false,
      DisabledReason: disabled.DisabledReason,
      DisabledAt: disabled.DisabledAt,
    })
    const enabled = await api.call('PUT', `${path}/${id}`, {
      ...record,
      TargetURL: 'https://example.com/',
      IsEnabled: true,
    })
    expect(enabled.json()).toMatchObject({ IsEnabled: true, DisabledReason: null, DisabledAt: null })
    expect(await health()).toMatchObject({ Status: 'ok', FailuresInRow: 0, FailingSince: null })
  })
})

describe('GET /modules/notifications/{webhookId}/health/hours', () => {
  const hours = async () => (await api.call('GET', `${path}/${id}/health/hours`)).json()
  const present = async () => (await hours()).Hours.at(-1)

  it('shows 48 hours, with deliveries, failures and latency in the current one', async () => {
    const before = await hours()
    expect(before).toMatchObject({ WebhookId: id })
    expect(before.Hours).toHaveLength(48)
    expect(before.Hours.at(-1)).toEqual({
      Hour: expect.stringMatching(/:00:00\.000\+00:00$/),
      DeliveredCount: 0,
      FailedCount: 0,
      LatencyP50Ms: null,
      LatencyP95Ms: null,
    })
    // The middle of an hour, so that both events count in the same one.
    const startedAt = new Date(hourOf(new Date()).getTime() + hourMs / 2)
    const engine = await world.startEngine({ retryDelaysSeconds: [600], now: () => startedAt })
    await world.emitEvent(null)
    await receiver.until(1)
    status = 503
    await world.emitEvent(null)
    await receiver.until(2)
    // The engine writes counts held in memory at the latest when it stops.
    await engine.stop({ graceMs: 1_000 })
    const hour = (await hours()).Hours.find(
      ({ Hour }: { Hour: string }) => Date.parse(Hour) === hourOf(startedAt).getTime(),
    )
    expect(hour).toMatchObject({ DeliveredCount: 1, FailedCount: 1 })
    expect(hour.LatencyP50Ms).toBeGreaterThan(0)
    expect(hour.LatencyP95Ms).toBeGreaterThanOrEqual(hour.LatencyP50Ms)
  })

  it('shows new deliveries within seconds', async () => {
    await world.startEngine()
    await world.emitEvent(null)
    await waitFor(hours, ({ Hours }) =>
      Hours.some((hour: { DeliveredCount: number }) => hour.DeliveredCount === 1),
    )
  })

  it('adds the counts of several workers, and housekeeping drops hours older than three days', async () => {
    const hour = hourOf(new Date())
    const latencyCounts = Array.from({ length: stepCount }, () => 0)
    latencyCounts[stepOf(80)] = 10
    const count = { webhookId: id, hour, deliveredCount: 10, failedCount: 1, latencyCounts }
    const old = { ...count, hour: new Date(hour.getTime() - 100 * hourMs) }
    await Promise.all([
      addToHours(world.database.kysely, [old, count]),
      addToHours(world.database.kysely, [old, { ...count, failedCount: 0 }]),
      // This webhook does not exist.
      addToHours(world.database.kysely, [{ ...count, webhookId: 999_999 }]),
    ])
    const latency = percentileMs(latencyCounts, 0.5)
    expect(await present()).toMatchObject({
      DeliveredCount: 20,
      FailedCount: 1,
      LatencyP50Ms: latency,
      LatencyP95Ms: latency,
    })
    await dropOldHours(world.database)
    const rows = await world.database.kysely.selectFrom('webhook_hours').select('hour').execute()
    expect(rows).toEqual([{ hour }])
  })

  it('answers 404 for a webhook that does not exist and 400 for an invalid id', async () => {
    for (const [webhookId, expected] of [
      ['999999', 404],
      ['a', 400],
      ['1e99', 400],
    ] as const)
      expect((await api.call('GET', `${path}/${webhookId}/health/hours`)).statusCode).toBe(expected)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replayEventsJob } from './replay-job.ts'
import { createReplayEventsHandler, type ReplayDependencies } from './replay-events-handler.ts'
import { startReceiver } from './test-support/receiver.ts'
import { createWebhookApi, notificationsPath as path, type WebhookApi } from './test-support/webhook-api.ts'
import { createWebhookWorld, type WebhookWorld } from './test-support/webhook-world.ts'

let world: WebhookWorld
let api: WebhookApi

beforeEach(async () => {
  world = await createWebhookWorld()
  api = await createWebhookApi(world)
})

afterEach(async () => {
  await api.close()
  await world.close()
})

const longAgo = { From: '2026-01-01T00:00:00+00:00' }
const ask = async (webhookId: number, body: object = longAgo) => {
  const response = await api.call('POST', `${path}/${webhookId}/replay`, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}
const read = async (webhookId: number, replayId: number) =>
  (await api.call('GET', `${path}/${webhookId}/replays/${replayId}`)).json()

/** Does what a worker does with the job; answers what it asked to be done later. */
const work = async (replayId: number, options: Partial<ReplayDependencies> = {}): Promise<unknown[]> => {
  const later: unknown[] = []
  const handle = createReplayEventsHandler({
    database: world.database,
    jobs: { enqueue: async (_tx, job, data) => void later.push({ job: job.name, data }) },
    ...options,
  })
  await handle({ replayId }, new AbortController().signal)
  return later
}

const eventIdsOf = async (webhookId: number): Promise<number[]> => {
  const rows = await world.database.kysely
    .selectFrom('deliveries')
    .select('event_id')
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute()
  return rows.map(({ event_id }) => event_id)
}

const emitMany = async (count: number): Promise<number[]> => {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) ids.push(await world.emitEvent(1 + (index % 2)))
  return ids
}

describe('POST /modules/notifications/{webhookId}/replay', () => {
  it('sends what happened before the webhook was there, in order, with a record that says how far it is', async () => {
    const receiver = await startReceiver()
    const events = await emitMany(12)
    const { id } = await world.addWebhook(receiver.url)
    const response = await api.call('POST', `${path}/${id}/replay`, longAgo)
    const replay = response.json()
    expect(replay).toMatchObject({
      WebhookId: id,
      From: '2026-01-01T00:00:00.000+00:00',
      Status: 'running',
      EventCount: 12,
      DeliveryCount: 0,
      FinishedAt: null,
    })
    expect(response.headers['location']).toBe(`http://video.test${path}/${id}/replays/${replay.Id}`)
    expect(api.jobs).toEqual([{ replayId: replay.Id }])
    await work(replay.Id, { batchSize: 5 })
    expect(await read(id, replay.Id)).toMatchObject({
      Status: 'finished',
      DeliveryCount: 12,
      SkippedCount: 0,
      FinishedAt: expect.stringMatching(/\+00:00$/),
    })
    expect(await eventIdsOf(id)).toEqual(events)
    await world.startEngine()
    await receiver.until(12)
    for (const [file, requests] of Map.groupBy(receiver.received, ({ fileId }) => fileId)) {
      const ids = requests.map(({ eventId }) => eventId)
      expect(ids, `file ${file}`).toEqual(ids.toSorted((a, b) => a - b))
    }
    await receiver.close()
  })

  it('sends what was delivered once more under its webhook-id, but not what still waits', async () => {
    const receiver = await startReceiver((request, response) => {
      response.writeHead(request.fileId === 2 ? 500 : 200).end()
    })
    const { id } = await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [600] })
    await emitMany(2)
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['delivered', 'waiting'])
    const replay = await ask(id)
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ EventCount: 2, DeliveryCount: 1, SkippedCount: 1 })
    await receiver.until(3)
    const [first, , again] = receiver.received
    const idOfFirst = receiver.received.find(({ fileId }) => fileId === 1)?.headers['webhook-id']
    expect(again?.headers['webhook-id']).toBe(idOfFirst)
    expect(first).toBeDefined()
    await receiver.close()
  })

  it('takes only what the webhook wants, what is asked for, and what lies in the range', async () => {
    await world.emitEvent(1, 'file.new')
    await world.emitEvent(1, 'file.updated')
    await world.emitEvent(null, 'project.updated')
    const wanted = { event_types: ['file.*', 'webhook.ping'] }
    const { id } = await world.addWebhook('http://127.0.0.1:9', wanted)
    await api.call('POST', `${path}/${id}/test`)
    const count = async (change: object) => (await ask(id, { ...longAgo, ...change })).EventCount
    expect(await count({})).toBe(2)
    expect(await count({ Events: ['file.new', 'project.*'] })).toBe(1)
    expect(await count({ Events: null, ProjectId: world.projectId, To: null })).toBe(2)
    expect(await count({ To: '2026-01-02T00:00:00+00:00' })).toBe(0)
    expect(await count({ From: '2100-01-01T00:00:00Z', To: '2100-01-02T00:00:00Z' })).toBe(0)
    const empty = await ask(id, { ...longAgo, To: '2026-01-02T00:00:00+00:00' })
    await work(empty.Id)
    expect(await read(id, empty.Id)).toMatchObject({ Status: 'finished', DeliveryCount: 0 })
  })

  it.each([
    ['From', {}],
    ['From', { From: 'yesterday' }],
    ['To', { ...longAgo, To: '2025-01-01T00:00:00Z' }],
    ['Events[0]', { ...longAgo, Events: ['file.exploded'] }],
    ['ProjectId', { ...longAgo, ProjectId: 999_999 }],
  ])('answers 400 that names %s for %o', async (field, body) => {
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const response = await api.call('POST', `${path}/${id}/replay`, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details[0].field).toBe(field)
  })

  it('answers 409 while the webhook is disabled, and 404 for a replay of another webhook', async () => {
    const disabled = await world.addWebhook('http://127.0.0.1:9', { is_enabled: false })
    expect((await api.call('POST', `${path}/${disabled.id}/replay`, longAgo)).statusCode).toBe(409)
    const [one, other] = [
      await world.addWebhook('http://127.0.0.1:9'),
      await world.addWebhook('http://127.0.0.1:9'),
    ]
    const replay = await ask(one.id)
    expect((await api.call('GET', `${path}/${other.id}/replays/${replay.Id}`)).statusCode).toBe(404)
  })
})

describe('the deliveries of a replay', () => {
  it('are made once each, also when two runs meet or one is cut off', async () => {
    const events = await emitMany(30)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id)
    const abort = new AbortController()
    abort.abort()
    const cutOff = createReplayEventsHandler({
      database: world.database,
      jobs: { enqueue: async () => {} },
      batchSize: 7,
    })
    await expect(cutOff({ replayId: replay.Id }, abort.signal)).rejects.toThrow()
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 7 })
    await Promise.all([work(replay.Id, { batchSize: 3 }), work(replay.Id, { batchSize: 4 })])
    expect(await eventIdsOf(id)).toEqual(events)
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'finished', DeliveryCount: 30 })
  })

  it('wait until there is room, so that what happens meanwhile is not behind all of them', async () => {
    await emitMany(10)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id)
    const limits = { batchSize: 2, maxWaiting: 4 }
    expect(await work(replay.Id, limits)).toEqual([
      { job: replayEventsJob.name, data: { replayId: replay.Id } },
    ])
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 4 })
    await world.database.sql`update deliveries set state = 'delivered', finished_at = now()`
    await work(replay.Id, limits)
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 8 })
  })

  it('are not made any more once the webhook is disabled', async () => {
    await emitMany(3)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id)
    await api.call('PUT', `${path}/${id}`, { IsEnabled: false })
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'cancelled', DeliveryCount: 0 })
    expect(await eventIdsOf(id)).toEqual([])
  })
})

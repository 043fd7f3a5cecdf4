import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replayEventsJob, type ReplayEventsJob } from './replay-job.ts'
import { createReplayEventsHandler, type ReplayDependencies } from './replay-events-handler.ts'
import { resumeReplays } from './resume-replays.ts'
import { startReceiver } from '../test-support/receiver.ts'
import { createWebhookApi, notificationsPath as path, type WebhookApi } from '../test-support/webhook-api.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'

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

const presentJob = async (replayId: number): Promise<ReplayEventsJob> => {
  const { run } = await world.database.kysely
    .selectFrom('webhook_replays')
    .select('run')
    .where('id', '=', replayId)
    .executeTakeFirstOrThrow()
  return { replayId, run, fullLooks: 0 }
}

const work = async (
  replayId: number,
  options: Partial<ReplayDependencies> = {},
  job?: ReplayEventsJob,
): Promise<unknown[]> => {
  const later: unknown[] = []
  const handle = createReplayEventsHandler({
    database: world.database,
    jobs: { enqueue: async (_tx, asked, data) => void later.push({ job: asked.name, data }) },
    ...options,
  })
  await handle(job ?? (await presentJob(replayId)), new AbortController().signal)
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
  it('sends events from before the webhook existed, in order, and reports the progress', async () => {
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
    expect(api.jobs).toEqual([{ replayId: replay.Id, run: 1, fullLooks: 0 }])
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

  it('repeats delivered events under their webhook-id and sends waiting ones at once', async () => {
    let isDown = true
    const receiver = await startReceiver((request, response) => {
      response.writeHead(isDown && request.fileId === 2 ? 500 : 200).end()
    })
    const { id } = await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [600] })
    await emitMany(2)
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['delivered', 'waiting'])
    isDown = false
    const replay = await ask(id)
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ EventCount: 2, DeliveryCount: 1, SkippedCount: 1 })
    await receiver.until(4)
    const idsOfFile1 = receiver.received
      .filter(({ fileId }) => fileId === 1)
      .map(({ headers }) => headers['webhook-id'])
    expect(idsOfFile1).toHaveLength(2)
    expect(new Set(idsOfFile1).size).toBe(1)
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['delivered', 'delivered', 'delivered'])
    await receiver.close()
  })

  it('delivers the events of a file in order after an outage, repeated events first', async () => {
    let isDown = false
    const receiver = await startReceiver((_request, response) => response.writeHead(isDown ? 503 : 200).end())
    const { id } = await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [600] })
    const before = await world.emitEvent(1, 'file.created')
    await expect.poll(async () => (await world.deliveries())[0]?.state).toBe('delivered')
    isDown = true
    const missed = [await world.emitEvent(1), await world.emitEvent(1), await world.emitEvent(1)]
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['delivered', 'waiting', 'waiting', 'waiting'])
    isDown = false
    const seen = receiver.received.length
    const replay = await ask(id)
    await work(replay.Id)
    await receiver.until(seen + 4)
    expect(receiver.received.slice(seen).map(({ eventId }) => eventId)).toEqual([before, ...missed])
    expect(await read(id, replay.Id)).toMatchObject({ EventCount: 4, DeliveryCount: 4, SkippedCount: 0 })
    await receiver.close()
  })

  it('puts a delivery that later events overtook back into its order', async () => {
    const receiver = await startReceiver()
    const { id } = await world.addWebhook(receiver.url)
    const events = [await world.emitEvent(1), await world.emitEvent(1), await world.emitEvent(1)]
    await world.database.sql`
      update deliveries set state = 'waiting', attempt_count = 6, next_attempt_at = now() + interval '2 hours'`
    const replay = await ask(id)
    await work(replay.Id)
    await world.startEngine()
    await receiver.until(3)
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual(events)
    await receiver.close()
  })

  it('repeats an event that was delivered meanwhile after the earlier ones of its file', async () => {
    const receiver = await startReceiver()
    const missed = await world.emitEvent(1)
    const { id } = await world.addWebhook(receiver.url)
    await world.startEngine()
    const replay = await ask(id)
    // The job waits for a worker while the file changes again.
    const newer = await world.emitEvent(1)
    await expect.poll(async () => (await world.deliveries()).map(({ state }) => state)).toEqual(['delivered'])
    await work(replay.Id)
    await receiver.until(3)
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual([newer, missed, newer])
    const webhookIds = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(webhookIds[0]).toBe(webhookIds[2])
    expect(await read(id, replay.Id)).toMatchObject({ EventCount: 1, DeliveryCount: 1, SkippedCount: 0 })
    await receiver.close()
  })

  it('sends the newest selected event of each file and stream last, once, when its range ends earlier', async () => {
    const { sql } = world.database
    const emitRound = async () => ({
      first: await world.emitEvent(1),
      second: await world.emitEvent(2),
      live: await world.emitEvent(null, 'live.started'),
      project: await world.emitEvent(null, 'project.updated'),
    })
    const past = await emitRound()
    const more = await world.emitEvent(1)
    await sql`update events set occurred_at = '2026-01-05T00:00:00Z'`
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const later = await emitRound()
    const newest = await emitRound()
    await world.emitEvent(1, 'file.deleted')
    await world.emitEvent(3)
    // File 2 still has a backlog; all others have received everything.
    await sql`update deliveries set state = 'delivered', finished_at = now() where lane is distinct from 2`
    const before = await eventIdsOf(id)
    const replay = await ask(id, {
      ...longAgo,
      To: '2026-01-06T00:00:00Z',
      Events: ['file.updated', 'live.*', 'project.*'],
    })
    const job = await presentJob(replay.Id)
    await work(replay.Id, {}, job)
    await work(replay.Id, {}, job)
    const made = (await eventIdsOf(id)).slice(before.length)
    expect(made).toEqual([
      ...Object.values(past),
      more,
      later.second,
      newest.first,
      newest.second,
      newest.live,
    ])
    expect(await read(id, replay.Id)).toMatchObject({ EventCount: 5, DeliveryCount: 5, SkippedCount: 0 })
  })

  it('brings forward a backlog larger than one batch', async () => {
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const events = await emitMany(3)
    await world.database.sql`
      insert into deliveries (account_id, webhook_id, event_id, state, next_attempt_at)
      select ${world.accountId}::bigint, ${id}::bigint, ${events[2] ?? 0}::bigint, 'waiting', now() + interval '2 hours'
      from generate_series(1, 2100)`
    const replay = await ask(id)
    await work(replay.Id)
    const states = new Set((await world.deliveries()).map(({ state }) => state))
    expect(states).toEqual(new Set(['pending']))
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 0 })
  })

  it('includes only subscribed and requested events in the range', async () => {
    await world.emitEvent(1, 'file.new')
    await world.emitEvent(1, 'file.updated')
    await world.emitEvent(null, 'project.updated')
    const wanted = { event_types: ['file.*', 'webhook.ping'] }
    const { id } = await world.addWebhook('http://127.0.0.1:9', wanted)
    await api.call('POST', `${path}/${id}/test`)
    const count = async (change: object) => {
      const replay = await ask(id, { ...longAgo, ...change })
      await work(replay.Id)
      return replay.EventCount
    }
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
    ['From', { From: '2100-01-01T00:00:00Z' }],
    ['To', { ...longAgo, To: '2025-01-01T00:00:00Z' }],
    ['Events[0]', { ...longAgo, Events: ['file.exploded'] }],
    ['ProjectId', { ...longAgo, ProjectId: 999_999 }],
  ])('answers 400 naming %s for %o', async (field, body) => {
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const response = await api.call('POST', `${path}/${id}/replay`, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details[0].field).toBe(field)
  })

  it('answers 409 while another replay of the webhook is running', async () => {
    await emitMany(1)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const answers = await Promise.all([1, 2].map(() => api.call('POST', `${path}/${id}/replay`, longAgo)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409])
    const replay = answers.find(({ statusCode }) => statusCode === 201)?.json()
    await work(replay.Id)
    await ask(id)
  })

  it('includes the whole last millisecond of its range', async () => {
    await world.emitEvent(1)
    await world.database.sql`update events set occurred_at = '2026-01-05T00:00:00.123456Z'`
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id, { ...longAgo, To: '2026-01-05T00:00:00.123Z' })
    expect(replay.EventCount).toBe(1)
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ DeliveryCount: 1 })
  })

  it('answers 409 while the webhook is disabled and 404 for a replay of another webhook', async () => {
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

describe('deliveries of a replay', () => {
  it('are created once each, even when two runs overlap or one is interrupted', async () => {
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
    await expect(cutOff(await presentJob(replay.Id), abort.signal)).rejects.toThrow()
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 7 })
    await Promise.all([work(replay.Id, { batchSize: 3 }), work(replay.Id, { batchSize: 4 })])
    expect(await eventIdsOf(id)).toEqual(events)
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'finished', DeliveryCount: 30 })
  })

  it('wait while the limit is reached, so that new events are not delayed by all of them', async () => {
    await emitMany(10)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id)
    const limits = { batchSize: 2, maxWaiting: 4 }
    const first = await presentJob(replay.Id)
    expect(await work(replay.Id, limits)).toEqual([
      { job: replayEventsJob.name, data: { replayId: replay.Id, run: 2, fullLooks: 1 } },
    ])
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 4 })
    // A repeated job of an earlier run enqueues nothing.
    expect(await work(replay.Id, limits, first)).toEqual([])
    await world.database.sql`update deliveries set state = 'delivered', finished_at = now()`
    await work(replay.Id, limits)
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'running', DeliveryCount: 8 })
  })

  it('are scheduled with growing delays while the limit is reached', async () => {
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    await emitMany(4)
    const replay = await ask(id)
    const startsAfterMs: number[] = []
    const handle = createReplayEventsHandler({
      database: world.database,
      jobs: {
        enqueue: async (_tx, _job, _data, options) =>
          void startsAfterMs.push((options?.startAfter?.getTime() ?? 0) - Date.now()),
      },
      maxWaiting: 4,
    })
    for (const fullLooks of [0, 1, 2, 5, 6, 1_000])
      await handle({ ...(await presentJob(replay.Id)), fullLooks }, new AbortController().signal)
    expect(startsAfterMs.map((ms) => Math.round(ms / 1_000))).toEqual([1, 2, 4, 32, 60, 60])
  })

  it('are resumed by housekeeping when no job has looked for ten minutes', async () => {
    await emitMany(3)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id)
    const asked: ReplayEventsJob[] = []
    let isQueued = true
    const jobs = {
      enqueue: async (_tx: unknown, _job: unknown, data: object) => void asked.push(data as ReplayEventsJob),
      isQueued: async () => isQueued,
    }
    await resumeReplays(world.database, jobs)
    expect(asked).toEqual([])
    const later = new Date(Date.now() + 601_000)
    // Its job is still queued and will run.
    await resumeReplays(world.database, jobs, later)
    expect(asked).toEqual([])
    isQueued = false
    await resumeReplays(world.database, jobs, later)
    expect(asked).toEqual([{ replayId: replay.Id, run: 2, fullLooks: 0 }])
    await work(replay.Id, {}, { replayId: replay.Id, run: 1, fullLooks: 0 })
    expect(await read(id, replay.Id)).toMatchObject({ DeliveryCount: 0 })
    await work(replay.Id, {}, asked[0])
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'finished', DeliveryCount: 3 })
  })

  it('are no longer created once the webhook is disabled', async () => {
    await emitMany(3)
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    const replay = await ask(id)
    await api.call('PUT', `${path}/${id}`, { IsEnabled: false })
    await work(replay.Id)
    expect(await read(id, replay.Id)).toMatchObject({ Status: 'cancelled', DeliveryCount: 0 })
    expect(await eventIdsOf(id)).toEqual([])
  })
})

import type { ServerResponse } from 'node:http'
import { verify } from '@zoetrope/webhook-signature'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startReceiver, type Receiver } from '../test-support/receiver.ts'
import { sealHeaders } from '../store/custom-headers.ts'
import { changeWebhook, lockWebhook } from '../store/webhook-store.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'

let world: WebhookWorld
let receivers: Receiver[]

beforeEach(async () => {
  world = await createWebhookWorld()
  receivers = []
})

afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()))
  await world.close()
})

const receive = async (...answer: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const receiver = await startReceiver(...answer)
  receivers.push(receiver)
  return receiver
}

const allFinished = (state: string) =>
  expect
    .poll(async () => (await world.deliveries()).every((one) => one.state === state), { interval: 20 })
    .toBe(true)

const attempts = () =>
  world.database.kysely
    .selectFrom('delivery_attempts')
    .selectAll()
    .orderBy('delivery_id')
    .orderBy('number')
    .execute()

describe('startDeliveryEngine', () => {
  it('delivers an event once, signed per Standard Webhooks, with ids in the query and body', async () => {
    const receiver = await receive()
    const { id, secret } = await world.addWebhook(`${receiver.url}?tenant=a%20b`, {
      sealed_headers: JSON.stringify(sealHeaders({ 'X-Tenant': 'newsroom' }, {}, world.secrets)),
    })
    await world.startEngine()
    const eventId = await world.emitEvent(12, 'file.new')
    await receiver.until(1)
    await allFinished('delivered')

    const [request] = receiver.received
    if (request === undefined) throw new Error('nothing was received')
    expect(receiver.received).toHaveLength(1)
    expect(request.path).toBe(`/hook?tenant=a%20b&ProjectId=${world.projectId}&FileId=12&event=file.new`)
    expect(request.headers).toMatchObject({
      'webhook-id': `evt_${eventId}_${id}`,
      'content-type': 'application/json; charset=utf-8',
      'x-tenant': 'newsroom',
    })
    expect(verify({ headers: request.headers, body: request.body, secrets: [secret] }).id).toBe(
      `evt_${eventId}_${id}`,
    )
    const headers = request.headers as Record<string, string>
    expect(new Webhook(secret).verify(request.body, headers)).toMatchObject([
      {
        Event: 'file.new',
        EventId: eventId,
        ProjectId: world.projectId,
        File: { Id: 12, Name: 'clip – ü.mp4' },
      },
    ])
    expect(await attempts()).toMatchObject([{ number: 1, status_code: 200, error: null }])
  })

  it('delivers events committed before it started, in order for each file', async () => {
    const receiver = await receive()
    await world.addWebhook(receiver.url)
    for (let index = 0; index < 60; index += 1) await world.emitEvent(1 + (index % 3))
    await world.startEngine()
    await receiver.until(60)
    for (const file of [1, 2, 3]) {
      const ids = receiver.received.filter(({ fileId }) => fileId === file).map(({ eventId }) => eventId)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(ids).toHaveLength(20)
    }
    await allFinished('delivered')
  })

  it("sends only subscribed events of the webhook's project", async () => {
    const receiver = await receive()
    await world.addWebhook(`${receiver.url}/family`, { event_types: ['file.*'] })
    await world.addWebhook(`${receiver.url}/other`, { event_types: ['live.started'] })
    await world.addWebhook(`${receiver.url}/disabled`, { is_enabled: false })
    await world.startEngine()
    await world.emitEvent(1, 'file.deleted')
    await receiver.until(1)
    expect((await world.deliveries()).length).toBe(1)
    expect(receiver.received[0]?.path).toContain('/hook/family?')
  })

  it('retries on schedule with the same webhook-id, then gives up and keeps every answer', async () => {
    const receiver = await receive(
      (_request, response) => void response.writeHead(500).end(`no\0 ${'x'.repeat(5_000)}`),
    )
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [0.05, 0.4] })
    await world.emitEvent(1)
    await allFinished('failed')
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [first, second, third] = receiver.received.map(({ atMs }) => atMs) as [number, number, number]
    expect(second - first).toBeGreaterThan(40)
    expect(third - second).toBeGreaterThan(320)
    const rows = await attempts()
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(rows[0]).toMatchObject({ status_code: 500, error: 'The receiver answered 500 instead of 2xx.' })
    expect(rows[0]?.response_excerpt).toHaveLength(4_096)
  })

  it('records the reason when the receiver gives no answer', async () => {
    await world.addWebhook('http://127.0.0.1:1/')
    await world.startEngine({ retryDelaysSeconds: [] })
    await world.emitEvent(1)
    await allFinished('failed')
    expect(await attempts()).toMatchObject([
      { status_code: null, response_excerpt: null, error: '127.0.0.1 refused the connection on port 1.' },
    ])
  })

  it('counts a request timeout as a failure', async () => {
    const receiver = await receive(() => {})
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [], requestTimeoutMs: 100 })
    await world.emitEvent(1)
    await allFinished('failed')
    expect(await attempts()).toMatchObject([
      { status_code: null, error: expect.stringContaining('within 0.1 s') },
    ])
  })

  it('delays only the later events of a file whose earlier event fails', async () => {
    let failures = 0
    const receiver = await receive((request, response) => {
      const isFailing = request.fileId === 1 && failures < 2
      if (isFailing) failures += 1
      response.writeHead(isFailing ? 503 : 200).end()
    })
    await world.addWebhook(receiver.url)
    const events: Record<number, number[]> = { 1: [], 2: [] }
    await world.startEngine({ retryDelaysSeconds: [0.3, 0.3, 0.3, 0.3] })
    for (let index = 0; index < 6; index += 1)
      for (const fileId of [1, 2]) events[fileId]?.push(await world.emitEvent(fileId))
    await allFinished('delivered')
    const [head] = events[1] as number[]
    const seen = (file: number) =>
      receiver.received.filter(({ fileId }) => fileId === file).map(({ eventId }) => eventId)
    expect(seen(1)).toEqual([head, head, ...(events[1] as number[])])
    expect(seen(2)).toEqual(events[2])
    const secondFailureAt = receiver.received.filter(({ eventId }) => eventId === head)[1]?.atMs ?? 0
    expect(
      receiver.received.filter(({ fileId, atMs }) => fileId === 2 && atMs < secondFailureAt),
    ).not.toHaveLength(0)
  })

  it('keeps the order of live stream events, which have no file', async () => {
    const receiver = await receive((_request, response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end()
    })
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [0.3] })
    const connected = await world.emitEvent(null, 'live.connected')
    const started = await world.emitEvent(null, 'live.started')
    const ended = await world.emitEvent(null, 'live.ended')
    await allFinished('delivered')
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual([connected, connected, started, ended])
  })

  it('sends blocked events before newer ones once the earlier event is delivered', async () => {
    const receiver = await receive((_request, response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end()
    })
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [0.5] })
    const failing = await world.emitEvent(1)
    await receiver.until(1)
    const later = await world.emitEvent(1)
    await expect.poll(async () => (await world.deliveries())[1]?.state, { interval: 10 }).toBe('waiting')
    await receiver.until(2)
    const last = await world.emitEvent(1)
    await receiver.until(4)
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual([failing, failing, later, last])
  })

  it('lets later events of a file pass after the sixth failure', async () => {
    let first: number | null = null
    const receiver = await receive((request, response) => {
      first ??= request.eventId
      response.writeHead(request.eventId === first ? 500 : 200).end()
    })
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05, 60] })
    const ids = [await world.emitEvent(1), await world.emitEvent(1), await world.emitEvent(1)]
    await receiver.until(8)
    expect(receiver.received.map(({ eventId }) => eventId)).toEqual([
      ids[0],
      ids[0],
      ids[0],
      ids[0],
      ids[0],
      ids[0],
      ids[1],
      ids[2],
    ])
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['waiting', 'delivered', 'delivered'])
  })

  it('is not delayed by silent endpoints and opens at most sixteen requests to each', async () => {
    const silent = await receive(() => {})
    const quick = await receive()
    await world.addWebhook(`${silent.url}/1`)
    await world.addWebhook(`${silent.url}/2`)
    await world.addWebhook(quick.url)
    await world.startEngine({ requestTimeoutMs: 5_000 })
    for (let index = 0; index < 40; index += 1) await world.emitEvent(index + 1)
    await quick.until(40)
    await silent.until(32)
    expect(silent.received).toHaveLength(32)
  })

  it('disables an endpoint that answers 410 and keeps its pending deliveries', async () => {
    const receiver = await receive((_request, response) => void response.writeHead(410).end())
    const { id } = await world.addWebhook(receiver.url)
    await world.emitEvent(1)
    await world.emitEvent(1)
    await world.startEngine()
    await expect
      .poll(async () => (await world.deliveries()).map(({ attemptCount }) => attemptCount))
      .toEqual([1, 0])
    // The engine disables the webhook after it has written the result of the attempt.
    await expect
      .poll(() =>
        world.database.kysely
          .selectFrom('webhooks')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
      .toMatchObject({ is_enabled: false, disabled_reason: expect.stringContaining('410 Gone') })
    expect(receiver.received).toHaveLength(1)
    await world.emitEvent(1)
    const states = (await world.deliveries()).map(({ state }) => state)
    expect(states).toHaveLength(2)
    expect(states.every((state) => state === 'waiting' || state === 'pending')).toBe(true)
  })

  it('sends a webhook that has moved to another project nothing of the former one', async () => {
    const held: ServerResponse[] = []
    const former = await receive((_request, response) => void held.push(response))
    const later = await receive()
    const other = await world.database.kysely
      .insertInto('projects')
      .values({ account_id: world.accountId, name: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await world.addWebhook(former.url, { project_id: world.projectId })
    const eventIds: number[] = []
    for (let file = 1; file <= 40; file += 1) eventIds.push(await world.emitEvent(file))
    await world.startEngine()
    await former.until(16)
    await world.database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, { accountId: world.accountId, projectIds: null }, id)
      await changeWebhook(tx, webhook, { project_id: other.id, target_url: later.url })
    })
    // As when an event of the former project commits a moment later.
    await world.database.sql`
      insert into deliveries (account_id, webhook_id, event_id) values (${world.accountId}, ${id}, ${eventIds[0]})`
    await expect.poll(async () => (await world.deliveries()).at(-1)?.state).toBe('cancelled')
    for (const response of held) response.end()

    const newId = await world.emitEvent(50, 'file.updated', other.id)
    await later.until(1)
    expect(later.received.map(({ eventId }) => eventId)).toEqual([newId])
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual([...Array.from({ length: 41 }, () => 'cancelled'), 'delivered'])
  })

  it('waits as long as Retry-After says', async () => {
    const receiver = await receive((_request, response) => {
      response.writeHead(receiver.received.length === 1 ? 429 : 200, { 'retry-after': '1' }).end()
    })
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [0.01] })
    await world.emitEvent(1)
    await receiver.until(2)
    const [first, second] = receiver.received.map(({ atMs }) => atMs) as [number, number]
    expect(second - first).toBeGreaterThan(990)
  })

  it('counts a redirect as a failure and does not follow it', async () => {
    const receiver = await receive(
      (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    )
    await world.addWebhook(receiver.url)
    await world.startEngine({ retryDelaysSeconds: [] })
    await world.emitEvent(1)
    await allFinished('failed')
    expect(receiver.received).toHaveLength(1)
    expect(await attempts()).toMatchObject([
      { status_code: 302, error: expect.stringContaining('redirect 302') },
    ])
  })

  it('signs with the previous secret until it expires', async () => {
    const receiver = await receive()
    const old = 'the secret before this one'
    const sealed = world.secrets.seal(Buffer.from(old))
    const rotating = await world.addWebhook(`${receiver.url}/rotating`, {
      previous_sealed_secret: sealed,
      previous_secret_until: new Date(Date.now() + 60_000),
    })
    await world.addWebhook(`${receiver.url}/over`, {
      previous_sealed_secret: sealed,
      previous_secret_until: new Date(Date.now() - 1),
    })
    await world.startEngine()
    await world.emitEvent(1)
    await receiver.until(2)
    const at = (path: string) => {
      const request = receiver.received.find((one) => one.path.startsWith(path))
      if (request === undefined) throw new Error(`nothing came to ${path}`)
      return { headers: request.headers, body: request.body }
    }
    verify({ ...at('/hook/rotating'), secrets: [old] })
    verify({ ...at('/hook/rotating'), secrets: [rotating.secret] })
    expect(() => verify({ ...at('/hook/over'), secrets: [old] })).toThrow('no signature matches')
  })

  it('cancels the delivery of a webhook deleted at the moment of the event', async () => {
    const receiver = await receive()
    const { id } = await world.addWebhook(receiver.url)
    await world.emitEvent(1)
    await world.database.kysely
      .updateTable('webhooks')
      .set({ deleted_at: new Date() })
      .where('id', '=', id)
      .execute()
    await world.startEngine()
    await allFinished('cancelled')
    expect(receiver.received).toHaveLength(0)
  })

  it('waits for in-flight requests and starts no new ones when it stops', async () => {
    let finish: () => void = () => {}
    const receiver = await receive((_request, response) => {
      finish = () => void response.end()
    })
    await world.addWebhook(receiver.url)
    const engine = await world.startEngine()
    await world.emitEvent(1)
    await receiver.until(1)
    const stopped = engine.stop({ graceMs: 10_000 })
    await world.emitEvent(1)
    finish()
    await stopped
    expect(await world.deliveries()).toMatchObject([
      { state: 'delivered' },
      { state: 'pending', attemptCount: 0 },
    ])
    expect(receiver.received).toHaveLength(1)
  })

  it('leaves a request aborted by the stop to the next start without counting an attempt', async () => {
    const receiver = await receive((_request, response) => {
      if (receiver.received.length > 1) response.end()
    })
    await world.addWebhook(receiver.url)
    const engine = await world.startEngine()
    await world.emitEvent(1)
    await receiver.until(1)
    await engine.stop({ graceMs: 0 })
    expect(await world.deliveries()).toMatchObject([{ state: 'pending', attemptCount: 0 }])
    await world.startEngine()
    await allFinished('delivered')
  })
})

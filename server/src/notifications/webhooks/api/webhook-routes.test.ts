import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { openConnection } from '../../../platform/db/driver/connection.ts'
import { startReceiver, type Receiver } from '../test-support/receiver.ts'
import { createWebhookApi, notificationsPath as path, type WebhookApi } from '../test-support/webhook-api.ts'
import { openHeaders, sealPlainHeaders } from '../store/custom-headers.ts'
import { createWebhookWorld, type WebhookWorld } from '../test-support/webhook-world.ts'

let world: WebhookWorld
let api: WebhookApi
let receiver: Receiver
let principal: WebhookApi['principal']
let call: WebhookApi['call']

beforeEach(async () => {
  world = await createWebhookWorld()
  receiver = await startReceiver()
  api = await createWebhookApi(world)
  ;({ principal, call } = api)
})

afterEach(async () => {
  await api.close()
  await receiver.close()
  await world.close()
})

const valid = { TargetURL: 'https://example.com/hook', EventTypes: ['file.new', 'live.*'] }

const create = async (
  body: object = valid,
): Promise<{ Id: number; Secret: string } & Record<string, unknown>> => {
  const response = await call('POST', path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

describe('POST /modules/notifications', () => {
  it('answers 201 with the record, its location and a secret that no other answer shows', async () => {
    const response = await call('POST', path, {
      ...valid,
      Label: 'Newsroom',
      CustomHeaders: { 'X-Tenant': 'a' },
    })
    const webhook = response.json()
    expect(response.statusCode).toBe(201)
    expect(response.headers['location']).toBe(`http://video.test${path}/${webhook.Id}`)
    expect(webhook).toMatchObject({
      Label: 'Newsroom',
      TargetURL: 'https://example.com/hook',
      EventTypes: ['file.new', 'live.*'],
      ProjectId: null,
      CustomHeaders: { 'X-Tenant': '…' },
      IsEnabled: true,
      DisabledReason: null,
      Secret: expect.stringMatching(/^whsec_/),
    })
    expect(webhook.SecretLastFour).toBe(webhook.Secret.slice(-4))
    expect(webhook.CreatedAt).toMatch(/\+00:00$/)
    const read = await call('GET', `${path}/${webhook.Id}`)
    expect(read.body).not.toContain(webhook.Secret)
    expect(read.headers['etag']).toBe(response.headers['etag'])
    const stored = await world.database.sql<{ text: string }[]>`select w::text as text from webhooks w`
    expect(stored[0]?.text).not.toContain(Buffer.from(webhook.Secret).toString('hex'))
  })

  it.each([
    ['TargetURL', { TargetURL: 'http://example.com/' }, 'OUTBOUND_ALLOW_HTTP'],
    ['TargetURL', { TargetURL: 'https://127.0.0.1/' }, 'not on the public internet'],
    ['TargetURL', { TargetURL: 'https://me:secret@example.com/' }, 'user name'],
    ['TargetURL', { TargetURL: 'not a url' }, 'absolute URL'],
    ['TargetURL', { TargetURL: 5 }, 'must be a text'],
    ['TargetURL', { TargetURL: undefined }, 'is required'],
    ['EventTypes', { EventTypes: [] }, 'must not be empty'],
    ['EventTypes[1]', { EventTypes: ['file.new', 'file.exploded'] }, 'file.exploded'],
    ['Secret', { Secret: 'too short' }, '16'],
    ['Secret', { Secret: 'whsec_not base64 at all' }, 'base64'],
    ['ProjectId', { ProjectId: 999_999 }, 'the unknown project'],
    ['ProjectId', { ProjectId: '1' }, 'must be a whole number'],
    ['CustomHeaders.Webhook-Id', { CustomHeaders: { 'Webhook-Id': 'x' } }, 'Zoetrope sets'],
    ['CustomHeaders.HOST', { CustomHeaders: { HOST: 'x' } }, 'Zoetrope sets'],
    ['CustomHeaders.Content-Length', { CustomHeaders: { 'Content-Length': '1' } }, 'Zoetrope sets'],
    ['CustomHeaders.X-A', { CustomHeaders: { 'X-A': 'a\r\nHost: b' } }, 'visible ASCII'],
    ['CustomHeaders.a b', { CustomHeaders: { 'a b': 'c' } }, 'valid header name'],
  ])('answers 400 naming %s for %o', async (field, change, issue) => {
    const response = await call('POST', path, { ...valid, ...change })
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details[0].field).toBe(field)
    expect(response.json().error.message).toContain(issue)
  })

  it('rejects a project of another account like one that does not exist', async () => {
    const other = await world.database.sql<{ id: number }[]>`
      with account as (insert into accounts (name) values ('Other') returning id)
      insert into projects (account_id, name) select id, 'Foreign' from account returning id`
    const response = await call('POST', path, { ...valid, ProjectId: other[0]?.id })
    expect(response.statusCode).toBe(400)
    expect(response.json().error.message).toBe(`ProjectId names the unknown project ${other[0]?.id}.`)
  })
})

it('an account has as many webhooks as the operator allows, also when they are created at once', async () => {
  await api.close()
  api = await createWebhookApi(world, { maxWebhooksPerAccount: 2 })
  ;({ principal, call } = api)
  const other = await world.database.sql<{ id: number }[]>`
    insert into accounts (name) values ('Other') returning id`
  await world.database.sql`
    insert into webhooks (account_id, target_url, event_types, sealed_secret, secret_last_four)
    select ${other[0]?.id ?? 0}, 'https://example.com/', '{*}', '\\x00', 'abcd' from generate_series(1, 5)`
  const made = await Promise.all(Array.from({ length: 4 }, () => call('POST', path, valid)))
  expect(made.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])
  const refused = made.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json().error).toMatchObject({ reason: 'too_many_webhooks', params: { count: 2 } })
  const { Webhooks } = (await call('GET', path)).json()
  await call('DELETE', `${path}/${Webhooks[0].Id}`)
  await create()
})

describe('existing webhooks', () => {
  it('are listed newest first, page by page', async () => {
    const first = await create()
    const second = await create()
    const page = (await call('GET', `${path}?limit=1`)).json()
    expect(page).toMatchObject({ Webhooks: [{ Id: second.Id }], TotalCount: 2, Limit: 1, Offset: 0 })
    expect((await call('GET', `${path}?limit=1&cursor=${page.NextCursor}`)).json().Webhooks[0].Id).toBe(
      first.Id,
    )
  })

  it('are hidden from other accounts and from API keys of other projects', async () => {
    const everywhere = await create()
    const inProject = await create({ ...valid, ProjectId: world.projectId })
    principal.projectIds = [world.projectId]
    expect((await call('GET', path)).json().Webhooks.map(({ Id }: { Id: number }) => Id)).toEqual([
      inProject.Id,
    ])
    expect((await call('GET', `${path}/${everywhere.Id}`)).statusCode).toBe(404)
    expect((await call('POST', path, valid)).json().error.details[0].field).toBe('ProjectId')
    Object.assign(principal, { accountId: world.accountId + 1, projectIds: null })
    for (const [method, tail] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/rotatesecret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['GET', '/health'],
      ['POST', '/replay'],
      ['GET', '/replays/1'],
      ['GET', '/deliveries/1'],
      ['POST', '/deliveries/1/redeliver'],
    ] as const) {
      const body = tail === '/replay' ? { From: '2026-03-01T12:00:00Z' } : method === 'PUT' ? {} : undefined
      const response = await call(method, `${path}/${inProject.Id}${tail}`, body)
      expect(response.statusCode, `${method} ${tail}`).toBe(404)
    }
  })

  it('change partially: absent fields stay, null clears, read-only fields are ignored', async () => {
    const { Id } = await create({
      ...valid,
      Label: 'Before',
      ProjectId: world.projectId,
      CustomHeaders: { 'X-A': 'b' },
    })
    const record = (await call('GET', `${path}/${Id}`)).json()
    const response = await call('PUT', `${path}/${Id}`, { ...record, Id: 99, Label: null, ProjectId: null })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      ...record,
      Id,
      Label: '',
      ProjectId: null,
      LastUpdateAt: expect.any(String),
    })
    expect(
      (await call('PUT', `${path}/${Id}`, { TargetURL: 'ftp://x/' })).json().error.details[0].field,
    ).toBe('TargetURL')
  })

  it('show masked header values, seal them in the database, and keep those that are sent back masked', async () => {
    const { Id } = await create({
      ...valid,
      CustomHeaders: { Authorization: 'Bearer of-the-receiver', 'X-Tenant': 'newsroom' },
    })
    const put = (CustomHeaders: object) => call('PUT', `${path}/${Id}`, { CustomHeaders })
    const headersSent = async () => {
      const [row] = await world.database.kysely
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', Id)
        .execute()
      expect(JSON.stringify(row)).not.toMatch(/of-the-receiver|newsroom|studio/)
      return openHeaders(row?.sealed_headers ?? {}, world.secrets)
    }
    const read = (await call('GET', `${path}/${Id}`)).json()
    expect(read.CustomHeaders).toEqual({ Authorization: '…', 'X-Tenant': '…' })
    expect((await call('GET', path)).body).not.toContain('of-the-receiver')
    const same = await call('PUT', `${path}/${Id}`, read)
    expect(same.json()).toEqual(read)
    const changed = await put({ authorization: '…', 'X-Tenant': 'studio' })
    expect(changed.json().CustomHeaders).toEqual({ authorization: '…', 'X-Tenant': '…' })
    expect(await headersSent()).toEqual({ authorization: 'Bearer of-the-receiver', 'X-Tenant': 'studio' })
    const unknown = await put({ 'X-Other': '…' })
    expect(unknown.statusCode).toBe(400)
    expect(unknown.json().error.reason).toBe('masked_header_unknown')
    expect((await put({})).json().CustomHeaders).toEqual({})
  })

  it('take no stored header values to another receiver', async () => {
    const { Id, ...record } = await create({ ...valid, CustomHeaders: { Authorization: 'Bearer a' } })
    const change = (body: object) => call('PUT', `${path}/${Id}`, body)
    const elsewhere = { TargetURL: 'https://elsewhere.example.com/hook' }
    for (const body of [elsewhere, { ...record, ...elsewhere }]) {
      const refused = await change(body)
      expect(refused.statusCode).toBe(400)
      expect(refused.json().error.details).toMatchObject([
        { field: 'CustomHeaders.Authorization', reason: 'header_of_former_target' },
      ])
    }
    expect((await change({ TargetURL: 'https://example.com/other' })).statusCode).toBe(200)
    expect((await change({ TargetURL: 'zoetrope:inspector' })).statusCode).toBe(200)
    expect((await change(elsewhere)).statusCode).toBe(400)
    const entered = await change({ ...elsewhere, CustomHeaders: { Authorization: 'Bearer b' } })
    expect(entered.json()).toMatchObject({ ...elsewhere, CustomHeaders: { Authorization: '…' } })
    expect((await change({ ...valid, CustomHeaders: null })).json().CustomHeaders).toEqual({})
  })

  it('send the header values of an earlier release after its first start, which seals them', async () => {
    const { Id } = await create()
    const { kysely } = world.database
    const read = () =>
      kysely.selectFrom('webhooks').selectAll().where('id', '=', Id).executeTakeFirstOrThrow()
    await kysely
      .updateTable('webhooks')
      .set({ custom_headers: JSON.stringify({ 'X-Tenant': 'newsroom' }) })
      .where('id', '=', Id)
      .execute()
    for (let start = 0; start < 2; start += 1) await sealPlainHeaders(world.database, world.secrets)
    const row = await read()
    expect(JSON.stringify(row)).not.toContain('newsroom')
    expect(openHeaders(row.sealed_headers, world.secrets)).toEqual({ 'X-Tenant': 'newsroom' })
  })

  it('answer 412 to a change based on an old version', async () => {
    const { Id } = await create()
    const { etag } = (await call('GET', `${path}/${Id}`)).headers
    expect((await call('PUT', `${path}/${Id}`, { Label: 'a' }, { 'if-match': etag })).statusCode).toBe(200)
    expect((await call('PUT', `${path}/${Id}`, { Label: 'b' }, { 'if-match': etag })).statusCode).toBe(412)
    expect((await call('DELETE', `${path}/${Id}`, undefined, { 'if-match': etag })).statusCode).toBe(412)
  })

  it('answer 404 after deletion, and unfinished deliveries are cancelled', async () => {
    const { Id } = await create({ ...valid, EventTypes: ['*'] })
    await world.emitEvent(1)
    const response = await call('DELETE', `${path}/${Id}`, undefined, { 'content-type': 'application/json' })
    expect(response.json()).toEqual({ Id, IsEnabled: false, DeletedAt: expect.stringMatching(/\+00:00$/) })
    expect((await call('GET', `${path}/${Id}`)).statusCode).toBe(404)
    expect((await call('DELETE', `${path}/${Id}`)).statusCode).toBe(404)
    expect(await world.deliveries()).toMatchObject([{ state: 'cancelled' }])
  })

  it('get a new secret while the old one stays valid for a day', async () => {
    const before = await create()
    const response = await call('POST', `${path}/${before.Id}/rotatesecret`)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().Secret).not.toBe(before.Secret)
    const hoursLeft = (Date.parse(response.json().PreviousSecretValidUntil) - Date.now()) / 3_600_000
    expect(hoursLeft).toBeCloseTo(24, 1)
    const chosen = await call('POST', `${path}/${before.Id}/rotatesecret`, { Secret: 'chosen by a person' })
    expect(chosen.json()).toMatchObject({ Secret: 'chosen by a person', SecretLastFour: 'rson' })
    expect((await call('POST', `${path}/${before.Id}/rotatesecret`, { Secret: 'short' })).statusCode).toBe(
      400,
    )
  })
})

describe('deliveries', () => {
  it('of a test event reach only this webhook and can be read with their attempts', async () => {
    await world.addWebhook(`${receiver.url}/other`)
    const { id } = await world.addWebhook(receiver.url, { event_types: ['live.started'] })
    await world.startEngine()
    const response = await call('POST', `${path}/${id}/test`)
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      WebhookId: id,
      Event: 'webhook.ping',
      Status: 'pending',
      FileId: null,
    })
    const { Id } = response.json()
    expect(response.headers['location']).toBe(`http://video.test${path}/${id}/deliveries/${Id}`)
    await expect
      .poll(async () => (await call('GET', `${path}/${id}/deliveries/${Id}`)).json())
      .toMatchObject({
        Status: 'delivered',
        AttemptCount: 1,
        NextAttemptAt: null,
        Attempts: [
          {
            Number: 1,
            StatusCode: 200,
            ResponseExcerpt: '',
            Error: null,
            ErrorReason: null,
            ErrorParams: null,
          },
        ],
      })
    expect(receiver.received.map((one) => one.path)).toEqual(['/hook?event=webhook.ping'])
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject([
      { Event: 'webhook.ping', Sequence: 1, ProjectId: null, Webhook: { Id: id } },
    ])
    const list = (await call('GET', `${path}/${id}/deliveries`)).json()
    expect(list).toMatchObject({ Deliveries: [{ Id, LastStatusCode: 200, LastError: null }], TotalCount: 1 })
  })

  it('name the reason of each failure, with its params', async () => {
    const silent = await startReceiver(() => {})
    const moved = await startReceiver((_request, response) => void response.writeHead(302).end())
    const failures = [
      ['http://127.0.0.1:1/', 'connection_refused', { host: '127.0.0.1', port: 1 }],
      [silent.url, 'answer_late', { seconds: 0.5 }],
      [moved.url, 'receiver_redirected', { status: 302 }],
      ['https://10.1.2.3/', 'host_not_public', { host: '10.1.2.3' }],
      [`https://${new URL(moved.url).host}/`, 'tls_handshake_failed', { host: '127.0.0.1' }],
    ] as const
    const ids: number[] = []
    for (const [url] of failures) ids.push((await world.addWebhook(url)).id)
    await world.startEngine({ retryDelaysSeconds: [], requestTimeoutMs: 500 })
    await world.emitEvent(1)
    for (const [index, [, reason, params]] of failures.entries()) {
      const id = ids[index] ?? 0
      const listed = async () => (await call('GET', `${path}/${id}/deliveries`)).json().Deliveries[0]
      const delivery = await waitFor(listed, ({ Status }) => Status === 'failed')
      expect(delivery).toMatchObject({ LastErrorReason: reason, LastErrorParams: params })
      const { Attempts } = (await call('GET', `${path}/${id}/deliveries/${delivery.Id}`)).json()
      expect(Attempts).toMatchObject([
        { Error: delivery.LastError, ErrorReason: reason, ErrorParams: delivery.LastErrorParams },
      ])
      const health = async () => (await call('GET', `${path}/${id}/health`)).json()
      expect(await waitFor(health, ({ LastFailure }) => LastFailure !== null)).toMatchObject({
        LastFailure: {
          Error: delivery.LastError,
          Reason: reason,
          Params: delivery.LastErrorParams,
        },
      })
    }
    await Promise.all([silent.close(), moved.close()])
  })

  it('can be filtered by status, event, file and time', async () => {
    const { id } = await world.addWebhook('http://127.0.0.1:9', { project_id: world.projectId })
    await world.emitEvent(5, 'file.new')
    await world.emitEvent(6, 'file.updated')
    await world.emitEvent(null, 'project.updated')
    await world.database.kysely
      .updateTable('deliveries')
      .set({ state: 'failed', finished_at: new Date() })
      .where('file_id', '=', 5)
      .execute()
    const found = async (query: string): Promise<string[]> => {
      const { Deliveries, TotalCount } = (await call('GET', `${path}/${id}/deliveries?${query}`)).json()
      expect(TotalCount).toBe(Deliveries.length)
      return Deliveries.map(({ Event }: { Event: string }) => Event)
    }
    const all = ['project.updated', 'file.updated', 'file.new']
    expect(await found('')).toEqual(all)
    expect(await found('status=failed')).toEqual(['file.new'])
    expect(await found('status=pending,waiting')).toEqual(['project.updated', 'file.updated'])
    expect(await found('event=file.*')).toEqual(['file.updated', 'file.new'])
    expect(await found('fileId=6,7&status=pending')).toEqual(['file.updated'])
    const [{ CreatedAt: last }] = (await call('GET', `${path}/${id}/deliveries`)).json().Deliveries
    expect(await found(`createdTo=${encodeURIComponent(last)}`)).toEqual(all)
    expect(await found('createdFrom=2100-01-01T00:00:00Z')).toEqual([])
    for (const [name, value] of [
      ['status', 'lost'],
      ['event', 'file.nothing'],
      ['fileId', '0'],
      ['createdFrom', 'yesterday'],
    ] as const) {
      const refused = await call('GET', `${path}/${id}/deliveries?${name}=${value}`)
      expect(refused.statusCode).toBe(400)
      expect(refused.json().error.details).toMatchObject([{ field: name }])
    }
  })

  it('of a project the webhook has left are hidden from callers without that project', async () => {
    const other = await world.database.kysely
      .insertInto('projects')
      .values({ account_id: world.accountId, name: 'Other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { Id } = await create({ ...valid, EventTypes: ['*'], ProjectId: world.projectId })
    await world.emitEvent(5)
    const list = `${path}/${Id}/deliveries`
    const [delivery] = (await call('GET', list)).json().Deliveries
    await call('PUT', `${path}/${Id}`, { ProjectId: other.id })

    expect((await call('GET', `${list}/${delivery.Id}`)).json()).toMatchObject({ Status: 'cancelled' })
    const again = await call('POST', `${list}/${delivery.Id}/redeliver`, {})
    expect(again.statusCode).toBe(409)
    expect(again.json().error.reason).toBe('delivery_of_other_project')
    principal.projectIds = [other.id]
    expect((await call('GET', list)).json()).toMatchObject({ Deliveries: [], TotalCount: 0 })
    expect((await call('GET', `${list}/${delivery.Id}`)).statusCode).toBe(404)
    expect((await call('POST', `${list}/${delivery.Id}/redeliver`, {})).statusCode).toBe(404)
  })

  it('can be sent again by hand with the same id', async () => {
    const { id } = await world.addWebhook(receiver.url)
    await world.startEngine()
    await world.emitEvent(4)
    await expect.poll(async () => (await world.deliveries())[0]?.state).toBe('delivered')
    const { Id } = (await call('GET', `${path}/${id}/deliveries`)).json().Deliveries[0]
    const response = await call('POST', `${path}/${id}/deliveries/${Id}/redeliver`)
    expect(response.json()).toMatchObject({ Id, Status: 'pending', FinishedAt: null })
    await receiver.until(2)
    await expect
      .poll(async () => (await call('GET', `${path}/${id}/deliveries/${Id}`)).json())
      .toMatchObject({
        Status: 'delivered',
        Attempts: [{ Number: 1 }, { Number: 2 }],
      })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await call('POST', `${path}/${id}/deliveries/${Id + 1}/redeliver`)).statusCode).toBe(404)
  })

  it('that a receiver answered with 410 are sent once the webhook is enabled again', async () => {
    let status = 410
    const gone = await startReceiver((_request, response) => void response.writeHead(status).end())
    const { id } = await world.addWebhook(gone.url)
    const eventIds = [await world.emitEvent(1), await world.emitEvent(2)]
    await world.startEngine()
    await expect.poll(async () => (await call('GET', `${path}/${id}`)).json().IsEnabled).toBe(false)
    const requestCount = gone.received.length
    status = 200
    await call('PUT', `${path}/${id}`, { IsEnabled: true })
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['delivered', 'delivered'])
    const delivered = gone.received.slice(requestCount).map(({ eventId }) => eventId)
    expect(delivered).toEqual(expect.arrayContaining(eventIds))
    await gone.close()
  })

  it('are sent at once by a repeated request when the first one to enable their webhook broke off', async () => {
    const { id } = await world.addWebhook(receiver.url, { is_enabled: false })
    const { database } = world
    const eventId = await world.emitEvent(1)
    await database.sql`
      insert into deliveries (account_id, webhook_id, event_id, state, attempt_count, next_attempt_at)
      values (${world.accountId}, ${id}, ${eventId}, 'waiting', 9, now() + interval '10 hours')`
    await world.startEngine()
    const holder = await openConnection(database.connection)
    await holder.query('begin; select from deliveries for update')
    const first = call('PUT', `${path}/${id}`, { IsEnabled: true })
    await waitFor(
      () => database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      (rows) => rows.length > 0,
    )
    expect((await first).statusCode).toBe(503)
    await holder.rollback()
    holder.discard()
    expect((await call('PUT', `${path}/${id}`, { IsEnabled: true })).statusCode).toBe(200)
    await receiver.until(1)
  })

  it('of a disabled webhook are not sent and cannot be redelivered', async () => {
    const { id } = await world.addWebhook(receiver.url)
    await world.emitEvent(4)
    expect((await call('PUT', `${path}/${id}?discard=true`, { IsEnabled: false })).json().IsEnabled).toBe(
      false,
    )
    expect(await world.deliveries()).toMatchObject([{ state: 'cancelled' }])
    expect((await call('POST', `${path}/${id}/test`)).statusCode).toBe(409)
    const [delivery] = await world.deliveries()
    expect((await call('POST', `${path}/${id}/deliveries/${delivery?.id}/redeliver`)).statusCode).toBe(409)
    await call('PUT', `${path}/${id}`, { IsEnabled: true })
    expect((await call('POST', `${path}/${id}/deliveries/${delivery?.id}/redeliver`)).statusCode).toBe(200)
  })

  it('wait while their webhook is disabled and are sent in order when it is enabled', async () => {
    let isDown = true
    const flaky = await startReceiver((_request, response) => response.writeHead(isDown ? 503 : 200).end())
    const { id } = await world.addWebhook(flaky.url)
    await world.startEngine()
    const events = [await world.emitEvent(4), await world.emitEvent(4), await world.emitEvent(4)]
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['waiting', 'waiting', 'waiting'])
    await call('PUT', `${path}/${id}`, { IsEnabled: false })
    // Due now: the disabled webhook must neither receive nor lose them.
    await world.database.sql`update deliveries set next_attempt_at = now()`
    const seen = flaky.received.length
    isDown = false
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['pending', 'pending', 'pending'])
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(flaky.received).toHaveLength(seen)
    await world.database
      .sql`update deliveries set state = 'waiting', next_attempt_at = now() + interval '1 hour'`
    await call('PUT', `${path}/${id}`, { IsEnabled: true })
    await flaky.until(seen + 3)
    expect(flaky.received.slice(seen).map(({ eventId }) => eventId)).toEqual(events)
    await expect
      .poll(async () => (await world.deliveries()).map(({ state }) => state))
      .toEqual(['delivered', 'delivered', 'delivered'])
    await flaky.close()
  })

  it('are cancelled with discard=true, which answers 400 while the webhook stays enabled', async () => {
    const { id } = await world.addWebhook('http://127.0.0.1:9')
    await world.emitEvent(4)
    const refused = await call('PUT', `${path}/${id}?discard=true`, { Label: 'still on' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().error.details).toMatchObject([{ field: 'discard' }])
    await call('PUT', `${path}/${id}`, { IsEnabled: false })
    expect(await world.deliveries()).toMatchObject([{ state: 'pending' }])
    const { etag } = (await call('GET', `${path}/${id}`)).headers
    await call('PUT', `${path}/${id}`, { Label: 'changed' })
    const outdated = { 'if-match': etag }
    expect((await call('PUT', `${path}/${id}?discard=true`, { IsEnabled: true }, outdated)).statusCode).toBe(
      412,
    )
    expect(await world.deliveries()).toMatchObject([{ state: 'pending' }])
    const enabled = await call('PUT', `${path}/${id}?discard=true`, { IsEnabled: true })
    expect(enabled.json()).toMatchObject({ IsEnabled: true })
    expect(await world.deliveries()).toMatchObject([{ state: 'cancelled' }])
  })
})

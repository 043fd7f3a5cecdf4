import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verify } from '@zoetrope/webhook-signature'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { dropOldInspectedRequests, keepInspectedRequest } from './inspected-requests.ts'
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

const create = async () => {
  const webhook = {
    TargetURL: 'zoetrope:inspector',
    EventTypes: ['*'],
    CustomHeaders: { 'X-Tenant': 'news' },
  }
  const response = await api.call('POST', path, webhook)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}
const requestsOf = async (webhookId: number, query = '') =>
  (await api.call('GET', `${path}/${webhookId}/inspectedrequests${query}`)).json()

const untilDelivered = (count: number) =>
  waitFor(world.deliveries, (all) => all.filter(({ state }) => state === 'delivered').length === count)

test('an inspector webhook is delivered without network access and shows the request a receiver would get', async () => {
  const { Id, Secret } = await create()
  await world.startEngine()
  const eventId = await world.emitEvent(5, 'file.new')
  await untilDelivered(1)
  const { Requests, TotalCount } = await requestsOf(Id)
  expect(TotalCount).toBe(1)
  const [{ Headers, Body, Path, IsGenuine }] = Requests
  expect(IsGenuine).toBe(true)
  expect(Path).toBe(`/inspector?ProjectId=${world.projectId}&FileId=5&event=file.new`)
  expect(Headers).toMatchObject({ 'X-Tenant': '…', 'webhook-id': `evt_${eventId}_${Id}` })
  expect(JSON.parse(Body)).toMatchObject([{ Event: 'file.new', EventId: eventId, File: { Id: 5 } }])
  expect(verify({ headers: Headers, body: Body, secrets: [Secret] })).toBeTruthy()
})

test('the inspector keeps the newest fifty requests in the order of arrival', async () => {
  const { Id } = await create()
  await world.startEngine()
  const eventIds: number[] = []
  for (let count = 0; count < 60; count += 1) eventIds.push(await world.emitEvent(5))
  await untilDelivered(60)
  const { Requests, TotalCount } = await requestsOf(Id, '?limit=100')
  expect(TotalCount).toBe(50)
  const kept = Requests.map(({ Body }: { Body: string }) => JSON.parse(Body)[0].EventId)
  expect(kept).toEqual(eventIds.slice(-50).reverse())
})

test('a request does not wait for another one that deletes the same old requests', async () => {
  const { Id } = await create()
  const keep = () =>
    keepInspectedRequest(world.database, {
      account_id: world.accountId,
      webhook_id: Id,
      project_id: null,
      path: '/inspector',
      headers: '{}',
      body: '[]',
      is_genuine: true,
    })
  for (let count = 0; count < 50; count += 1) await keep()
  await world.database.transaction(async (tx) => {
    await tx.selectFrom('inspected_requests').select('id').where('webhook_id', '=', Id).forUpdate().execute()
    const isKept = await Promise.race([keep().then(() => true), setTimeout(5_000, false)])
    expect(isKept).toBe(true)
  })
  expect((await requestsOf(Id)).TotalCount).toBe(51)
  await keep()
  expect((await requestsOf(Id)).TotalCount).toBe(50)
})

test('the inspector hides and deletes requests after an hour', async () => {
  const { Id } = await create()
  await world.startEngine()
  await world.emitEvent(5)
  await untilDelivered(1)
  await world.database.sql`update inspected_requests set received_at = now() - interval '61 minutes'`
  expect(await requestsOf(Id)).toMatchObject({ Requests: [], TotalCount: 0 })
  await dropOldInspectedRequests(world.database)
  expect(await world.database.kysely.selectFrom('inspected_requests').selectAll().execute()).toEqual([])
})

test('a project API key sees only inspected requests of its project, and another account sees none', async () => {
  const { Id } = await create()
  await world.startEngine()
  await world.emitEvent(5)
  await untilDelivered(1)
  await api.call('PUT', `${path}/${Id}`, { ProjectId: world.projectId })
  api.principal.projectIds = [world.projectId]
  expect(await requestsOf(Id)).toMatchObject({ TotalCount: 1 })
  await world.database.sql`update inspected_requests set project_id = null`
  expect(await requestsOf(Id)).toMatchObject({ TotalCount: 0 })
  api.principal.accountId = world.accountId + 1
  expect((await api.call('GET', `${path}/${Id}/inspectedrequests`)).statusCode).toBe(404)
})

test.each(['zoetrope:inspector/', 'zoetrope:other', 'Zoetrope:inspector?a=1', 'http://video.test/inspector'])(
  "rejects the TargetURL %s, which is not exactly the inspector's",
  async (TargetURL) => {
    const response = await api.call('POST', path, { TargetURL, EventTypes: ['*'] })
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details[0].field).toBe('TargetURL')
  },
)

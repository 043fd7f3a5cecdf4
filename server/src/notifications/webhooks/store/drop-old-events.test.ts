import { afterEach, beforeEach, expect, test } from 'vitest'
import { dropOldEvents } from './drop-old-events.ts'
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

const age = async (eventId: number, days: number): Promise<void> => {
  await world.database.sql`
    update events set occurred_at = now() - ${days}::int * interval '1 day' where id = ${eventId}`
}

test('dropOldEvents deletes expired events with their deliveries and attempts, in several batches', async () => {
  const receiver = await startReceiver()
  await world.addWebhook(receiver.url)
  await world.startEngine()
  const ids: number[] = []
  for (let index = 0; index < 6; index += 1) ids.push(await world.emitEvent(1))
  await expect
    .poll(async () => (await world.deliveries()).every(({ state }) => state === 'delivered'))
    .toBe(true)
  for (const id of ids.slice(0, 5)) await age(id, 31)
  await dropOldEvents(world.database, 30, 2)
  const left = await world.database.sql<{ events: number; deliveries: number; attempts: number }[]>`
    select (select count(*) from events)::int as events, (select count(*) from deliveries)::int as deliveries,
      (select count(*) from delivery_attempts)::int as attempts`
  expect(left).toEqual([{ events: 1, deliveries: 1, attempts: 1 }])
  await receiver.close()
})

test('a failed delivery can be sent again until its event is deleted', async () => {
  let status = 500
  const receiver = await startReceiver((_request, response) => void response.writeHead(status).end())
  const { id } = await world.addWebhook(receiver.url)
  await world.startEngine({ retryDelaysSeconds: [] })
  const [kept, gone] = [await world.emitEvent(1), await world.emitEvent(2)]
  await expect
    .poll(async () => (await world.deliveries()).map(({ state }) => state))
    .toEqual(['failed', 'failed'])
  await age(kept, 29)
  await age(gone, 31)
  await dropOldEvents(world.database, 30)
  const { Deliveries } = (await api.call('GET', `${path}/${id}/deliveries?status=failed`)).json()
  expect(Deliveries).toMatchObject([{ EventId: kept, Status: 'failed', LastStatusCode: 500 }])
  status = 200
  await api.call('POST', `${path}/${id}/deliveries/${Deliveries[0].Id}/redeliver`)
  await expect
    .poll(async () => (await api.call('GET', `${path}/${id}/deliveries/${Deliveries[0].Id}`)).json())
    .toMatchObject({ Status: 'delivered', Attempts: [{ StatusCode: 500 }, { StatusCode: 200 }] })
  await receiver.close()
})

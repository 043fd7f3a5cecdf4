import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { createScriptedViewers, type ScriptedViewers } from '../test-support/scripted-viewers.ts'

let server: TestServer
let viewers: ScriptedViewers

beforeAll(async () => {
  server = await startTestServer()
  viewers = createScriptedViewers(server)
})
afterAll(() => server.stop())

const addWebhook = async (settings: object): Promise<number> => {
  const body = { TargetURL: 'zoetrope:inspector', ...settings }
  const answer = await server.call('POST', '/modules/notifications', { body })
  expect(answer.status).toBe(201)
  return answer.body.Id
}

const sessionsOf = ({ id }: { readonly id: number }) => viewers.read(`/analytics/sessions?fileId=${id}`)
const eventsOf = ({ id }: { readonly id: number }) => viewers.read(`/events?event=view.ended&fileId=${id}`)
const deliveriesOf = async (webhookId: number): Promise<number> =>
  (await viewers.read(`/modules/notifications/${webhookId}/deliveries?event=view.ended`)).TotalCount

test('view.ended is not written for webhooks of all events, nor for disabled and deleted ones', async () => {
  const file = await viewers.newFile()
  await addWebhook({ EventTypes: ['*'] })
  await addWebhook({ EventTypes: ['view.ended'], IsEnabled: false })
  const deleted = await addWebhook({ EventTypes: ['view.ended'] })
  await server.call('DELETE', `/modules/notifications/${deleted}`)
  await viewers.watch(file)
  await viewers.settle(() => sessionsOf(file)).toMatchObject({ TotalCount: 1 })
  expect((await eventsOf(file)).TotalCount).toBe(0)
})

test('view.ended cannot be subscribed to by its family', async () => {
  const body = { TargetURL: 'zoetrope:inspector', EventTypes: ['view.*'] }
  expectProblem(await server.call('POST', '/modules/notifications', { body }), 'invalid')
  expect((await viewers.read('/events?event=view.*')).TotalCount).toBe(0)
})

test('view.ended has the record of the view, and is sent once to each webhook that names it', async () => {
  const [file, other] = [await viewers.newFile(), await viewers.newFile()]
  const named = await addWebhook({ EventTypes: ['*', 'view.ended'], ProjectId: file.projectId })
  const everything = await addWebhook({ EventTypes: ['*'] })
  await viewers.watch(file)
  await viewers.watch(other)
  await viewers
    .settle(async () => [(await sessionsOf(file)).TotalCount, (await sessionsOf(other)).TotalCount])
    .toEqual([1, 1])
  const { Views } = await sessionsOf(file)
  expect((await eventsOf(file)).Events).toMatchObject([
    { Event: 'view.ended', Sequence: 1, ProjectId: file.projectId, View: Views[0] },
  ])
  expect((await eventsOf(other)).TotalCount).toBe(0)
  expect(await deliveriesOf(named)).toBe(1)
  expect(await deliveriesOf(everything)).toBe(0)
  // Both rows are of one transaction.
  const { rows } = await sql<{ view: string; event: string }>`
    select v.xmin::text as view, e.xmin::text as event from views v join events e on e.file_id = v.file_id
    where v.file_id = ${file.id} and e.name = 'view.ended'`.execute(server.services.database.kysely)
  expect(rows[0]?.view).toBe(rows[0]?.event)
})

test('view.ended is not sent for programs', async () => {
  const file = await viewers.newFile()
  await addWebhook({ EventTypes: ['view.ended'], ProjectId: file.projectId })
  const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
  await viewers.watch(file, { 'user-agent': bot })
  await viewers
    .settle(() => viewers.read(`/analytics/sessions?kind=bot&fileId=${file.id}`))
    .toMatchObject({ TotalCount: 1 })
  expect((await eventsOf(file)).TotalCount).toBe(0)
})

test('views that end together wait for each other at no webhook', async () => {
  const file = await viewers.newFile()
  const webhookId = await addWebhook({ EventTypes: ['view.ended'], ProjectId: file.projectId })
  for (let count = 0; count < 3; count++) await viewers.watch(file)
  await viewers.settle(() => eventsOf(file)).toMatchObject({ TotalCount: 3 })
  const lanes = await server.services.database.kysely
    .selectFrom('deliveries')
    .select('lane')
    .where('webhook_id', '=', webhookId)
    .execute()
  expect(lanes).toEqual([{ lane: null }, { lane: null }, { lane: null }])
})

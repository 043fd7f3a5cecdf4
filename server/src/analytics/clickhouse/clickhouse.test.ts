import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'
import { dropOldViews } from '../store/housekeeping.ts'
import { readSent } from '../store/stored-views.ts'
import { startClickHouseServer, type ClickHouseServer } from '../test-support/clickhouse-server.ts'
import { addViews, daysAgo } from '../test-support/ended-views.ts'
import { openClickHouse, type ClickHouse } from './clickhouse.ts'
import { eraseSent } from './erase-sent.ts'
import { sendViews } from './send-views.ts'

let clickHouseServer: ClickHouseServer
let clickHouse: ClickHouse
let server: TestServer
beforeAll(async () => {
  clickHouseServer = await startClickHouseServer()
  clickHouse = openClickHouse(clickHouseServer.url)
  server = await startTestServer({
    environment: { ZOETROPE_ANALYTICS_VIEWS: 'clickhouse', ZOETROPE_CLICKHOUSE_URL: clickHouseServer.url },
  })
})
afterEach(() => {
  clickHouseServer.mode = 'answer'
})
afterAll(async () => {
  await clickHouse.close()
  await server.stop()
  await clickHouseServer.stop()
})

const send = () => sendViews({ database: server.workerDatabase, clickHouse })
const rowsOf = ({ id }: PlayableFile) => clickHouseServer.rows.filter((row) => row['file_id'] === id)
const view = ({ projectId, id: fileId }: PlayableFile) => ({
  ...{ projectId, fileId, endedAt: daysAgo(1), dimensions: { country: 'DE' } },
})

test('sends each view once, with its dimensions', async () => {
  const file = await makePlayableFile(server)
  await addViews(server, [view(file), view(file)])
  await send()
  await send()
  expect(rowsOf(file)).toHaveLength(2)
  expect(rowsOf(file)[0]).toMatchObject({
    ...{ project_id: file.projectId, kind: 'viewer', source: 'reports', watch_ms: 30_000, startup_ms: 500 },
    ...{ has_started: true, has_failed: false, error_code: null, dimensions: { country: 'DE' } },
    ended_at: daysAgo(1).toISOString().replace('T', ' ').slice(0, 23),
  })
  const insert = clickHouseServer.statements.at(-1)
  expect(insert?.text).toMatch(/^INSERT INTO views .*FORMAT JSONEachRow/s)
  expect(insert?.authorization).toBe(`Basic ${Buffer.from('writer:secret').toString('base64')}`)
})

test('keeps views until a server that is down takes them', async () => {
  const file = await makePlayableFile(server)
  await addViews(server, [view(file)])
  clickHouseServer.mode = 'refuse'
  await expect(send()).rejects.toThrow()
  const drop = () => dropOldViews(server.workerDatabase, { viewDays: 0, engine: 'clickhouse' })
  await drop()
  clickHouseServer.mode = 'answer'
  await send()
  expect(rowsOf(file)).toHaveLength(1)
  await drop()
  const left = server.services.database.kysely.selectFrom('views').select('id')
  expect(await left.where('file_id', '=', file.id).execute()).toEqual([])
})

test('repeats a batch whose answer was lost with the same token and rows, although more views have ended', async () => {
  const file = await makePlayableFile(server)
  await addViews(server, [view(file), view(file)])
  clickHouseServer.mode = 'cut'
  await expect(send()).rejects.toThrow()
  const { sent, sending } = await readSent(server.workerDatabase)
  expect(sending).toBeGreaterThan(sent)
  await addViews(server, [view(file)])
  clickHouseServer.mode = 'answer'
  await send()
  expect(rowsOf(file)).toHaveLength(3)
  expect(new Set(rowsOf(file).map((row) => row['id'])).size).toBe(3)
})

test('two workers at a time send each batch once', async () => {
  const file = await makePlayableFile(server)
  await addViews(server, [view(file)])
  await Promise.allSettled([send(), send()])
  await send()
  expect(rowsOf(file)).toHaveLength(1)
})

test('a breakdown adds the groups of ClickHouse to the views that it does not have yet', async () => {
  const file = await makePlayableFile(server)
  await addViews(server, [view(file)])
  await send()
  await addViews(server, [view(file)])
  const sums = { s0: 12, s1: 11, s2: 1_000, s3: 2, s4: 900, s5: 0, s6: 0, s7: 1, s8: 0 }
  clickHouseServer.answers.push([{ k0: 'DE', k1: String(file.id), ...sums }])
  const { body } = await server.call('GET', `/analytics/breakdown?by=country,file&fileId=${file.id}`)
  expect(body.Groups).toEqual([
    {
      ...{ Keys: ['DE', String(file.id)], Views: 12, WatchSeconds: 31, AverageViewSeconds: 31 / 12 },
      ...{ StartupMs: 1_400 / 3, Rebuffers: 0, RebufferRatio: 0, Failures: 1, Errors: 0 },
    },
  ])
  const { sent } = await readSent(server.workerDatabase)
  expect(clickHouseServer.statements.at(-1)).toMatchObject({
    text: expect.stringMatching(/from views final\s+where account_id = \{account:UInt64\}/),
    params: { last: String(sent), files: `[${file.id}]`, d0: 'country' },
  })
})

test('a breakdown gets 503 while ClickHouse is down', async () => {
  clickHouseServer.mode = 'refuse'
  const answer = await server.call('GET', '/analytics/breakdown?by=day')
  expect([answer.status, answer.body.error.reason]).toEqual([503, 'analytics_engine_failed'])
})

test('the views of purged files and projects are deleted', async () => {
  const [kept, purged] = [await makePlayableFile(server), await makePlayableFile(server)]
  const { kysely } = server.services.database
  const { account_id } = await kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', kept.projectId)
    .executeTakeFirstOrThrow()
  await kysely.deleteFrom('media_files').where('id', '=', purged.id).execute()
  await kysely
    .updateTable('projects')
    .set({ purged_at: new Date() })
    .where('id', '=', purged.projectId)
    .execute()
  const accountId = String(account_id)
  const owners = (one: keyof PlayableFile) =>
    [kept, purged].map((file) => ({ accountId, id: String(file[one]) }))
  clickHouseServer.answers.push(owners('id'), owners('projectId'))
  await eraseSent({ database: server.workerDatabase, clickHouse })
  const deletes = clickHouseServer.statements.filter(({ text }) => text.startsWith('delete'))
  expect(deletes.map(({ text, params }) => [text, params])).toEqual([
    [
      'delete from views where account_id = {account:UInt64} and file_id in {ids:Array(UInt64)}',
      { account: accountId, ids: `[${purged.id}]` },
    ],
    [
      'delete from views where account_id = {account:UInt64} and project_id in {ids:Array(UInt64)}',
      { account: accountId, ids: `[${purged.projectId}]` },
    ],
  ])
})

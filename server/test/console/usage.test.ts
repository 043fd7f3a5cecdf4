import { afterAll, beforeAll, expect, test } from 'vitest'
import { daysUntilFull, forecastOf } from '../../../console/src/usage/forecast.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console
let projectId: number
let fileId: number

beforeAll(async () => {
  server = await startTestServer({ hasMadeUpRecords: true })
  zoetropeConsole = await startConsole(server)
  projectId = (
    await server.call('POST', '/projects', {
      body: { Name: 'Spring campaign', StorageQuotaBytes: 10_000_000 },
    })
  ).body.Id
  const { body } = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Title: 'Opening night' } },
  })
  fileId = body.Id
  // Imitates a file that a worker is encoding, and usage recorded on the days before.
  const { database } = server.services
  await database.sql`
    update media_files set state = 'playable', uploaded_at = now(), encoding_progress = 40, storage_bytes = 9000000,
      source_size_bytes = 5000000, properties = '{"Length": 600}' where id = ${fileId}`
  await database.sql`update projects set storage_bytes = 9000000 where id = ${projectId}`
  await database.sql`
    insert into usage_days (account_id, day, project_id, file_count, playable_seconds, storage_bytes, source_bytes, picture_bytes, caption_bytes)
    select account_id, (now() at time zone 'utc')::date - age, id, 1, 300, 8000000 - age * 200000, 4000000 - age * 100000, 300000, 1000
    from projects cross join generate_series(1, 20) as age where id = ${projectId}`
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

test('usage shows current storage, a chart of the days, and the same values as a table', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/usage', { role: 'Reader' })
  await page.getByText('10 min').first().waitFor()
  await page.getByText('9 MB pinned').waitFor()
  await page.getByText('Evictable', { exact: true }).first().waitFor()
  await page.getByRole('img', { name: 'Storage per day.' }).locator('canvas').waitFor()
  await page.getByRole('link', { name: 'Spring campaign' }).waitFor()
  // At the width of a laptop, the last column is in view.
  const projects = page.locator('.data-table').last()
  expect(await projects.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const days = page.getByRole('table', { name: 'Daily usage' })
  await days.getByRole('cell', { name: '7.8 MB' }).waitFor()
  expect(await days.getByRole('row').count()).toBe(22)
  await page.getByText('16.5 MB').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Show forecast of Spring campaign' }).click()
  await page.getByText(/^At this rate, the quota of 10 MB is used up in 4 days, on /).waitFor()
  await expectSound()
  await close()
})

const dayOf = (age: number, StorageBytes: number) => ({
  Day: new Date(Date.UTC(2026, 2, 31 - age)).toISOString().slice(0, 10),
  StorageBytes,
})

test('the forecast continues the average growth of 28 days, and needs seven', () => {
  const grown = [dayOf(40, 5), dayOf(28, 100), dayOf(10, 500), dayOf(0, 380)]
  expect(forecastOf(grown)).toEqual({ kind: 'known', overDays: 28, bytesPerDay: 10, bytesAhead: 680 })
  expect(forecastOf([dayOf(7, 100), dayOf(0, 30)])).toMatchObject({ overDays: 7, bytesAhead: 0 })
  expect(forecastOf([dayOf(6, 0), dayOf(0, 30)])).toEqual({ kind: 'unknown', historyDays: 6 })
  expect(forecastOf([])).toEqual({ kind: 'unknown', historyDays: 0 })
})

test.each([
  ['in as many days as the rest lasts', 425, 5],
  ['now', 380, 0],
  ['not within a year', 4_031, null],
])('the quota is used up %s', (_when, quota, days) => {
  expect(daysUntilFull(forecastOf([dayOf(28, 100), dayOf(0, 380)]), 380, quota)).toBe(days)
  expect(daysUntilFull(forecastOf([dayOf(28, 380), dayOf(0, 380)]), 380, 381)).toBe(null)
})

test('the queue shows running encodes, and their priority can be changed', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/queue')
  await page.getByRole('link', { name: 'Opening night' }).waitFor()
  await page.getByText('1 file waiting or encoding.').waitFor()
  await page.getByText('next in the queue').waitFor()
  expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
  await expectSound()
  await page.getByRole('textbox', { name: 'Priority of Opening night' }).fill('90')
  await page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  const { body } = await server.call('GET', `/projects/${projectId}/files/${fileId}`)
  expect(body.EncodingPriority).toBe(90)
  await close()
})

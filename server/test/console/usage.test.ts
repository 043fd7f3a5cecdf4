import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console
let projectId: number
let fileId: number

beforeAll(async () => {
  server = await startTestServer({ hasMadeUpRecords: true })
  zoetropeConsole = await startConsole(server)
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Spring campaign' } })).body.Id
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
  await page.getByRole('img', { name: 'Storage per day.' }).locator('canvas').waitFor()
  await page.getByRole('link', { name: 'Spring campaign' }).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  const days = page.getByRole('table', { name: 'Daily usage' })
  await days.getByRole('cell', { name: '7.8 MB' }).waitFor()
  expect(await days.getByRole('row').count()).toBe(22)
  await expectSound()
  await close()
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

test('usage and queue work in dark mode, in German, on a phone', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/usage', {
    role: 'Reader',
    dark: true,
    language: 'de',
    width: 360,
    height: 740,
  })
  await page.getByRole('img', { name: 'Speicher pro Tag.' }).locator('canvas').waitFor()
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.goto(`${server.url}/console/queue`)
  await page.getByRole('link', { name: 'Opening night' }).waitFor()
  await page.getByText('Nächste in der Warteschlange').waitFor()
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console

beforeAll(async () => {
  server = await startTestServer()
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

test('a category is created, renamed, and deleted after a warning with the number of its videos', async () => {
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/catalog')
  forgive(/409/)
  await page.getByRole('button', { name: 'Create entry' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('Nature')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('cell', { name: 'Nature', exact: true }).waitFor()
  const [category] = (await server.call('GET', '/modules/categories')).body.Categories
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Films' } })
  await server.call('POST', `/projects/${project.Id}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Category: [category.Id] } },
  })
  await page.getByRole('button', { name: 'Create entry' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('nature')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('This value is already in use.', { exact: true }).waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit Nature' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('Wildlife')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Wildlife', exact: true }).waitFor()
  expect((await server.call('GET', `/modules/categories/${category.Id}`)).body.Label).toBe('Wildlife')
  await page.reload()
  await page.getByRole('button', { name: 'Delete Wildlife' }).click()
  await page.getByText('The entry is removed from 1 file.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No entries yet.').waitFor()
  expect((await server.call('GET', '/modules/categories')).body.TotalCount).toBe(0)
  await close()
})

test('the buttons of an entry are shown whole in German', async () => {
  const { body: category } = await server.call('POST', '/modules/categories', { body: { Label: 'Sport' } })
  const { page, close } = await zoetropeConsole.visit('/catalog', { language: 'de', width: 1_024 })
  const button = page.getByRole('button', { name: 'Sport bearbeiten' }).locator('.mantine-Button-label')
  expect(await button.evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0)
  await server.call('DELETE', `/modules/categories/${category.Id}`)
  await close()
})

test('a reader finds and reads IAB categories in German, in dark mode, on a phone', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/catalog?kind=iab', {
    role: 'Reader',
    dark: true,
    language: 'de',
    width: 360,
    height: 740,
  })
  await page.getByRole('searchbox', { name: 'Suchen' }).fill('soccer')
  await page.getByRole('cell', { name: 'IAB17-44' }).waitFor()
  await expectSound()
  await page.getByRole('tab', { name: 'Kategorien', exact: true }).click()
  await page.getByText('Noch keine Einträge.').waitFor()
  expect(await page.getByRole('button', { name: 'Neu' }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await close()
})

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

test('the sign-in page names no organization while no provider is connected', async () => {
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/', { as: null })
  forgive(/401/)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByText('Sign in with SSO').count()).toBe(0)
  await expectSound()
  await close()
})

test('an installation without projects offers to create one on Start and on Projects', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/')
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Create project' }).first().waitFor()
  await expectSound()
  await page.goto(`${server.url}/console/projects`)
  await page.getByText('No projects yet').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Create project' }).last().click()
  await page.getByRole('dialog').getByLabel('Name').fill('First')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByText('No files yet').waitFor()
  expect(await page.getByRole('button', { name: 'Upload files', exact: true }).count()).toBe(2)
  await expectSound()
  await close()
})

test('a list shows placeholder rows while it loads', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/')
  const answer = Promise.withResolvers<void>()
  await page.route('**/v3/projects?*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Projects' }).first().click()
  await page.getByRole('status').getByText('Loading …').waitFor()
  await page.mouse.move(900, 700)
  await expectSound()
  answer.resolve()
  await page.getByRole('link', { name: 'First' }).first().waitFor()
  expect(await page.getByText('Loading …').count()).toBe(0)
  await close()
})

test('the library neither wraps nor truncates short values at 1440 pixels', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Sizes' } })
  await server.call('POST', `/projects/${project.Id}/files`, {
    body: {
      FileName: 'a.mp4',
      Metadata: { Title: 'A long title of a film '.repeat(6), ReleaseStatus: 'published' },
    },
  })
  const { page, expectSound, close } = await zoetropeConsole.visit(`/projects/${project.Id}/files`, {
    width: 1440,
    height: 900,
  })
  const cells = page.getByRole('row').nth(1).getByRole('cell')
  await cells.getByText('Published').waitFor()
  const clipped = await page
    .getByRole('row')
    .nth(1)
    .evaluate((row) =>
      [...row.querySelectorAll('td[data-label], td[data-label] *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
        .map((one) => one.textContent),
    )
  expect(clipped).toEqual([])
  await expectSound()
  await close()
})

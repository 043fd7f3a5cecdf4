import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSignInLink } from '../../src/accounts/identity/sign-in-links/sign-in-links.ts'
import { makeSample } from '../support/media.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { startConsole, type Console } from './console.ts'
import { movedElements } from './looks.ts'

let server: TestServer
let zoetropeConsole: Console
let media: Buffer

const makeDemo = async (): Promise<void> => {
  const { body: project } = await server.call('POST', '/projects', {
    body: { Name: 'Demo', DefaultReleaseStatus: 'published' },
  })
  const { body: file } = await server.call('POST', `/projects/${project.Id}/files`, {
    body: { FileName: 'sample.mp4', Metadata: { Title: 'Sample video' } },
  })
  await fetch(file.Upload.URI, { method: 'PUT', body: new Uint8Array(media) })
  await waitFor(
    () => server.call('GET', `/projects/${project.Id}/files/${file.Id}`),
    ({ body }) => body.Playouts[0]?.EmbedURI != null,
  )
}

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  media = await makeSample({ seconds: 3 })
  await makeDemo()
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

test('the printed link signs a new operator in, and the first steps complete themselves', async () => {
  const link = await createSignInLink(server.services.database, server.url)
  const { hash } = new URL(link ?? '')
  const { page, expectSound, close } = await zoetropeConsole.visit(`/signin${hash}`, { as: null })
  await page.getByText('0 of 6 steps done').waitFor()
  expect(page.url()).toBe(`${server.url}/console/`)

  const player = await (await page.waitForSelector('iframe')).contentFrame()
  await player?.waitForLoadState('load')
  await player?.getByRole('button', { name: 'Play' }).first().click()
  await page.getByText('1 of 6 steps done').waitFor()

  await page.getByRole('button', { name: 'Copy embed code' }).click()
  await page.getByText(/^<iframe src="http/).waitFor()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('2 of 6 steps done').waitFor()

  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByRole('button', { name: 'Create API key' }).last().click()
  const curl = await page.getByText(/^curl -H "Authorization: Bearer ey/).textContent()
  const token = /Bearer (\S+)"/.exec(curl ?? '')?.[1] ?? ''
  expect((await server.call('GET', '/projects', { apiKey: token })).status).toBe(200)
  await page.getByText('3 of 6 steps done').waitFor()

  await page.getByRole('button', { name: 'Receive a webhook' }).click()
  await page.getByRole('button', { name: 'Create inspector webhook' }).click()
  await page.getByText('No requests yet.').waitFor()
  await expectSound()

  await page.getByRole('button', { name: 'Upload a file' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.mp4', mimeType: 'video/mp4', buffer: media })
  await page.getByText('5 of 6 steps done').waitFor()
  await page.getByRole('button', { name: /Receive a webhook/ }).click()
  await page.getByRole('button', { name: /file\.new.*Signature valid/ }).click()
  await page.getByText('evt_').filter({ visible: true }).first().waitFor()
  await page.getByText('"Event": "file.new"').waitFor()
  await expectSound()

  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByRole('heading', { name: 'Recent files' }).waitFor()
  expect(await page.getByText('5 of 6 steps done').count()).toBe(0)
  await page.getByRole('region', { name: 'Needs attention' }).getByText('All systems are working.').waitFor()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'First steps' }).click()
  await page.getByText('5 of 6 steps done').waitFor()
  await close()
})

test('a used sign-in link shows a message and leads to the sign-in form', async () => {
  const { page, expectSound, forgive, close } = await zoetropeConsole.visit('/signin#used', { as: null })
  forgive(/401|404/)
  await page.getByRole('heading', { name: 'This sign-in link is not valid' }).waitFor()
  await page.getByText('This link is not valid').waitFor()
  expect(await page.locator('.state > svg').isVisible()).toBe(true)
  await expectSound()
  await page.getByRole('link', { name: 'Sign in with password' }).click()
  await page.getByRole('heading', { name: 'Sign in to Zoetrope' }).waitFor()
  await close()
})

test('a reader sees only the steps that readers may do, in German, dark mode, on a phone', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/', {
    role: 'Reader',
    language: 'de',
    dark: true,
    width: 360,
    height: 740,
  })
  await page.getByText('0 von 2 Schritten erledigt').waitFor()
  await page.getByRole('heading', { name: 'Speicher' }).waitFor()
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await close()
})

test('the overview lists what needs attention in all projects, without layout shifts while it loads', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Second' } })
  const { body: file } = await server.call('POST', `/projects/${project.Id}/files`, {
    body: { FileName: 'broken.mp4', Metadata: { Title: 'Broken film' } },
  })
  await fetch(file.Upload.URI, { method: 'PUT', body: 'no film at all' })
  await waitFor(
    () => server.call('GET', `/projects/${project.Id}/files/${file.Id}`),
    ({ body }) => body.Status === 'failed',
  )
  await server.call('PUT', `/projects/${project.Id}`, { body: { StorageQuotaBytes: 0 } })
  const { body: webhook } = await server.call('POST', '/modules/notifications', {
    body: { Label: 'Dead end', TargetURL: 'http://127.0.0.1:9/', EventTypes: ['project.*'] },
  })
  await server.call('POST', `/modules/notifications/${webhook.Id}/test`)
  await waitFor(
    () => server.call('GET', `/modules/notifications/${webhook.Id}/health`),
    ({ body }) => body.Status !== 'ok',
  )
  const { page, expectSound, close } = await zoetropeConsole.visit('/', { width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.reload()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link', { name: 'Broken film' }).waitFor()
  await attention.getByRole('link', { name: 'Dead end' }).waitFor()
  await attention.getByText('Last request failed: 127.0.0.1 refused the connection on port 9.').waitFor()
  await attention.getByText('100% of 0 bytes used').waitFor()
  await page
    .getByRole('region', { name: 'Recent files' })
    .getByRole('link', { name: 'Sample video' })
    .waitFor()
  expect(await movedElements(page)).toEqual([])
  await expectSound()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await attention.getByRole('link', { name: 'Broken film' }).click()
  await page.waitForURL(/files\/\d+/)
  await close()
})

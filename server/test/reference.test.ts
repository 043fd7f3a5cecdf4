import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWholeBrowser } from './support/browser.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  browser = await openWholeBrowser()
})

afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** Waits until Scalar has rendered and loads nothing more. */
const untilShown = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: 'Zoetrope API' }).waitFor()
  await page.getByText('Webhooks', { exact: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate(
    () => getComputedStyle(document.querySelector('.scalar-app') ?? document.body).backgroundColor,
  )

// One visit covers everything, because a page with the whole API takes ten seconds of CPU to load.
test('the reference shows the whole API in light and dark, tries an operation with an API key, and requests no other server', async () => {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'light' })
  const requested = new Set<string>()
  const complaints: string[] = []
  page.on('request', (sent) => {
    if (sent.url().startsWith('http')) requested.add(new URL(sent.url()).origin)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${server.url}/reference#tag/projects/GET/v3/projects`)
  await untilShown(page)
  expect(await page.title()).toBe('Zoetrope API reference')
  for (const tag of ['Projects', 'Files', 'Playlists', 'Events', 'Notifications', 'API keys', 'Webhooks'])
    expect(await page.getByText(tag, { exact: true }).count()).toBeGreaterThan(0)

  const light = await backgroundOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => backgroundOf(page)).not.toBe(light)

  await page.getByPlaceholder('Token').first().fill(server.apiKey)
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  const answer = page.waitForResponse((response) => response.url().startsWith(`${server.url}/v3/projects`))
  await page.getByRole('button', { name: /Send/ }).first().click()
  expect((await answer).status()).toBe(200)
  // The page does not store the key.
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(kept).not.toContain(server.apiKey)
  expect(complaints).toEqual([])
  expect([...requested]).toEqual([server.url])
})

test('the reference script is served compressed and cacheable', async () => {
  const answer = await fetch(`${server.url}/reference/scalar.js`, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('cache-control')).toContain('max-age')
  expect((await answer.text()).length).toBeGreaterThan(1_000_000)
  const plain = await fetch(`${server.url}/reference/scalar.js`, {
    headers: { 'Accept-Encoding': 'identity' },
  })
  expect(plain.headers.get('content-encoding')).toBeNull()
  await plain.body?.cancel()
})

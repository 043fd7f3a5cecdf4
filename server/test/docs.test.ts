import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let browser: Browser
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
})

afterAll(async () => {
  await closePages(browser)
  await server.stop()
})

const origins = new Set<string>()
const complaints: string[] = []

const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options })
  page.on('request', (sent) => origins.add(new URL(sent.url()).origin))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.url + path)
  return page
}

const violations = (page: Page): Promise<string[]> =>
  page.evaluate(`${axe}; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`)

const small = { viewport: { width: 360, height: 740 } }
const looks: [string, string, BrowserContextOptions][] = [
  ['/docs/errors-and-limits', 'wide and dark', { colorScheme: 'dark' }],
  ['/docs/settings', '360 px and dark', { ...small, colorScheme: 'dark' }],
  ['/docs/search?q=stream+key', 'wide and dark', { colorScheme: 'dark' }],
]

/** The page itself must not scroll sideways: tables and code scroll inside their own boxes. */
const isNotTooWide = async (page: Page): Promise<void> => {
  const { wide, room } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    room: innerWidth,
  }))
  expect(wide).toBeLessThanOrEqual(room)
}

// Each page is checked in the light scheme, in wide view and at a width of 360 px.
test.each(looks)(
  '%s, %s: meets WCAG 2.2 AA and fits the width of the screen',
  async (path, _how, options) => {
    const page = await open(path, options)
    expect(await violations(page)).toEqual([])
    await isNotTooWide(page)
    await page.close()
  },
)

test('typing into the search field leads to the matching section', async () => {
  const page = await open('/docs', { colorScheme: 'light' })
  await isNotTooWide(page)
  await page.getByRole('searchbox').fill('rotate secret')
  await page.locator('#answers').getByText(/found/).waitFor()
  expect(await violations(page)).toEqual([])
  await page.locator('#answers a').first().click()
  await page.waitForURL(/\/docs\/[\w-]+/)
  expect(await page.locator('#answers').isHidden()).toBe(true)
  await page.close()
})

test.each(['data-playout', '/v3/files', '.', '-', 'a|b', '[x', '$&', '\\', '\0', '%', '<b>'])(
  'a search for %s returns a page',
  async (query) => {
    const { status, body } = await request(
      `${server.url}/docs/search?${new URLSearchParams({ q: query })}`,
      'GET',
    )
    expect(status).toBe(200)
    expect(body).not.toContain('<b>')
  },
)

test('the keyboard reaches the search and its results', async () => {
  const page = await open('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('stream key')
  await page.locator('#answers').getByText(/found/).waitFor()
  await page.keyboard.press('ArrowDown')
  const first = page.locator('#answers a').first()
  expect(await first.evaluate((link) => link === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  expect(await page.locator('#answers').isHidden()).toBe(true)
  expect(await page.getByRole('searchbox').evaluate((input) => input === document.activeElement)).toBe(true)
  await page.close()
})

test('a page stores the language that the reader selected, and shows it in every example', async () => {
  const page = await open('/docs/quickstart', { colorScheme: 'light' })
  const shown = page.locator('.tab:visible')
  const names = (): Promise<(string | null)[]> =>
    shown.evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-tab')))
  expect(new Set(await names())).toEqual(new Set(['curl']))
  await page.getByRole('tab', { name: 'curl' }).first().focus()
  await page.keyboard.press('ArrowRight')
  expect(new Set(await names())).toEqual(new Set(['TypeScript']))
  expect(await violations(page)).toEqual([])
  await page.goto(`${server.url}/docs/make-playlists`)
  expect(new Set(await names())).toEqual(new Set(['TypeScript']))
  await page.close()
})

test('without JavaScript, a page shows the examples in all languages', async () => {
  const page = await open('/docs/quickstart', { javaScriptEnabled: false })
  expect(await page.locator('.tab:visible').count()).toBe(await page.locator('.tab').count())
  await page.close()
})

test('search works without JavaScript', async () => {
  const page = await open('/docs', { javaScriptEnabled: false })
  await page.getByRole('searchbox').fill('stream key')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/q=stream/)
  expect(await page.locator('#results li').count()).toBeGreaterThan(2)
  await page.close()
})

test('on a phone, a button opens the table of contents and Escape closes it', async () => {
  const page = await open('/docs/live', { ...small, colorScheme: 'light' })
  await isNotTooWide(page)
  const contents = page.getByRole('navigation', { name: 'Documentation' })
  expect(await contents.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Contents' }).click()
  expect(await contents.getByRole('link', { name: 'Live', exact: true }).getAttribute('aria-current')).toBe(
    'page',
  )
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await contents.isVisible()).toBe(false)
  await page.close()
})

test('the table of contents marks the current heading, including the last one of the page', async () => {
  const page = await open('/docs/webhooks', { colorScheme: 'light' })
  const beside = page.getByRole('complementary', { name: 'On this page' })
  const marked = beside.locator('[aria-current="location"]')
  expect(await marked.count()).toBe(0)
  await beside.getByRole('link', { name: 'Attempts' }).click()
  await expect.poll(() => marked.allTextContents()).toEqual(['Attempts'])
  expect(await violations(page)).toEqual([])
  // The last heading is too near the end of the page to reach the top. The test clicks its link first, then
  // scrolls.
  const last = beside.getByRole('link').last()
  await last.click()
  await expect.poll(() => marked.allTextContents()).toEqual(await last.allTextContents())
  await page.evaluate(() => scrollTo({ top: 0 }))
  await expect.poll(() => marked.count()).toBe(0)
  await page.close()
})

test('the copy button copies a command unchanged', async () => {
  const page = await open('/docs/quickstart', { permissions: ['clipboard-read', 'clipboard-write'] })
  const frame = page.locator('.code').first()
  await frame.getByRole('button', { name: 'Copy' }).click()
  await frame.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('./zoetrope up')
  await page.close()
})

test('the documentation requests nothing from other servers and logs no browser errors', () => {
  expect([...origins]).toEqual([server.url])
  expect(complaints).toEqual([])
})

test('the page policy allows scripts and styles from this server only', async () => {
  const { headers, status } = await request(`${server.url}/docs`, 'GET')
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
  )
  const etag = headers.get('etag') ?? ''
  expect((await request(`${server.url}/docs`, 'GET', { headers: { 'If-None-Match': etag } })).status).toBe(
    304,
  )
})

test.each([
  ['/docs/quickstart.md', 'text/markdown; charset=utf-8', '# Quickstart\n'],
  ['/docs.md', 'text/markdown; charset=utf-8', '# Zoetrope documentation\n'],
  ['/docs/decisions/0014-no-sharp.md', 'text/markdown; charset=utf-8', '# 0014: '],
  ['/docs/changelog.md', 'text/markdown; charset=utf-8', '# Changelog\n'],
  ['/llms.txt', 'text/plain; charset=utf-8', '# Zoetrope\n'],
  ['/docs/pictures/webhook.svg', 'image/svg+xml', '<svg '],
])('%s is served as %s', async (path, type, start) => {
  const { status, headers, body } = await request(server.url + path, 'GET')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(String(body).startsWith(start)).toBe(true)
})

test.each([
  '/docs/nothing',
  '/docs/../server/src/app/main.ts',
  '/docs/..%2f..%2fpackage.json',
  '/docs/README.md',
  '/docs/nothing.md',
  '/docs/pictures/nothing.svg',
  '/docs/pictures/..%2fquickstart.md',
  '/docs/pictures/upload.webp',
  '/docs/%00',
  '/docs/live/',
  `/docs/${'a'.repeat(4_000)}`,
])('%s returns an error and no file', async (path) => {
  const answer = await request(server.url + path, 'GET')
  expect([400, 404, 414]).toContain(answer.status)
  expect(JSON.stringify(answer.body)).not.toContain('@zoetrope')
})

test.each(['%00', '%ff', '<script>alert(1)</script>', 'a'.repeat(1_900), '(((', '.*.*.*.*a'])(
  'a search for %s shows the query as text',
  async (query) => {
    const answer = await request(`${server.url}/docs/search?q=${query}`, 'GET')
    expect([200, 400]).toContain(answer.status)
    expect(JSON.stringify(answer.body)).not.toContain('<script>alert')
  },
)

import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { eventNames } from '@zoetrope/vocabulary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventFamilies } from '../../../console/src/notifications/event-names.ts'
import { newPerson } from '../../src/accounts/identity/test-support/people.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { goodPassword, startConsole, type Console } from './console.ts'
import { differenceFromSnapshot } from './design-snapshot.ts'

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

test('the console offers every event type except the ping', () => {
  const offered = eventFamilies.flatMap(({ names }) => names as readonly string[])
  expect([...offered, 'webhook.ping'].toSorted()).toEqual(eventNames.toSorted())
})

test('the first load is smaller than 340 kB and a font of 50 kB', async () => {
  const dist = new URL('../../../console/dist/', import.meta.url)
  const page = await readFile(new URL('index.html', dist), 'utf8')
  const texts = (await readdir(new URL('assets/', dist))).filter((name) => /^de-.+\.js$/.test(name))
  expect(texts).toHaveLength(1)
  const first = [...page.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, name = '']) => name)
  expect(first.length).toBeGreaterThanOrEqual(2)
  first.push(...texts.map((name) => `assets/${name}`))
  const sizeOf = async (names: readonly string[]): Promise<number> => {
    const sizes = await Promise.all(
      names.map(async (name) => gzipSync(await readFile(new URL(name, dist))).byteLength),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const isFont = (name: string): boolean => name.endsWith('.woff2')
  expect(await sizeOf(first.filter((name) => !isFont(name)))).toBeLessThan(340_000)
  // The font that index.html preloads. That of rare letters loads when a page has some.
  expect(first.filter(isFont)).toHaveLength(1)
  expect(await sizeOf(first.filter(isFont))).toBeLessThan(50_000)
  // Screens are separate chunks, which the first load does not include.
  expect(
    (await readdir(new URL('assets/', dist))).filter((name) => name.includes('-screen-')).length,
  ).toBeGreaterThan(10)
})

test('the page shows the frame of the screens to visitors with a session, until the first screen is there', async () => {
  const withoutSession = await fetch(`${server.url}/console/`)
  expect(await withoutSession.text()).not.toContain('first-frame')
  const { page, close } = await zoetropeConsole.visit('/projects')
  let release = (): void => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/index-*.js', async (route) => {
    await isReleased
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.locator('.first-frame').waitFor()
  const widthPx = () => page.locator('.first-frame, .side-bar').evaluate((bar) => bar.clientWidth)
  // Without its style sheet, which may still be loading, it has the width of the page.
  await expect.poll(widthPx).toBeLessThan(600)
  const frameWidthPx = await widthPx()
  release()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  expect(await page.locator('.first-frame').count()).toBe(0)
  expect(await widthPx()).toBe(frameWidthPx)
  await close()
})

test('signing in with email and password leads to the requested screen, and signing out works', async () => {
  const person = await newPerson(server)
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/projects', { as: null })
  forgive(/401/)
  await expectSound()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  // The first field has the focus; after a failure the password does.
  await page.keyboard.type(person.email)
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password at all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.locator('input[autocomplete=current-password]:focus').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Zoetrope' }).waitFor()
  await close()
})

test('an invitation link leads to a form that signs in, and its token leaves the URL', async () => {
  const { body } = await server.call('POST', '/invitations', {
    body: { Email: `${crypto.randomUUID()}@example.com`, Role: 'Reader' },
  })
  const path = new URL(body.URL).hash
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`/accept${path}`, { as: null })
  forgive(/40[01]/)
  expect(page.url()).toBe(`${server.url}/console/accept`)
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  await page.getByLabel('Your name (optional)').fill('Sam Field')
  await page.getByRole('textbox', { name: 'Password' }).fill('password123')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(/^This value is easy to guess/).waitFor()
  await expectSound()
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  expect(asked.filter((url) => url.includes(body.Token))).toEqual([])
  await close()
})

test('the console shows German to German browsers, in light and dark mode, on a phone', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/projects', {
    language: 'de',
    dark: true,
    width: 360,
    height: 740,
  })
  await page.getByRole('heading', { name: 'Projekte', level: 1 }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  const bar = page.getByRole('navigation', { name: 'Schnellzugriff' })
  await bar.getByRole('button', { name: 'Suche' }).click()
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: 'Menü', exact: true }).click()
  await page.getByRole('link', { name: 'Wiedergabelisten' }).waitFor()
  await page.getByRole('button', { name: /^Benutzermenü/ }).waitFor()
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await close()
})

test('each screen shows its API requests as curl and as SDK calls', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit('/projects')
  await page.getByRole('button', { name: 'Show API requests' }).click()
  await page
    .getByRole('button', { name: /GET \/v3\/projects/ })
    .first()
    .click()
  await page
    .getByText(/^curl '.*projects[^]*-H "Authorization: Bearer \$KEY"$/)
    .first()
    .waitFor()
  await page.getByText('SDK', { exact: true }).click()
  await page
    .getByText(/await zoetrope\.projects\.list\(/)
    .first()
    .waitFor()
  await expectSound()
  await close()
})

test('when a session ends, the screen keeps its input behind the sign-in form and continues afterwards', async () => {
  const person = await newPerson(server)
  const { page, close, forgive } = await zoetropeConsole.visit('/projects', { as: person })
  forgive(/401/)
  await page.getByRole('button', { name: 'Create project' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Half typed')
  await server.call('DELETE', `/sessions/${person.sessionId}`)
  await page.getByRole('dialog', { name: 'Sign in to Zoetrope' }).waitFor()
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
  const asked = page.waitForResponse((answer) => answer.url().includes('/v3/projects?') && answer.ok())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await asked
  await page.getByRole('heading', { name: 'Sign in to Zoetrope' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half typed')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await close()
})

test('a request after the end of a session says so, and succeeds after the sign-in', async () => {
  const person = await newPerson(server)
  const { page, close, forgive } = await zoetropeConsole.visit('/projects', { as: person })
  forgive(/401/)
  await page.getByRole('button', { name: 'Create project' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')
  // The cookie expires, which no event reports.
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in to Zoetrope' }).waitFor({ state: 'detached' })
  await page.getByText('Your session has ended. Sign in, then try again.').waitFor()
  expect(await page.getByText('API key is required').count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed before')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await close()
})

test('signing out applies to all tabs, and the next user sees no data of the previous one', async () => {
  const [first, second] = [await newPerson(server), await newPerson(server, { role: 'Reader' })]
  const { page, close, forgive } = await zoetropeConsole.visit('/projects', { as: first })
  forgive(/401/)
  const other = await page.context().newPage()
  await other.goto(`${server.url}/console/profile`)
  await other.getByText(first.email).first().waitFor()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in to Zoetrope' }).waitFor()
  expect(await other.getByText(first.email).count()).toBe(0)
  await page.getByLabel('E-mail address').fill(second.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await other.getByText(second.email).first().waitFor()
  await close()
})

test('the keyboard opens screens, files and actions from everywhere', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Harbour' } })
  const { body: file } = await server.call('POST', `/projects/${project.Id}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Title: 'Lighthouse keeper' } },
  })
  const { page, expectSound, expectSoundDialog, close } = await zoetropeConsole.visit('/projects')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const isAt = (path: string) => page.waitForURL(`${server.url}/console${path}`)

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('lightho')
  await palette.getByRole('option', { name: 'Lighthouse keeper Harbour' }).waitFor()
  await expectSoundDialog()
  await page.keyboard.press('Enter')
  await isAt(`/projects/${project.Id}/files/${file.Id}`)

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('harb live')
  await palette.getByRole('option', { name: 'Harbour Live stream' }).click()
  await isAt(`/projects/${project.Id}/live`)

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('harb')
  await palette.getByRole('option', { name: 'Harbour Library', selected: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await palette.getByRole('option', { name: 'Harbour Live stream', selected: true }).waitFor()
  // One press closes it, also with a text in the field.
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })

  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await isAt(`/projects/${project.Id}/files`)
  await page.getByRole('row', { name: /Lighthouse/ }).waitFor()
  // Letters in a field are text.
  await page.keyboard.press('/')
  await page.keyboard.type('gh')
  expect(await page.getByRole('searchbox').inputValue()).toBe('gh')
  await page.getByRole('searchbox').fill('')
  await page.getByRole('row', { name: /Lighthouse/ }).focus()
  await page.keyboard.press('x')
  await page.getByText('1 file selected').waitFor()
  // The focus returns to the row when the bar disappears with its button.
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.locator('tr:focus', { hasText: 'Lighthouse' }).waitFor()
  await page.keyboard.press('Enter')
  await isAt(`/projects/${project.Id}/files/${file.Id}`)

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Encode queue').waitFor()
  await expectSoundDialog()

  // Speech input types letters, so they can be turned off (WCAG 2.1.4). Ctrl+K still works.
  await page.getByRole('dialog').getByRole('link', { name: 'Open profile' }).click()
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.getByRole('switch', { name: 'Single-key shortcuts', checked: false }).waitFor()
  await page.reload()
  await page.getByRole('switch', { name: 'Single-key shortcuts', checked: false }).waitFor()
  for (const key of ['?', '/', 'g', 'l']) await page.keyboard.press(key)
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await isAt('/profile')
  await palette.getByRole('combobox').fill('dark')
  await palette.getByRole('option', { name: 'Switch to dark mode' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await expectSound()
  await close()
})

test('without a connection, a screen that is not loaded yet shows an error and loads later', async () => {
  const { page, forgive, expectSound, close } = await zoetropeConsole.visit('/projects')
  forgive(/ERR_INTERNET_DISCONNECTED|Failed to fetch|cannot load the code/)
  await page.context().setOffline(true)
  // A pointer over a link already loads its screen.
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await page.getByRole('alert').getByText('Your input is kept; try again').waitFor()
  expect(page.url()).toMatch(/\/console\/usage$/)
  await page.getByRole('link', { name: 'Usage', exact: true }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  await expectSound()
  await close()
})

test('the console works in a browser that blocks storage', async () => {
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/projects')
  forgive(/storage/i)
  await page.addInitScript(() => {
    const blocked = (): never => {
      throw new DOMException('storage is blocked', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, { get: blocked })
  })
  await page.goto(`${server.url}/console/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Benutzermenü' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await expectSound()
  await close()
})

test('the design page matches its snapshots in light and dark mode, on desktops and phones', async () => {
  const { page, expectSound, expectSoundDialog, close } = await zoetropeConsole.visit('/design', {
    width: 1440,
    height: 900,
  })
  await page.evaluate(() => document.fonts.ready)
  expect(await page.evaluate(() => document.fonts.check("14px 'Inter Variable'"))).toBe(true)
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      await expectSound()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect
        .soft(await differenceFromSnapshot(page, `design-${colorScheme}-${width}`), `${colorScheme} ${width}`)
        .toBeLessThan(3)
    }
  }
  await page.getByRole('button', { name: 'Open drawer' }).click()
  await page.getByRole('dialog', { name: 'Details of an entry' }).waitFor()
  await expectSoundDialog()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change something' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Error toast' }).click()
  await page.getByRole('alert').getByText('It failed.').waitFor()
  await expectSound()
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
  await close()
})

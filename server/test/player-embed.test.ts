import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePicture } from '../src/library/pictures/test-support/sample-pictures.ts'
import { makeLiveStream } from '../src/playback/test-support/live-stream.ts'
import { closePages, openBrowser } from './support/browser.ts'
import { measuredSoFar, measurePlaying, userAgentOfViewers } from './support/measure-playing.ts'
import { makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

/** Tests the player as viewers, screen readers and the embedding page use it. */

const require = createRequire(import.meta.url)
const axeScript = require.resolve('axe-core/axe.min.js')

let server: TestServer
let browser: Browser
let video: {
  readonly projectId: number
  readonly id: number
  readonly playoutId: string
  readonly url: string
}
let sound: typeof video

const upload = async (fileName: string, bytes: Buffer): Promise<typeof video> => {
  const project = await server.call('POST', '/projects', {
    body: { Name: fileName, DefaultReleaseStatus: 'published' },
  })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, {
    body: { FileName: fileName, Metadata: { Title: fileName } },
  })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  const [{ Id: playoutId, EmbedURI: url }] = body.Playouts
  return { projectId: project.body.Id, id: created.body.Id, playoutId, url }
}

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await openBrowser()
  video = await upload('walk.mp4', await makeSample({ seconds: 8, size: '640x360' }))
  // A process reads the dimensions of a project again after a minute.
  await server.call('PUT', `/projects/${video.projectId}`, { body: { AnalyticsDimensions: ['campaign'] } })
  sound = await upload('talk.m4a', await makeSample({ seconds: 3, format: 'm4a', extra: ['-vn'] }))
})

afterAll(async () => {
  await closePages(browser)
  await server.stop()
})

const openPage = async (url: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 }, locale: 'en-GB' })
  await page.goto(url)
  return page
}

const isPast = (page: Page, seconds: number) =>
  page.waitForFunction((target) => (document.querySelector('video')?.currentTime ?? 0) >= target, seconds)

const expectNoBarriers = async (page: Page) => {
  await page.evaluate(await readFile(axeScript, 'utf8'))
  const violations = await page.evaluate(
    `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
  )
  expect(violations).toEqual([])
}

test('the pages of a video and of a stream load at most 25 kB compressed before play, and the engine on play', async () => {
  const page = await browser.newPage()
  const loaded = new Map<string, Buffer>()
  page.on('response', (response) => {
    if (/document|script|stylesheet/.test(response.request().resourceType()))
      void response.body().then((body) => loaded.set(response.url(), body))
  })
  const stream = await makeLiveStream(server)
  const shellOf = async (url: string) => {
    loaded.clear()
    await page.goto(url, { waitUntil: 'networkidle' })
    const sizeBytes = [...loaded.values()].reduce((sum, body) => sum + gzipSync(body).length, 0)
    return { sizeBytes, names: [...loaded.keys()].map((one) => one.slice(one.lastIndexOf('/') + 1)).sort() }
  }
  const live = await shellOf(`${server.url}/embed/${stream.playoutId}`)
  expect(live.names).toEqual([stream.playoutId, 'live.js', 'player.css', 'shared.js'].sort())
  expect(live.sizeBytes).toBeLessThanOrEqual(25_000)
  const file = await shellOf(video.url)
  expect(file.names).toEqual([video.playoutId, 'file.js', 'player.css', 'shared.js'].sort())
  expect(file.sizeBytes).toBeLessThanOrEqual(25_000)
  // The duration is known before any media is loaded.
  expect(await page.locator('.time').textContent()).toBe('0:00 / 0:08')
  const engine = page.waitForRequest('**/engine.js')
  await page.locator('.big-play').click()
  await engine
  await isPast(page, 0.5)
  await page.close()
})

/** Chromium drops events of the pointer while a page appears, so it moves until the player has noticed it. */
const pointAtPlayer = async (page: Page): Promise<void> => {
  let isNoticed = false
  page.on('request', (sent) => {
    isNoticed ||= sent.url().endsWith('/engine.js')
  })
  for (let step = 0; !isNoticed && step < 200; step += 1) {
    await page.mouse.move(320 - (step % 5), 180)
    await delay(25)
  }
}

test.each([
  {
    aim: 'a pointer on the player',
    announce: pointAtPlayer,
    press: (page: Page) => page.mouse.click(320, 180),
  },
  {
    aim: 'the keyboard focus',
    announce: (page: Page) => page.locator('.big-play').focus(),
    press: (page: Page) => page.keyboard.press('Enter'),
  },
])('$aim loads the playlists, and the press the media', async ({ announce, press }) => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  const loaded: string[] = []
  page.on('request', (sent) => loaded.push(new URL(sent.url()).pathname.split('/').at(-1) ?? ''))
  // Before the page opens, because a pointer may be on the player already.
  const quality = page.waitForResponse('**/playlist.m3u8')
  await page.goto(video.url)
  await announce(page)
  await quality
  await page.waitForLoadState('networkidle')
  expect(loaded).toEqual(expect.arrayContaining(['engine.js', 'main.m3u8']))
  expect(loaded.filter((name) => /\.(mp4|m4s)$/.test(name))).toEqual([])
  await press(page)
  await isPast(page, 0.5)
  expect(loaded.filter((name) => name === 'main.m3u8')).toHaveLength(1)
  await page.close()
})

test('a failure before the click is not shown, and the click tries again', async () => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  await page.route('**/main.m3u8', (route) => route.abort())
  const refused = page.waitForEvent('requestfailed')
  await page.goto(video.url)
  await pointAtPlayer(page)
  await refused
  expect(await page.locator('#message').isVisible()).toBe(false)
  await page.unroute('**/main.m3u8')
  await page.mouse.click(320, 180)
  await isPast(page, 0.5)
  await page.close()
})

test('the preview of a position and the settings menu fit an embed of 320 × 180', async () => {
  const page = await openPage(video.url)
  await page.setViewportSize({ width: 320, height: 180 })
  await page.keyboard.press('k')
  await isPast(page, 0.3)
  const inside = (selector: string): Promise<boolean> =>
    page.locator(selector).evaluate((shown) => {
      const { left, top, right } = shown.getBoundingClientRect()
      return left >= 0 && top >= 0 && right <= innerWidth && shown.scrollWidth <= shown.clientWidth
    })
  const seek = (await page.locator('.seek').boundingBox()) ?? { x: 0, y: 0 }
  await expect
    .poll(async () => {
      await page.mouse.move(seek.x + 100 + 40 * Math.random(), seek.y + 10)
      return page.locator('.look .tile').isVisible()
    })
    .toBe(true)
  expect(await inside('.look')).toBe(true)
  await page.getByRole('button', { name: 'Settings' }).click()
  expect(await inside('.panel[role=menu]:not([hidden])')).toBe(true)
  await page.close()
})

test('keys, menus and the seek bar control playback', async () => {
  const page = await openPage(`${video.url}?chapters=0:00 Dawn|0:05 Home&color=ffee00`)
  const state = () =>
    page.evaluate(() => {
      const { currentTime, muted, playbackRate, paused } = document.querySelector('video') as HTMLVideoElement
      return { currentTime, muted, playbackRate, paused }
    })
  await page.keyboard.press('k')
  await isPast(page, 0.3)
  await page.keyboard.press('k')
  await page.keyboard.press('m')
  await page.keyboard.press('>')
  expect(await state()).toMatchObject({ paused: true, muted: true, playbackRate: 1.25 })
  await page.keyboard.press('5')
  await isPast(page, 3.9)
  await page.keyboard.press('ArrowLeft')
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 9) < 2)
  // A menu works by keyboard: it opens at its current choice, moves by arrow keys and returns the focus.
  const chapters = page.getByRole('button', { name: 'Chapters' })
  await chapters.press('Enter')
  await page.keyboard.press('ArrowDown')
  expect(await page.locator(':focus').textContent()).toBe('Home')
  await page.keyboard.press('Enter')
  await isPast(page, 5)
  expect(await chapters.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Settings' }).click()
  await expectNoBarriers(page)
  await page.getByRole('menuitemradio', { name: '0.5×' }).click()
  expect(await state()).toMatchObject({ playbackRate: 0.5 })
  const seekBar = page.getByRole('slider', { name: 'Position' })
  expect(await seekBar.getAttribute('aria-valuetext')).toBe('0:05 of 0:08')
  await page.locator('.seek').hover({ position: { x: 300, y: 12 } })
  expect(await page.locator('.look .name').textContent()).toBe('Dawn')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.close()
})

/** Opens a page of another origin that embeds the player and records its events. */
const openHost = async (
  attributes: string,
): Promise<{ page: Page; received: (event: string) => Promise<unknown>; close: () => Promise<void> }> => {
  const host = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Host</title><body><script>
      const received = []
      addEventListener('message', ({ data }) => received.push(data))
      const send = (fields) => document.querySelector('iframe').contentWindow.postMessage({ zoetrope: 1, ...fields }, '*')
    </script><script src="${server.url}/embed.js" ${attributes} async></script>`)
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const page = await openPage(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`)
  return {
    page,
    received: async (event) => {
      const found = await page.waitForFunction(
        `(() => { const at = received.findIndex((one) => one.event === ${JSON.stringify(event)}); return at < 0 ? null : received.splice(0, at + 1).at(-1) })()`,
      )
      return found.jsonValue()
    },
    close: async () => {
      await page.close()
      host.close()
    },
  }
}

test('one script line embeds the player, and the page controls it by messages', async () => {
  const { page, received, close } = await openHost(
    `data-playout="${video.playoutId}" data-start="2" data-color="e0457b"`,
  )
  expect(await received('ready')).toMatchObject({ zoetrope: 1, kind: 'file', title: 'walk.mp4', duration: 8 })
  const frame = page.locator('iframe')
  expect(await frame.getAttribute('title')).toBe('walk.mp4')
  // The Permissions-Policy of the page takes away nothing that the embedding page grants.
  const granted = await page.frames().at(-1)?.evaluate('document.featurePolicy.allowedFeatures()')
  expect(granted).toEqual(expect.arrayContaining(['autoplay', 'fullscreen', 'picture-in-picture']))
  expect(granted).not.toEqual(expect.arrayContaining(['camera']))
  const box = await frame.boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 9, 1)
  await page.evaluate(`send({ command: 'setMuted', muted: true }); send({ command: 'play' })`)
  await received('play')
  await received('timeupdate')
  await page.evaluate(`send({ command: 'pause' })`)
  await received('pause')
  await page.evaluate(`send({ command: 'seek', seconds: 6 })`)
  expect(await received('seeked')).toMatchObject({ currentTime: 6 })
  await page.evaluate(`send({ command: 'nonsense' }); send({ command: 'getState', id: 'a' })`)
  expect(await received('state')).toMatchObject({
    id: 'a',
    kind: 'file',
    paused: true,
    muted: true,
    currentTime: 6,
    quality: 'auto',
    captions: null,
  })
  await close()
})

test('reports of the player name the site around it, and what the page says about its views', async () => {
  const { page, received, close } = await openHost(
    `data-playout="${video.playoutId}" data-page data-data-campaign="Frühling &amp; mehr"`,
  )
  await received('ready')
  const reported = page.waitForRequest('**/cmcd?**')
  await page.evaluate(`send({ command: 'setMuted', muted: true }); send({ command: 'play' })`)
  const { searchParams } = new URL((await reported).url())
  expect(Object.fromEntries(searchParams)).toEqual({
    player: 'zoetrope',
    page: page.url(),
    'data-campaign': 'Frühling & mehr',
  })
  await received('timeupdate')
  const { host } = new URL(page.url())
  await close()
  const dimensionsOfViews = async () => {
    const rows = await server.services.database.kysely.selectFrom('open_views').select('state').execute()
    return rows.map(({ state }) => (state as { dimensions: Record<string, string> }).dimensions)
  }
  const isOfHost = ({ site }: Record<string, string>) => site === host
  const views = await waitFor(dimensionsOfViews, (found) => found.some(isOfHost))
  expect(views.find(isOfHost)).toEqual({
    ...{ country: 'unknown', device: 'desktop', browser: expect.any(String), os: 'Linux' },
    ...{ player: 'zoetrope', format: 'hls', stream: 'vod', site: host },
    'data-campaign': 'Frühling & mehr',
  })
})

test('the player uses the theme of its project and the chapters of its file unless the page overrides them', async () => {
  const file = `/projects/${video.projectId}/files/${video.id}`
  await server.call('PUT', `/projects/${video.projectId}`, { body: { PlayerTheme: { Color: '#f5c518' } } })
  const { body: chapters } = await server.call('POST', `${file}/captions`, {
    body: {
      ...{ Language: 'en', Kind: 'chapters' },
      Content: 'WEBVTT\n\n00:00.000 --> 00:05.000\nDawn\n\n00:05.000 --> 00:08.000\nThe valley\n',
    },
  })
  const page = await openPage(video.url)
  const bigPlay = page.locator('.big-play')
  const look = () =>
    bigPlay.evaluate((button) => [getComputedStyle(button).backgroundColor, getComputedStyle(button).color])
  expect(await look()).toEqual(['rgb(245, 197, 24)', 'rgb(0, 0, 0)'])
  await page.getByRole('button', { name: 'Chapters' }).click()
  await page.getByText('The valley').waitFor()
  await expectNoBarriers(page)
  await page.getByText('The valley').click()
  await isPast(page, 5)
  // A chapter list must not appear as a captions track.
  expect(await page.getByRole('button', { name: 'Captions' }).isVisible()).toBe(false)
  await page.goto(`${video.url}?color=2f6fdd&chapters=0:02 Of the page`)
  expect(await look()).toEqual(['rgb(47, 111, 221)', 'rgb(255, 255, 255)'])
  await page.getByRole('button', { name: 'Chapters' }).click()
  await page.getByText('Of the page').waitFor()
  await page.close()
  await server.call('DELETE', `${file}/captions/${chapters.Id}`)
})

test('the seek bar shows the most played parts above it, where the project allows it', async () => {
  const { kysely } = server.services.database
  const { account_id } = await kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', video.projectId)
    .executeTakeFirstOrThrow()
  const row = {
    account_id,
    file_id: video.id,
    day: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  }
  const none = { startups: 0, startup_ms: 0, rebuffers: 0, rebuffer_ms: 0, failures: 0, errors: 0, exits: 0 }
  await kysely
    .insertInto('file_view_days')
    .values({
      ...{ ...row, ...none, project_id: video.projectId, views: 10, watch_ms: 80_000 },
      ...{ latencies: 0, latency_ms: 0, bytes: 0, bot_views: 0, preview_views: 0 },
    })
    .execute()
  const parts = Array.from({ length: 100 }, (_, part) => part)
  await kysely
    .insertInto('file_heat_days')
    .values({ ...row, played_ms: parts, reached: parts, views: 10 })
    .execute()
  const path = `/projects/${video.projectId}`
  await server.call('PUT', path, { body: { PlayerTheme: { HasHeatMap: true } } })
  const page = await openPage(video.url)
  const curve = page.locator('.seek .heat')
  expect(await curve.count()).toBe(0)
  await page.locator('.seek').hover()
  await curve.waitFor()
  const [drawn, bar] = [await curve.boundingBox(), await page.locator('.seek').boundingBox()]
  expect((drawn?.y ?? 0) + (drawn?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) / 2)
  const look = await page.locator('.look').boundingBox()
  expect((look?.y ?? 0) + (look?.height ?? 0)).toBeLessThanOrEqual(drawn?.y ?? 0)
  await expectNoBarriers(page)
  await page.locator('.stage').hover({ position: { x: 300, y: 60 } })
  await curve.waitFor({ state: 'hidden' })
  await page.goto(`${video.url}?heatmap=0`)
  await page.locator('.seek').hover()
  await page.locator('.look').waitFor()
  expect(await curve.count()).toBe(0)
  await page.close()
  await server.call('PUT', path, { body: { PlayerTheme: { HasHeatMap: false } } })
  for (const table of ['file_view_days', 'file_heat_days'] as const)
    await kysely.deleteFrom(table).where('file_id', '=', video.id).execute()
})

test('the project logo shows over the controls and on the live page, and opens a new tab', async () => {
  const path = `/projects/${video.projectId}`
  await server.call('PUT', `${path}/logo`, {
    body: {
      Picture: (await makePicture({ extension: 'png', size: '64x32' })).toString('base64'),
      ...{ Position: 'bottom-left', Link: `${server.url}/docs` },
    },
  })
  const page = await openPage(video.url)
  await page.keyboard.press('k')
  await isPast(page, 0.3)
  await page.keyboard.press('k')
  const logo = page.getByRole('link', { name: '127.0.0.1' })
  expect(await logo.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)
  const [seen, bar] = [await logo.boundingBox(), await page.locator('.seek').boundingBox()]
  expect((seen?.y ?? 0) + (seen?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await expectNoBarriers(page)
  const opened = page.context().waitForEvent('page')
  await logo.click()
  expect(await (await opened).evaluate(() => window.opener)).toBe(null)
  await (await opened).close()
  expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true)

  await server.call('GET', `${path}/live/ingest`)
  const { playout_id: playoutId } = await server.services.database.kysely
    .updateTable('live_streams')
    .set({ release_status: 'published' })
    .where('project_id', '=', video.projectId)
    .returning('playout_id')
    .executeTakeFirstOrThrow()
  await page.goto(`${server.url}/embed/${playoutId}`)
  await page.locator('.board').waitFor()
  expect(await logo.isVisible()).toBe(true)
  for (const url of [`${server.url}/embed/${playoutId}`, video.url]) {
    await page.goto(`${url}?logo=0`)
    await page.locator('.board, .controls').first().waitFor()
    expect(await page.locator('.logo').count()).toBe(0)
  }
  await page.close()
  await server.call('DELETE', `${path}/logo`)
})

test('an expired link raises an event, and a renewed token resumes playback', async () => {
  const { kysely } = server.services.database
  const setSecurity = (token_security: boolean) =>
    kysely.updateTable('projects').set({ token_security }).where('id', '=', video.projectId).execute()
  await setSecurity(true)
  const token = (seconds: number) =>
    server.services.tokens.issueViewer(video.playoutId, new Date(Date.now() + seconds * 1_000))
  const { page, received, close } = await openHost(
    `data-playout="${video.playoutId}" data-token="${token(3)}"`,
  )
  await received('tokenExpiring')
  await received('tokenExpired')
  await page.evaluate(`send({ command: 'play' })`)
  const frame = page.frameLocator('iframe')
  await frame.getByText('This link has expired.').waitFor({ state: 'visible' })
  await frame.getByText('Reload this page to get a new link.').waitFor({ state: 'visible' })
  // Pressing play again raises the event again.
  await page.evaluate(`send({ command: 'play' })`)
  await received('tokenExpired')
  await frame.getByText('This link has expired.').waitFor({ state: 'visible' })
  // A page that sends a stale link does not make the player request it without end.
  const asked: string[] = []
  const listen = (sent: { url: () => string }) => asked.push(sent.url())
  page.on('request', listen)
  await page.evaluate(`send({ command: 'setToken', token: ${JSON.stringify(token(-5))} })`)
  await page.evaluate(`send({ command: 'getState', id: 'after' })`)
  await received('state')
  page.off('request', listen)
  expect(asked).toEqual([])
  const renewed = token(600)
  const isRenewed = page.waitForRequest((sent) => sent.url().includes(renewed) && sent.url().endsWith('.m4s'))
  await page.evaluate(`send({ command: 'setToken', token: ${JSON.stringify(renewed)} })`)
  await isRenewed
  await received('timeupdate')
  await frame.locator('#message').waitFor({ state: 'hidden' })
  // The frame URL carries the renewed token, so a reload works too.
  expect(page.frames().map((one) => one.url())).toContainEqual(expect.stringContaining(renewed))
  await close()
  await setSecurity(false)
})

test('a playlist continues under a renewed token after an element was removed', async () => {
  const playlist = await server.call('POST', '/modules/playlists', {
    body: {
      Name: 'Renewed',
      ReleaseStatus: 'published',
      Elements: [{ FileId: video.id }, { FileId: video.id }, { FileId: sound.id }],
    },
  })
  const playoutId: string = playlist.body.Playouts[0].Id
  const token = (seconds: number) =>
    server.services.tokens.issueViewer(playoutId, new Date(Date.now() + seconds * 1_000))
  const { page, received, close } = await openHost(`data-playout="${playoutId}" data-token="${token(600)}"`)
  const lost: string[] = []
  page.on('response', (answer) => answer.status() >= 400 && lost.push(answer.url()))
  await received('ready')
  await page.evaluate(`send({ command: 'setMuted', muted: true }); send({ command: 'play' })`)
  await received('timeupdate')
  await server.call('PUT', `/modules/playlists/${playlist.body.Id}`, {
    body: { Elements: [{ FileId: video.id }, { FileId: video.id }] },
  })
  const renewed = token(1_200)
  const isRenewed = page.waitForResponse(
    (answer) => answer.url().includes(`${renewed}/v/${playoutId}/list/`) && answer.status() === 200,
  )
  await page.evaluate(`send({ command: 'setToken', token: ${JSON.stringify(renewed)} })`)
  await isRenewed
  await page.evaluate(`received.length = 0; send({ command: 'seek', seconds: 10 })`)
  await received('seeked')
  await received('timeupdate')
  expect(lost).toEqual([])
  await close()
})

test('a live page whose link expires says so at once, with an icon, and another attempt where it can succeed', async () => {
  const { playoutId, projectId } = await makeLiveStream(server)
  const setSecurity = (TokenSecurity: boolean) =>
    server.call('PUT', `/projects/${projectId}`, { body: { TokenSecurity } })
  await setSecurity(true)
  const token = () => server.services.tokens.issueViewer(playoutId, new Date(Date.now() + 3_000))
  const page = await openPage(`${server.url}/s/${token()}/embed/${playoutId}`)
  const board = page.locator('.board')
  await board.waitFor()
  expect(await board.getByRole('button').count()).toBe(0)
  await board.getByText('This link has expired.').waitFor()
  expect(await board.locator('svg').count()).toBe(1)
  // Screen readers announce the text alone, without the controls.
  const announced = board.getByRole('status')
  expect(await announced.textContent()).toContain('Open the video again from the page where you found it.')
  expect(await board.getByRole('button').count()).toBe(0)
  await expectNoBarriers(page)
  await page.close()

  const { page: host, close } = await openHost(`data-playout="${playoutId}" data-token="${token()}"`)
  const frame = host.frameLocator('iframe')
  const embedded = frame.getByRole('status').filter({ hasText: 'This link has expired.' })
  await embedded.getByText('Reload this page to get a new link.').waitFor()
  expect(await embedded.getByRole('button').count()).toBe(0)
  const asked = host.waitForRequest('**/status.json')
  await frame.getByRole('button', { name: 'Try again' }).click()
  await asked
  await close()
})

test('a live page without a connection does not claim that the stream has not started', async () => {
  const { playoutId } = await makeLiveStream(server)
  const page = await browser.newPage({ viewport: { width: 640, height: 360 }, locale: 'en-GB' })
  await page.route('**/status.json', (route) => route.abort())
  await page.goto(`${server.url}/embed/${playoutId}`)
  const board = page.locator('.board')
  await board.getByText('No connection.').waitFor()
  expect(await board.locator('svg').count()).toBe(1)
  expect(await page.getByText('The stream has not started yet.').count()).toBe(0)
  await page.unroute('**/status.json')
  await board.getByText('The stream has not started yet.').waitFor()
  await page.close()
})

test('a speed chosen before playback starts is kept', async () => {
  const page = await openPage(video.url)
  await page.keyboard.press('>')
  await page.keyboard.press('k')
  await isPast(page, 0.3)
  expect(await page.evaluate(() => document.querySelector('video')?.playbackRate)).toBe(1.25)
  await page.close()
})

test('a seek bar dragged out and back keeps showing the time', async () => {
  const page = await openPage(video.url)
  const bar = await page.locator('.seek input').boundingBox()
  const [left, middle] = [(bar?.x ?? 0) + 7, (bar?.y ?? 0) + (bar?.height ?? 0) / 2]
  await page.mouse.move(left, middle)
  await page.mouse.down()
  await page.mouse.move(left + 200, middle, { steps: 4 })
  await page.mouse.move(left - 5, middle, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.press('k')
  await isPast(page, 1.2)
  expect(await page.locator('.time').textContent()).not.toBe('0:00 / 0:08')
  await page.close()
})

test('keys that are held down toggle once', async () => {
  const page = await openPage(video.url)
  for (let count = 0; count < 4; count += 1) await page.keyboard.down('m')
  await page.keyboard.up('m')
  expect(await page.evaluate(() => document.querySelector('video')?.muted)).toBe(true)
  await page.close()
})

test('pressing play retries an engine that failed to load', async () => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  // Before the page opens, because it may load the engine before a key is pressed.
  await page.route('**/engine.js*', (route) => route.abort())
  await page.goto(video.url)
  await page.keyboard.press('k')
  await page.locator('#message').waitFor({ state: 'visible' })
  await page.unroute('**/engine.js*')
  await page.keyboard.press('k')
  await isPast(page, 0.3)
  await page.close()
})

test('axe finds no barrier in audio, playlist, pre-live and missing-video pages', async () => {
  const playlist = await server.call('POST', '/modules/playlists', {
    body: {
      Name: 'List',
      ReleaseStatus: 'published',
      Elements: [{ FileId: video.id }, { FileId: sound.id }],
    },
  })
  const stream = await makeLiveStream(server)
  const live = `${server.url}/embed/${stream.playoutId}`
  for (const url of [sound.url, playlist.body.Playouts[0].EmbedURI, live, `${server.url}/embed/nothing`]) {
    const page = await openPage(url)
    await expectNoBarriers(page)
    await page.close()
  }
})

test('a shared link starts at the current time, and signed pages share only an address that they are given', async () => {
  const page = await openPage(`${video.url}?t=0m3s`)
  expect(await page.locator('.time').textContent()).toBe('0:03 / 0:08')
  await page.keyboard.press('k')
  await isPast(page, 3.2)
  expect(await page.evaluate(() => document.querySelector('video')?.currentTime)).toBeLessThan(6)
  await page.keyboard.press('k')
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Share' })
  const link = dialog.getByRole('textbox', { name: 'Link' })
  await link.waitFor()
  expect(await link.inputValue()).toMatch(new RegExp(`^${video.url}\\?t=[3-5]$`))
  expect(await page.locator(':focus').textContent()).toBe('Copy link')
  await expectNoBarriers(page)
  await page.keyboard.press('Enter')
  await dialog.getByText('Copied.').waitFor()
  await dialog.getByRole('checkbox').uncheck()
  expect(await link.inputValue()).toBe(video.url)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const token = server.services.tokens.issuePreview(video.playoutId, new Date(Date.now() + 60_000))
  const signed = video.url.replace('/embed/', `/s/${token}/embed/`)
  const share = page.getByRole('button', { name: 'Share' })
  await page.goto(signed)
  await page.locator('.controls').waitFor()
  expect(await share.isVisible()).toBe(false)
  await page.goto(`${signed}?share=${encodeURIComponent('https://www.example.com/spring?a=b')}`)
  await share.click()
  expect(await link.inputValue()).toBe('https://www.example.com/spring?a=b')
  await page.goto(`${video.url}?share=0`)
  await page.locator('.controls').waitFor()
  expect(await share.isVisible()).toBe(false)
  await page.close()
})

test('volume is remembered after the viewer changed it, unless the page says otherwise or storage is blocked', async () => {
  const context = await browser.newContext({ viewport: { width: 640, height: 360 }, locale: 'en-GB' })
  const page = await context.newPage()
  const soundOf = () =>
    page.evaluate(() => {
      const { volume, muted } = document.querySelector('video') as HTMLVideoElement
      return [Math.round(volume * 100), muted]
    })
  const kept = () => page.evaluate(() => localStorage.getItem('zoetrope-player'))
  await page.goto(`${video.url}?muted=1`)
  expect(await kept()).toBeNull()
  await page.keyboard.press('m')
  for (let count = 0; count < 4; count += 1) await page.keyboard.press('ArrowDown')
  expect(JSON.parse((await kept()) ?? '')).toEqual({ volume: 0.8, isMuted: false })
  await page.goto(video.url)
  expect(await soundOf()).toEqual([80, false])
  await page.keyboard.press('m')
  await page.goto(video.url)
  expect(await soundOf()).toEqual([80, true])
  await page.goto(`${video.url}?muted=0`)
  expect(await soundOf()).toEqual([80, false])
  await page.goto(`${video.url}?remember=0`)
  expect(await soundOf()).toEqual([100, false])
  await page.keyboard.press('m')
  expect(await page.evaluate(() => localStorage.length)).toBe(1)

  // As in a frame of another site whose storage the browser blocks.
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    }),
  )
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  await page.goto(video.url)
  await page.keyboard.press('m')
  expect(await soundOf()).toEqual([100, true])
  expect(failures).toEqual([])
  await context.close()
})

test('the system shows title, picture and position, and its keys control playback', async () => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  await page.addInitScript(() => {
    const handlers: Record<string, unknown> = {}
    Object.assign(window, { handlers })
    MediaSession.prototype.setActionHandler = (action, handler) => {
      // A browser that does not know an action throws.
      if (action === 'stop') throw new TypeError('unknown')
      handlers[action] = handler
    }
    MediaSession.prototype.setPositionState = (state) => void Object.assign(window, { position: state })
  })
  await page.goto(video.url)
  await page.evaluate('handlers.play()')
  await isPast(page, 0.2)
  await page.evaluate('handlers.seekto({ seekTime: 5 })')
  await isPast(page, 5)
  await page.waitForFunction(() => {
    const { position } = window as { position?: MediaPositionState }
    return (position?.position ?? 0) >= 5 && (position?.duration ?? 0) > 7.9
  })
  await page.evaluate('handlers.seekbackward({ seekOffset: 4 })')
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 9) < 4)
  await page.evaluate('handlers.pause()')
  const facts = await page.evaluate(() => {
    const { title, artwork } = navigator.mediaSession.metadata as MediaMetadata
    return { title, pictures: artwork.map(({ src }) => src) }
  })
  expect(facts.title).toBe('walk.mp4')
  expect(facts.pictures).toEqual([expect.stringMatching(/\/p\/[^/]+\/poster\.jpg$/)])
  await page.close()
})

test('a refused page states the reason and a support id in the language of the viewer, and opens with a renewed link', async () => {
  await server.call('PUT', `/projects/${video.projectId}`, { body: { TokenSecurity: true } })
  const { tokens } = server.services
  const token = (seconds: number) =>
    tokens.issueViewer(video.playoutId, new Date(Date.now() + seconds * 1_000))
  const { page, received, close } = await openHost(
    `data-playout="${video.playoutId}" data-token="${token(-60)}" data-lang="de"`,
  )
  expect(await received('tokenExpired')).toMatchObject({
    reason: 'expired',
    message: 'Dieser Link ist abgelaufen.',
    supportId: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
  })
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Dieser Link ist abgelaufen.' }).waitFor()
  await frame.getByText(/^Support-ID: [0-9A-Z-]{9}$/).waitFor()
  await frame.getByRole('button', { name: 'Erneut versuchen' }).click()
  await received('tokenExpired')
  await page.evaluate(`send({ command: 'setToken', token: ${JSON.stringify(token(600))} })`)
  expect(await received('ready')).toMatchObject({ kind: 'file' })
  await close()
  await server.call('PUT', `/projects/${video.projectId}`, { body: { TokenSecurity: false } })
})

test('a refused link on a page of its own offers no attempt that cannot succeed', async () => {
  const page = await openPage(`${server.url}/s/kp1.zzzzzz.AAAA/embed/${video.playoutId}`)
  await page.getByRole('heading', { name: 'This link is not valid.' }).waitFor()
  await page.getByText(/^Support ID: /).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  await expectNoBarriers(page)
  await page.close()
})

test('a site that is not allowed shows that it may not embed the video', async () => {
  const allow = (AllowedDomains: string[]) =>
    server.call('PUT', `/projects/${video.projectId}`, { body: { AllowedDomains } })
  await allow(['example.com'])
  const { page, received, close } = await openHost(`data-playout="${video.playoutId}" data-lang="de"`)
  expect(await received('error')).toMatchObject({ code: 'refused', reason: 'site' })
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Diese Website darf das Video nicht zeigen.' }).waitFor()
  expect(await frame.getByRole('button').count()).toBe(0)
  await close()
  await allow([])
})

test('a video before its release counts down and starts at its moment', async () => {
  const path = `/projects/${video.projectId}/files/${video.id}/metadata`
  const setStart = (date: string | null) => server.call('PUT', path, { body: { IsPublicAt: date } })
  await setStart(new Date(Date.now() + 90 * 60_000).toISOString())
  const page = await openPage(video.url)
  await page.getByRole('heading', { name: /^Available from / }).waitFor()
  expect(await page.getByRole('timer').isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await expectNoBarriers(page)
  await setStart(new Date(Date.now() + 3_000).toISOString())
  await page.reload()
  expect(await page.getByRole('timer').textContent()).toMatch(/^Starts in 0:0\d$/)
  await isPast(page, 0.3)
  await page.close()
  await setStart(null)
})

test('a lost connection shows a message, and the video continues by itself', async () => {
  const page = await openPage(video.url)
  await page.context().setOffline(true)
  await page.keyboard.press('k')
  await page.getByText('No connection.').waitFor()
  expect(await page.locator('.controls').isVisible()).toBe(false)
  await expectNoBarriers(page)
  await page.context().setOffline(false)
  await isPast(page, 0.3)
  expect(await page.locator('#message').isHidden()).toBe(true)
  await page.close()
})

test('a connection lost in the middle shows a message where the buffer ends, and playback continues there', async () => {
  const page = await openPage(video.url)
  let requests = 0
  await page.route('**/*.m4s', (route) => ((requests += 1) > 2 ? route.abort() : route.continue()))
  await page.keyboard.press('k')
  await isPast(page, 0.3)
  await page.context().setOffline(true)
  await page.evaluate(() => {
    const media = document.querySelector('video')
    if (media !== null) media.currentTime = 6
  })
  await page.getByText('No connection.').waitFor()
  await page.unroute('**/*.m4s')
  await page.context().setOffline(false)
  await isPast(page, 6.5)
  expect(await page.locator('#message').isHidden()).toBe(true)
  await page.close()
})

test('a video that is deleted while it plays says so where the buffer ends, without many attempts', async () => {
  const gone = await upload('gone.mp4', await makeSample({ seconds: 20, size: '320x180' }))
  const page = await openPage(gone.url)
  const deleted = Promise.withResolvers<void>()
  await page.route('**/*.m4s', async (route) => {
    if (!route.request().url().endsWith('/0.m4s')) await deleted.promise
    await route.continue()
  })
  let missingCount = 0
  page.on('response', (response) => {
    if (response.url().endsWith('.m4s') && response.status() === 404) missingCount += 1
  })
  await page.locator('.big-play').click()
  await isPast(page, 0.3)
  await server.call('DELETE', `/projects/${gone.projectId}/files/${gone.id}`)
  deleted.resolve()
  await page.getByText('This video is not available').waitFor()
  expect(missingCount).toBeGreaterThan(0)
  // Video and audio, and at most one more attempt for each.
  expect(missingCount).toBeLessThanOrEqual(4)
  await page.close()
})

test('after a seek within the buffer, no message covers the picture, and a video that has ended stays at its end', async () => {
  const page = await openPage(video.url)
  await page.keyboard.press('k')
  await page.waitForFunction(() => {
    const media = document.querySelector('video')
    return media !== null && media.buffered.length > 0 && media.buffered.end(0) > media.duration - 0.1
  })
  await page.context().setOffline(true)
  for (const key of ['5', '7', '8']) await page.keyboard.press(key)
  await isPast(page, 7)
  expect(await page.locator('#message').isHidden()).toBe(true)
  await page.waitForFunction(() => document.querySelector('video')?.ended === true)
  await page.context().setOffline(false)
  // The player asks for the connection every three seconds.
  await delay(4_000)
  expect(await page.evaluate(() => document.querySelector('video')?.ended)).toBe(true)
  await page.close()
})

test('a link that begins after the end of the video plays from its beginning', async () => {
  const page = await openPage(`${video.url}?t=99&autoplay=1&muted=1`)
  await isPast(page, 0.3)
  expect(await page.evaluate(() => document.querySelector('video')?.currentTime)).toBeLessThan(7)
  await page.close()
})

test('a tap on the picture shows the controls and presses none of them', async () => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await page.goto(`${video.url}?autoplay=1&muted=1&loop=1`)
  await isPast(page, 0.3)
  const hidden = page.locator('.stage.idle')
  await hidden.waitFor()
  const play = await page.getByRole('button', { name: 'Pause' }).boundingBox()
  await page.touchscreen.tap(play!.x + play!.width / 2, play!.y + play!.height / 2)
  await delay(500)
  expect(await hidden.count()).toBe(0)
  expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(false)
  await page.getByRole('button', { name: 'Pause' }).tap()
  await page.waitForFunction(() => document.querySelector('video')?.paused === true)
  await context.close()
})

test('a video without a playable codec shows a message and reports the problem', async () => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 }, locale: 'en-GB' })
  // Before the page opens, because the pointer may already be on the player, which then loads the playlists.
  await page.route('**/main.m3u8', async (route) => {
    const text = await (await route.fetch()).text()
    await route.fulfill({ body: text.replaceAll(/avc1\.\w+/g, 'hvc1.9.9') })
  })
  await page.goto(video.url)
  const report = page.waitForRequest('**/problems')
  await page.keyboard.press('k')
  await page.getByText('This browser cannot play the format of this video.').waitFor()
  expect((await report).postDataJSON()).toMatchObject({ Reason: 'codec' })
  await page.getByText(/^Support ID: /).waitFor()
  expect(await page.locator(':focus').count()).toBe(0)
  await page.unroute('**/main.m3u8')
  await page.getByRole('button', { name: 'Try again' }).click()
  await isPast(page, 0.3)
  await page.close()
})

test('a browser without Media Source Extensions and HLS says so, without another attempt', async () => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 }, locale: 'de' })
  await page.addInitScript(
    `delete window.MediaSource; delete window.ManagedMediaSource; HTMLMediaElement.prototype.canPlayType = () => ''`,
  )
  await page.goto(video.url)
  await page.keyboard.press('k')
  const message = page.locator('#message')
  await message.getByText('Dieser Browser kann keine HLS-Videos abspielen.').waitFor()
  await message.getByText(/^Support-ID: /).waitFor()
  expect(await message.getByRole('button').count()).toBe(0)
  await page.close()
})

test('without controls, a video does not start by itself for viewers who prefer reduced motion', async () => {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await page.goto(`${video.url}?controls=0&autoplay=1`)
  await page.locator('.big-play').waitFor()
  expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true)
  await page.locator('.big-play').click()
  await isPast(page, 0.3)
  await page.close()
})

test('the player reports what it plays: watch time, start and heat map agree with the page', async () => {
  const page = await browser.newPage({ userAgent: userAgentOfViewers })
  await page.addInitScript(measurePlaying)
  await page.goto(video.url)
  await page.locator('.big-play').click()
  await isPast(page, 2.5)
  await page.evaluate(() => {
    const one = document.querySelector('video')
    if (one !== null) one.currentTime = 6
  })
  await page.waitForFunction(() => document.querySelector('video')?.ended === true)
  const { playedMs } = await page.evaluate(measuredSoFar)
  const isUpscaled = await page.evaluate(() => {
    const { clientWidth = 0, videoWidth = 0 } = document.querySelector('video') ?? {}
    return clientWidth > videoWidth
  })
  await page.goto('about:blank')
  await page.close()
  const path = `/projects/${video.projectId}/files/${video.id}/analytics`
  const list = await waitFor(
    () => server.call('GET', `/analytics/sessions?fileId=${video.id}`),
    ({ body }) => body.Views.length > 0,
  )
  const [view] = list.body.Views
  expect(view).toMatchObject({
    Kind: 'viewer',
    Source: 'reports',
    HasStarted: true,
    HasFailed: false,
    Site: 'direct',
  })
  expect(Math.abs(view.WatchSeconds * 1_000 - playedMs)).toBeLessThan(Math.max(playedMs * 0.01, 60))
  expect(view.StartupMs).toBeGreaterThan(0)
  expect(view.BitRate).toBeGreaterThan(10_000)
  expect(view.UpscaledSeconds).toBeCloseTo(isUpscaled ? view.WatchSeconds : 0, 1)
  expect((await server.call('GET', path)).body).toMatchObject({
    Views: 1,
    UniqueViewers: 1,
    Rebuffers: view.Rebuffers,
  })
  const { Parts } = (await server.call('GET', `${path}/heatmap`)).body
  const plays = (second: number): number => Parts[Math.floor(second * 12.5)].Plays
  expect([plays(1), plays(5), plays(7)].map(Math.round)).toEqual([1, 0, 1])
})

test('a page that is left sends one last report, and begins another view when it returns', async () => {
  const page = await browser.newPage()
  await page.addInitScript(() => {
    const sent: string[] = []
    Object.assign(self, { sent })
    navigator.sendBeacon = (_url, body) => sent.push(typeof body === 'string' ? body : '') > 0
  })
  await page.goto(video.url)
  await page.locator('.big-play').click()
  await isPast(page, 0.5)
  const sent = await page.evaluate(() => {
    const { sent: beacons } = self as unknown as { sent: string[] }
    beacons.length = 0
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    document.dispatchEvent(new Event('visibilitychange'))
    const before = [...beacons]
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    document.dispatchEvent(new Event('visibilitychange'))
    return [before, beacons.slice(before.length)]
  })
  await page.close()
  expect(sent.map(({ length }) => length)).toEqual([1, 1])
  const [last, first] = sent.map(([text = '']) => text.split('\n'))
  expect(last?.at(-1)).toContain('sta=q')
  const sessionOf = (line = '') => /sid="(\w+)"/.exec(line)?.[1]
  expect(sessionOf(first?.[0])).toMatch(/^\w{32}$/)
  expect(sessionOf(first?.[0])).not.toBe(sessionOf(last?.[0]))
})

test('the player sends no reports from a page of a server that collects nothing', async () => {
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  await page.route(video.url, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('id="player"', '$& data-analytics-off')
    await route.fulfill({ response: answer, body })
  })
  await page.goto(video.url)
  await page.locator('.big-play').click()
  await isPast(page, 4)
  await page.close()
  expect(asked.filter((url) => /cmcd|view-reports/.test(url))).toEqual([])
})

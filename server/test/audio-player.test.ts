import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { makeMedia } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let server: TestServer
let browser: Browser
let filesPath: string
let embed: string

const upload = async (name: string, source: Buffer) => {
  const created = await server.call('POST', filesPath, { body: { FileName: name } })
  await request(created.body.Upload.URI, 'PUT', { body: source })
  const { body } = await waitFor(
    () => server.call('GET', `${filesPath}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  return body
}

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await openBrowser()
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Languages', DefaultReleaseStatus: 'published' },
  })
  filesPath = `/projects/${project.body.Id}/files`
  const source = await makeMedia([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=8'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=300:duration=8'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=600:duration=8'],
    ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '50'],
    ...['-c:a', 'aac', '-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger'],
  ])
  const file = await upload('languages.mp4', source)
  embed = file.Playouts[0].EmbedURI
})

afterAll(async () => {
  await closePages(browser)
  await server.stop()
})

const open = async (query: string): Promise<{ page: Page; loaded: string[] }> => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  const loaded: string[] = []
  page.on('request', (sent) => loaded.push(new URL(sent.url()).pathname))
  await page.goto(`${embed}?preload=1&lang=en${query}`)
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0)
  return { page, loaded }
}

const menuOf = (page: Page) => page.getByRole('button', { name: 'Audio', exact: true })
const items = (page: Page) =>
  page
    .getByRole('menu', { name: 'Audio' })
    .getByRole('menuitemradio')
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('aria-checked')]))

test('the audio menu lists the tracks by language and switches by keyboard', async () => {
  const { page } = await open('')
  await menuOf(page).focus()
  await page.keyboard.press('Enter')
  expect(await items(page)).toEqual([
    ['English', 'true'],
    ['Deutsch', 'false'],
  ])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await menuOf(page).evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await items(page)).toEqual([
    ['English', 'false'],
    ['Deutsch', 'true'],
  ])
  await page.close()
})

test('?audio=de plays the German track and never loads the default track', async () => {
  const english = await open('')
  const german = await open('&audio=de')
  await menuOf(german.page).click()
  expect(await items(german.page)).toContainEqual(['Deutsch', 'true'])
  const segments = ({ loaded }: { readonly loaded: readonly string[] }) =>
    new Set(loaded.filter((path) => path.endsWith('.m4s')).map((path) => path.split('/').at(-2)))
  await waitFor(
    async () => [segments(english).size, segments(german).size],
    (counts) => counts.every((count) => count === 2),
  )
  expect(segments(german)).not.toEqual(segments(english))
  await english.page.close()
  await german.page.close()
})

test('the embedding page selects the audio track and receives the change as an event', async () => {
  const page = await browser.newPage()
  await page.route('**/host-page', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><iframe width=640 height=360></iframe>',
    }),
  )
  await page.goto(`${server.url}/host-page`)
  const seen = await page.evaluate(
    (src) =>
      new Promise<unknown[]>((resolve) => {
        const frame = document.querySelector('iframe')!
        const send = (fields: object) => frame.contentWindow?.postMessage({ zoetrope: 1, ...fields }, '*')
        const changes: unknown[] = []
        addEventListener('message', ({ data }) => {
          if (data?.zoetrope !== 1) return
          if (data.event === 'audiochange') {
            changes.push(data.language)
            if (data.language === 'en') send({ command: 'setAudio', language: 'de-AT' })
            if (data.language === 'de') send({ command: 'getState', id: 1 })
          }
          if (data.event === 'state') resolve([changes, data.audio, data.audioLanguages])
        })
        frame.src = src
      }),
    `${embed}?preload=1`,
  )
  expect(seen).toEqual([['en', 'de'], 'de', ['en', 'de']])
  await page.close()
})

test.each([
  ['a song with cover art', 'song.mp3', ['-c:v', 'mjpeg', '-disposition:v', 'attached_pic', '-f', 'mp3']],
  ['a video of one frame', 'podcast.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']],
])('%s plays as audio, and its picture is the poster', async (_what, name, output) => {
  const source = await makeMedia([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=0.04'],
    ...['-f', 'lavfi', '-i', 'sine=duration=6', '-map', '0', '-map', '1', ...output],
  ])
  const file = await upload(name, source)
  expect(file).toMatchObject({ Status: 'finished', Properties: { VideoWidth: null } })
  const { URI } = file.Metadata.StandardFilePicture
  expect((await request(URI, 'GET')).headers.get('content-type')).toBe('image/jpeg')
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  await page.goto(`${file.Playouts[0].EmbedURI}?preload=1&lang=en`)
  await page.getByRole('button', { name: 'Play' }).first().click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 3)
})

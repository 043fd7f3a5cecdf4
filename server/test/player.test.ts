import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { makeLateSound, makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await openBrowser()
})

afterAll(async () => {
  await closePages(browser)
  await server.stop()
})

interface Watched {
  readonly page: Page
  readonly hosts: Set<string>
  readonly complaints: string[]
}

const openPage = async (url: string): Promise<Watched> => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  const hosts = new Set<string>()
  const complaints: string[] = []
  page.on('request', (sent) => {
    if (sent.url().startsWith('http')) hosts.add(new URL(sent.url()).host)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, hosts, complaints }
}

const playTo = async (page: Page, seconds: number) => {
  await page.locator('.big-play').click()
  await page.waitForFunction(
    (target) => (document.querySelector('video')?.currentTime ?? 0) >= target,
    seconds,
  )
  return page.evaluate(() => {
    const video = document.querySelector('video')
    return { width: video?.videoWidth, height: video?.videoHeight, durationSeconds: video?.duration ?? 0 }
  })
}

const upload = async (fileName: string, bytes: Buffer, metadata: object) => {
  const project = await server.call('POST', '/projects', { body: { Name: fileName } })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, { body: { FileName: fileName, Metadata: metadata } })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  return `${path}/${created.body.Id}`
}

const until = (path: string, isThere: (file: { IsPlayable: boolean; IsFinished: boolean }) => boolean) =>
  waitFor(
    () => server.call('GET', path),
    ({ body }) => isThere(body),
  )

test('a published video plays on its embed page without errors and without requests to other hosts', async () => {
  const path = await upload('clip.mp4', await makeSample({ seconds: 6, size: '640x360' }), {
    ReleaseStatus: 'published',
  })
  const { body: file } = await until(path, ({ IsFinished }) => IsFinished)
  const { page, hosts, complaints } = await openPage(file.Playouts[0].EmbedURI)
  const video = await playTo(page, 3)
  expect(video).toMatchObject({ width: 640, height: 360 })
  expect(video.durationSeconds).toBeCloseTo(6, 0)
  expect([...hosts]).toEqual([new URL(server.url).host])
  expect(complaints).toEqual([])
  await page.close()
})

test('the player shows the first frame of a passthrough source with late sound', async () => {
  const path = await upload('late-sound.mp4', await makeLateSound({ fromSeconds: 1.98 }), {
    ReleaseStatus: 'published',
  })
  const { body: file } = await until(path, ({ IsPlayable }) => IsPlayable)
  const { page } = await openPage(file.Playouts[0].EmbedURI)
  const firstPicture = page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        document
          .querySelector('video')!
          .requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime)),
      ),
  )
  await playTo(page, 2.5)
  expect(await firstPicture).toBeLessThan(0.01)
  // Without a gap at the start, the player has nothing to seek over.
  expect(await page.evaluate(() => document.querySelector('video')!.buffered.start(0))).toBeLessThan(0.01)
  await page.close()
})

test('a source plays while it is still being encoded', async () => {
  const bytes = await makeSample({
    seconds: 40,
    size: '854x480',
    videoCodec: 'mpeg4',
    format: 'mkv',
    extra: ['-q:v', '3'],
  })
  const path = await upload('in-progress.mkv', bytes, { ReleaseStatus: 'published' })
  const { body: file } = await until(path, ({ IsPlayable }) => IsPlayable)
  const { page } = await openPage(file.Playouts[0].EmbedURI)
  await playTo(page, 2)
  const later = await server.call('GET', path)
  expect(later.body.IsPlayable).toBe(true)
  await page.close()
  // Ends the encode, which the other tests do not need.
  await server.call('DELETE', path)
})

test('an unpublished video plays on the signed preview page, which escapes a hostile title', async () => {
  const title = `</title><script>window.hacked = true</script><img src=x onerror="window.hacked = true">`
  const path = await upload('draft.mp4', await makeSample({ seconds: 4 }), { Title: title })
  const { body: file } = await until(path, ({ IsPlayable }) => IsPlayable)
  expect((await request(file.Playouts[0].EmbedURI, 'GET')).status).toBe(404)
  const playouts = await server.call('GET', `${path}/playouts`)
  const { page } = await openPage(playouts.body.Playouts[0].Preview.EmbedURI)
  await playTo(page, 1)
  expect(await page.title()).toBe(title)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await page.close()
})

test('a video that fails to load shows a message and plays once it loads', async () => {
  const path = await upload('taken-back.mp4', await makeSample({ seconds: 2 }), {
    ReleaseStatus: 'published',
  })
  const { body: file } = await until(path, ({ IsPlayable }) => IsPlayable)
  const page = await browser.newPage()
  // Imitates a file that is unpublished between the requests for the page and the playlist.
  await page.route('**/main.m3u8', (route) => route.fulfill({ status: 404 }))
  await page.goto(file.Playouts[0].EmbedURI)
  await page.locator('.big-play').click()
  await page.getByText('This video cannot be played right now.').waitFor()
  // The server knows whether it is still published.
  await server.call('PUT', `${path}/metadata`, { body: { ReleaseStatus: 'draft' } })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This video is not available.').waitFor()
  await server.call('PUT', `${path}/metadata`, { body: { ReleaseStatus: 'published' } })
  await page.unroute('**/main.m3u8')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  expect(await page.locator('#message').isHidden()).toBe(true)
  await page.close()
})

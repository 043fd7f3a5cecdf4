import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { makeSample } from './support/media.ts'
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

const upload = async (fileName: string, bytes: Buffer, releaseStatus = 'published') => {
  const project = await server.call('POST', '/projects', { body: { Name: fileName } })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, {
    body: { FileName: fileName, Metadata: { ReleaseStatus: releaseStatus } },
  })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  return { path: `${path}/${created.body.Id}`, file: body }
}

const addCaptions = async (path: string, body: object) => {
  const answer = await server.call('POST', `${path}/captions`, { body })
  expect(answer.status).toBe(201)
  return answer.body
}

const openPage = async (url: string): Promise<{ page: Page; complaints: string[] }> => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  // The player loads no media before play, unless the page asks for preload.
  await page.goto(`${url}?preload=1`)
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0)
  return { page, complaints }
}

/** Pauses, seeks, and waits until the frame at this time is presented. */
const seek = (page: Page, seconds: number) =>
  page.evaluate(async (target) => {
    const video = document.querySelector('video')
    if (video === null) return
    video.pause()
    await new Promise((resolve) => {
      video.addEventListener('seeked', resolve, { once: true })
      video.currentTime = target
    })
  }, seconds)

const shownText = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])]
      .filter(({ mode }) => mode === 'showing')
      .flatMap(({ activeCues }) => [...(activeCues ?? [])].map((cue) => (cue as VTTCue).text)),
  )

const tracksOf = (page: Page) =>
  page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])].map(({ label, language, kind, mode }) => ({
      label,
      language,
      kind,
      mode,
    })),
  )

/**
 * hls.js starts its timeline at the first decoded sample, which may precede the first presented frame by a
 * few frames. Pictures and cues must shift by the same amount.
 */
const lagSeconds = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    const shown = [...(video?.textTracks ?? [])].find(({ mode }) => mode === 'showing')
    return (shown?.cues?.[0]?.startTime ?? NaN) - (video?.buffered.start(0) ?? NaN)
  })

const isShown = (page: Page, text: string) =>
  waitFor(
    () => shownText(page),
    (shown) => shown.join() === text,
  )

const time = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23)
/** WebVTT with one cue per second, numbered. */
const everySecond = (count: number, word: string): string =>
  `WEBVTT\n\n${Array.from({ length: count }, (_none, at) => `${time(at)} --> ${time(at + 1)}\n${word} ${at}`).join('\n\n')}\n`

test.each([
  ['passthrough', 'mp4', 'libx264'],
  ['encoded', 'mkv', 'mpeg4'],
])(
  'the default captions of a video that is served %s show at the right time, also after a seek and a discontinuity',
  async (_how, format, videoCodec) => {
    const bytes = await makeSample({ seconds: 20, format, videoCodec })
    const { path, file } = await upload(`clip.${format}`, bytes)
    await addCaptions(path, { Language: 'en', IsDefault: true, Content: everySecond(20, 'second') })
    await addCaptions(path, { Language: 'de', Kind: 'captions', Content: everySecond(20, 'Sekunde') })
    const { page, complaints } = await openPage(file.Playouts[0].EmbedURI)
    await page.evaluate(() => document.querySelector('video')?.play())
    await isShown(page, 'second 0')
    expect(Math.abs(await lagSeconds(page))).toBeLessThan(0.03)
    for (const at of [0.5, 5.8, 6.2, 13.2, 13.8, 2.5, 19.5]) {
      await seek(page, at)
      await isShown(page, `second ${Math.floor(at)}`)
    }
    expect(await tracksOf(page)).toMatchObject([
      { label: 'Deutsch', language: 'de', kind: 'captions', mode: 'disabled' },
      { label: 'English', language: 'en', kind: 'subtitles', mode: 'showing' },
    ])
    expect(complaints).toEqual([])
    await page.close()
  },
)

test('captions without the default flag show when the viewer selects them', async () => {
  const { path, file } = await upload('choice.mp4', await makeSample({ seconds: 8 }))
  await addCaptions(path, { Language: 'fr', Content: everySecond(8, 'seconde') })
  const { page } = await openPage(file.Playouts[0].EmbedURI)
  await waitFor(
    () => tracksOf(page),
    (tracks) => tracks.length === 1,
  )
  await seek(page, 3.5)
  expect(await shownText(page)).toEqual([])
  await page.keyboard.press('c')
  await isShown(page, 'seconde 3')

  // The player remembers the choice and the appearance.
  await page.getByRole('button', { name: 'Captions' }).press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Caption appearance' })
  await dialog.getByLabel('Size').selectOption('Very large')
  await dialog.getByLabel('Colour').selectOption('Yellow')
  await dialog.getByLabel('Position').selectOption('Top')
  const sample = dialog.getByText('Captions look like this.')
  expect(await sample.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(255, 233, 74)')
  await page.keyboard.press('Escape')
  await page.reload()
  await page.keyboard.press('k')
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 2)
  await page.keyboard.press('k')
  const cue = () =>
    page.evaluate(() => {
      const video = document.querySelector('video')!
      const { color, fontSize } = getComputedStyle(video, '::cue')
      const [active] = [...video.textTracks].flatMap(({ activeCues }) => [...(activeCues ?? [])])
      return { color, fontSize, line: (active as VTTCue).line }
    })
  expect(await cue()).toMatchObject({ line: 0 })
  const upperPart = () => page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 120 } })
  const withCaption = await upperPart()
  await page.getByRole('button', { name: 'Captions' }).click()
  await page.getByRole('menuitem', { name: 'Appearance …' }).click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  expect(await cue()).toMatchObject({ line: 'auto' })
  // It fits into the frame of a phone.
  await page.setViewportSize({ width: 390, height: 219 })
  expect(await dialog.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
  await page.setViewportSize({ width: 640, height: 360 })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect((await upperPart()).equals(withCaption)).toBe(false)
  await page.keyboard.press('c')
  await page.reload()
  await waitFor(
    () => tracksOf(page),
    (tracks) => tracks.length === 1,
  )
  expect(await shownText(page)).toEqual([])
  await page.close()
})

test('a video keeps playing when its captions are deleted during playback', async () => {
  const { path, file } = await upload('long.mp4', await makeSample({ seconds: 20 }))
  const caption = await addCaptions(path, {
    Language: 'en',
    IsDefault: true,
    Content: everySecond(20, 'second'),
  })
  const { page } = await openPage(file.Playouts[0].EmbedURI)
  await seek(page, 2.5)
  await isShown(page, 'second 2')
  await page.evaluate(() => document.querySelector('video')?.play())
  await server.call('DELETE', `${path}/captions/${caption.Id}`)
  await seek(page, 17)
  await page.evaluate(() => document.querySelector('video')?.play())
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 18.5)
  expect(await page.locator('#message').isHidden()).toBe(true)
  await page.close()
})

test('captions of an unpublished video show only on its preview page', async () => {
  const { path } = await upload('draft.mp4', await makeSample({ seconds: 4 }), 'draft')
  const caption = await addCaptions(path, {
    Language: 'en',
    IsDefault: true,
    Content: everySecond(4, 'second'),
  })
  expect((await request(caption.URI, 'GET')).status).toBe(404)
  const { body } = await server.call('GET', `${path}/playouts`)
  const [{ Captions: captions, Preview: preview }] = body.Playouts
  expect(captions).toEqual([caption])
  expect((await request(preview.Captions[0].URI, 'GET')).body).toContain('second 3')
  const { page } = await openPage(preview.EmbedURI)
  await seek(page, 2.5)
  await isShown(page, 'second 2')
  await page.close()
})

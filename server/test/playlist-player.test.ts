import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseMediaPlaylist, type Segment } from '@zoetrope/hls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { makeSample, type SampleOptions } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

const run = promisify(execFile)

let server: TestServer
let browser: Browser
let projectId: number

/** Sources of the elements: one for every way to make a file playable. */
const samples = {
  passthrough: { seconds: 3, size: '640x360' },
  encoded: { seconds: 3, size: '854x480', videoCodec: 'mpeg4', format: 'mkv', extra: ['-q:v', '4'] },
  mute: { seconds: 2, size: '640x360', extra: ['-an'] },
  'sound alone': { seconds: 3, format: 'm4a', extra: ['-vn'] },
  'sound that ends early': { seconds: 3, size: '320x180', extra: ['-af', 'atrim=end=1'] },
} satisfies Record<string, SampleOptions>

const files: Partial<Record<keyof typeof samples, number>> = {}

const upload = async (title: string, sample: SampleOptions): Promise<number> => {
  const path = `/projects/${projectId}/files`
  const created = await server.call('POST', path, {
    body: { FileName: `${title}.${sample.format ?? 'mp4'}`, Metadata: { Title: title } },
  })
  await request(created.body.Upload.URI, 'PUT', { body: await makeSample(sample) })
  return created.body.Id
}

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await openBrowser()
  projectId = (
    await server.call('POST', '/projects', {
      body: { Name: 'Playlists', DefaultReleaseStatus: 'published' },
    })
  ).body.Id
  for (const [title, sample] of Object.entries(samples))
    files[title as keyof typeof samples] = await upload(title, sample)
  await waitFor(
    () => server.call('GET', `/projects/${projectId}/files`),
    ({ body }) => body.Files.every(({ IsFinished }: { IsFinished: boolean }) => IsFinished),
  )
})

afterAll(async () => {
  await closePages(browser)
  await server.stop()
})

const makePlaylist = async (titles: readonly (keyof typeof samples)[], body: object = {}) => {
  const made = await server.call('POST', '/modules/playlists', {
    body: {
      Name: titles.join(', '),
      ReleaseStatus: 'published',
      Elements: titles.map((title) => ({ FileId: files[title] })),
      ...body,
    },
  })
  expect(made.status).toBe(201)
  return made.body
}

const openPage = async (url: string, width = 960): Promise<{ page: Page; complaints: string[] }> => {
  const page = await browser.newPage({ viewport: { width, height: 540 } })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(url)
  return { page, complaints }
}

/** Plays to the end and counts seeks: hls.js crosses a gap in its buffer with a seek. */
const playThrough = (page: Page) =>
  page.evaluate(async () => {
    const video = document.querySelector('video')
    if (video === null) throw new Error('no video')
    let seeks = 0
    // The first play loads the engine. If that sets the media source late, it ends this attempt and plays by itself.
    const playing = new Promise((resolve) => video.addEventListener('playing', resolve, { once: true }))
    await video.play().catch(() => playing)
    video.addEventListener('seeking', () => (seeks += 1))
    const places: string[] = []
    video.addEventListener('timeupdate', () => {
      const place = document.querySelector('#place')?.textContent ?? ''
      if (places.at(-1) !== place) places.push(place)
    })
    await new Promise((resolve, reject) => {
      video.addEventListener('ended', resolve)
      setTimeout(() => reject(new Error(`stuck at ${video.currentTime} of ${video.duration}`)), 45_000)
    })
    return { seeks, places, ranges: video.buffered.length, durationSeconds: video.duration }
  })

test('plays from the first element to the end of the last without a gap', async () => {
  const titles = Object.keys(samples) as (keyof typeof samples)[]
  const playlist = await makePlaylist([...titles, 'passthrough'])
  const { page, complaints } = await openPage(playlist.Playouts[0].EmbedURI)
  const played = await playThrough(page)
  expect(played).toMatchObject({ seeks: 0, ranges: 1 })
  expect(played.durationSeconds).toBeCloseTo(17, 0)
  expect(Math.abs(played.durationSeconds - playlist.TotalLength)).toBeLessThan(0.3)
  expect(played.places).toEqual(['1 / 6', '2 / 6', '3 / 6', '4 / 6', '5 / 6', '6 / 6'])
  expect(complaints).toEqual([])
  await page.close()
})

test('audio-only elements form an audio-only stream', async () => {
  const playlist = await makePlaylist(['sound alone', 'sound alone'])
  const { page, complaints } = await openPage(playlist.Playouts[0].EmbedURI)
  expect(await playThrough(page)).toMatchObject({ seeks: 0, places: ['1 / 2', '2 / 2'] })
  expect(complaints).toEqual([])
  await page.close()
})

test('the list, the buttons and the keys move between elements', async () => {
  const playlist = await makePlaylist(['passthrough', 'encoded', 'mute'])
  const { page } = await openPage(playlist.Playouts[0].EmbedURI)
  const place = page.locator('#place')
  const isAt = async (text: string) => {
    await page.waitForFunction((wanted) => document.querySelector('#place')?.textContent === wanted, text)
    expect(await page.locator('#playlist [aria-current]').count()).toBe(1)
  }
  await page.evaluate(async () => {
    const video = document.querySelector('video')
    await video?.play()
    video?.pause()
  })
  expect(await place.textContent()).toBe('1 / 3')
  expect(await page.locator('#previous').isDisabled()).toBe(true)
  await page.locator('#playlist li button').nth(2).click()
  await isAt('3 / 3')
  expect(await page.locator('#next').isDisabled()).toBe(true)
  await page.locator('#previous').click()
  await isAt('2 / 3')
  await page.keyboard.press('p')
  await isAt('1 / 3')
  await page.keyboard.press('n')
  await isAt('2 / 3')

  // In theatre mode the video takes the page, and the strip of thumbnails hides with the controls.
  const widthOf = (selector: string) =>
    page.evaluate((one) => document.querySelector(one)?.getBoundingClientRect().width, selector)
  expect(await widthOf('.stage')).toBeLessThan(700)
  await page.getByRole('button', { name: 'Theatre mode' }).click()
  expect(await widthOf('.stage')).toBe(960)
  const second = page.getByRole('button', { name: /^encoded/ })
  const bar = await page.locator('.controls').boundingBox()
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual((await second.boundingBox())?.y ?? 0)
  await page.getByRole('button', { name: /^mute/ }).click()
  await isAt('3 / 3')
  await page.reload()
  expect(await widthOf('.stage')).toBe(960)
  await page.keyboard.press('t')
  expect(await widthOf('.stage')).toBeLessThan(700)
  await page.close()
})

test('the player fits a screen of 360 pixels', async () => {
  const playlist = await makePlaylist(['passthrough', 'encoded', 'mute'])
  const { page } = await openPage(playlist.Playouts[0].EmbedURI, 360)
  const { scroll, client, list, video } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
    list: document.querySelector('#playlist')?.getBoundingClientRect(),
    video: document.querySelector('video')?.getBoundingClientRect(),
  }))
  expect(scroll).toBe(client)
  expect(video?.width).toBe(360)
  expect(list?.top).toBeGreaterThanOrEqual(video?.bottom ?? 0)
  expect(list?.height).toBeGreaterThan(150)
  await page.close()
})

test('a preview plays unpublished files', async () => {
  const draft = await upload('draft', { seconds: 2 })
  const path = `/projects/${projectId}/files/${draft}`
  await server.call('PUT', path, { body: { Metadata: { ReleaseStatus: 'draft' } } })
  await waitFor(
    () => server.call('GET', path),
    ({ body }) => body.IsFinished,
  )
  const playlist = await makePlaylist(['mute'], {
    ReleaseStatus: 'draft',
    Elements: [files['mute'], draft],
  })
  const { body } = await server.call('GET', `/modules/playlists/${playlist.Id}/playouts`)
  const { page, complaints } = await openPage(body.Playouts[0].Preview.EmbedURI)
  expect(await playThrough(page)).toMatchObject({ seeks: 0, places: ['1 / 2', '2 / 2'] })
  expect(complaints).toEqual([])
  await page.close()
})

/** Returns the bytes of each element, which a player appends between two discontinuities. */
const elementsOf = async (uri: string): Promise<{ bytes: Buffer; seconds: number }[]> => {
  const { segments, initUri } = parseMediaPlaylist((await request(uri, 'GET')).body)
  const fetchBytes = async (relative: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(new URL(relative, uri))).arrayBuffer())
  const elements: { parts: Buffer[]; seconds: number }[] = []
  let init = initUri
  const append = async (segment: Segment, isFirst: boolean) => {
    const hasNewInit = segment.initUri !== undefined && segment.initUri !== init
    init = segment.initUri ?? init
    if (isFirst) elements.push({ parts: [await fetchBytes(init)], seconds: 0 })
    const element = elements.at(-1)
    if (element === undefined) return
    // Silence after the sound of an element has its own init segment and is not measured here.
    if (hasNewInit && !isFirst) return
    element.parts.push(await fetchBytes(segment.uri))
    element.seconds += segment.durationSeconds
  }
  for (const [index, segment] of segments.entries())
    await append(segment, index === 0 || segment.discontinuity === true)
  return elements.map(({ parts, seconds }) => ({ bytes: Buffer.concat(parts), seconds }))
}

const spanOf = async (path: string): Promise<number> => {
  const { stdout } = await run('ffprobe', [
    ...['-v', 'error', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path],
  ])
  const times = stdout.trim().split('\n').map(Number.parseFloat)
  return Math.max(...times) - Math.min(...times)
}

test('ffmpeg reads the total duration and decodes every element without errors', async () => {
  const playlist = await makePlaylist(['passthrough', 'encoded', 'mute', 'sound alone'])
  const [{ HLS }] = playlist.Playouts
  const probe = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration',
    '-of',
    'csv=p=0',
    HLS,
  ])
  expect(Number(probe.stdout)).toBeCloseTo(playlist.TotalLength, 0)
  const uris = [...(await request(HLS, 'GET')).body.matchAll(/list\/[^"\s]+/g)].map(
    ([uri]) => new URL(uri, HLS).href,
  )
  expect(uris).toHaveLength(3)
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-playlist-'))
  try {
    for (const uri of uris) {
      const elements = await elementsOf(uri)
      expect(elements).toHaveLength(4)
      for (const { bytes, seconds } of elements) {
        const path = join(folder, 'element.mp4')
        await writeFile(path, bytes)
        const decoded = await run('ffmpeg', ['-v', 'warning', '-i', path, '-f', 'null', '-'])
        expect(decoded.stderr).toBe('')
        // The last frame lasts to the end of the element; a black frame lasts a whole second.
        const span = await spanOf(path)
        expect(span).toBeLessThan(seconds + 0.1)
        expect(span).toBeGreaterThan(seconds - 1.1)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the feed is well-formed XML for any texts, and contains them unchanged', async () => {
  const Title = `<b> & "quotes" ' ]]> \u0001\u000b\u007f 🎬 </title>`
  const path = `/projects/${projectId}/files/${files['mute']}`
  await server.call('PUT', path, { body: { Metadata: { Title, Description: Title, Tags: [Title] } } })
  const playlist = await makePlaylist(['mute'], { Name: Title, Description: Title })
  const { body } = await request(playlist.FeedURIs.MRSS, 'GET')
  const page = await browser.newPage()
  const read = await page.evaluate((text) => {
    const feed = new DOMParser().parseFromString(text, 'application/xml')
    const media = 'http://search.yahoo.com/mrss/'
    return {
      error: feed.querySelector('parsererror')?.textContent ?? null,
      titles: [...feed.querySelectorAll('title')].map(({ textContent }) => textContent),
      type: feed.getElementsByTagNameNS(media, 'content')[0]?.getAttribute('type'),
    }
  }, body)
  const shown = Title.replaceAll('\u0001', '').replaceAll('\u000b', '')
  expect(read).toEqual({
    error: null,
    titles: [shown, shown, shown],
    type: 'application/vnd.apple.mpegurl',
  })
  await page.close()
  await server.call('PUT', path, { body: { Metadata: { Title: 'mute' } } })
})

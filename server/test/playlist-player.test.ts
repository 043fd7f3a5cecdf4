import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser } from './support/browser.ts'
import { makeSample, type SampleOptions } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

const run = promisify(execFile)

let server: TestServer
let browser: Browser
let projectId: number

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Playlists' } })).body.Id
})

afterAll(async () => {
  await browser.close()
  await server.stop()
})

const upload = async (title: string, sample: SampleOptions, isRaw = false): Promise<number> => {
  const path = `/projects/${projectId}/files`
  const created = await server.call('POST', path, {
    body: { FileName: title, Metadata: { Title: title, ReleaseStatus: 'published' } },
  })
  await request(created.body.Upload.URI, 'PUT', { body: await makeSample(sample) })
  await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body }) => body.IsFinished,
  )
  return created.body.Id
}

test('explore', async () => {
  const ids = [
    await upload('in-place.mp4', { seconds: 5, size: '640x360' }),
    await upload('encoded.mkv', { seconds: 5, size: '854x480', videoCodec: 'mpeg4', format: 'mkv', extra: ['-q:v', '4'] }),
    await upload('silent.mp4', { seconds: 4, size: '640x360', extra: ['-an'] }),
  ]
  const made = await server.call('POST', '/modules/playlists', {
    body: { Name: 'Three', ReleaseStatus: 'published', Elements: [...ids, ids[0]] },
  })
  console.log(JSON.stringify(made.body, null, 1))
  const main = await request(made.body.Playouts[0].HLS, 'GET')
  console.log(main.body)
  for (const uri of [...main.body.matchAll(/(list\/[^"\n]+)/g)].map((m: string[]) => m[1]))
    console.log(uri, (await request(new URL(uri as string, made.body.Playouts[0].HLS).href, 'GET')).body)
  const probe = await run('ffprobe', ['-v', 'warning', '-show_entries', 'format=duration:stream=codec_name,width', made.body.Playouts[0].HLS]).catch((e) => e)
  console.log('FFPROBE', probe.stdout, probe.stderr)
  const ff = await run('ffmpeg', ['-v', 'warning', '-i', made.body.Playouts[0].HLS, '-map', '0:v:0', '-map', '0:a:0', '-f', 'framecrc', '-c', 'copy', '-']).catch((e) => e)
  console.log('FFMPEG', String(ff.stdout).split('\n').slice(-8).join('\n'), ff.stderr)
  const page = await browser.newPage({ viewport: { width: 960, height: 400 } })
  page.on('console', (m) => console.log('CONSOLE', m.text()))
  page.on('pageerror', (m) => console.log('ERR', m.message))
  page.on('response', (r) => { if (r.status() >= 400) console.log('HTTP', r.status(), r.url()) })
  await page.addInitScript(() => {
    const log: unknown[] = []
    Object.assign(window, { log })
    addEventListener('DOMContentLoaded', () => {
      const video = document.querySelector('video')!
      for (const type of ['waiting', 'stalled', 'seeking', 'ended', 'error', 'resize', 'playing'])
        video.addEventListener(type, () => log.push([type, video.currentTime.toFixed(3), video.readyState, video.videoWidth, Math.round(performance.now())]))
    })
  })
  await page.goto(made.body.Playouts[0].EmbedURI)
  await page.evaluate(() => document.querySelector('video')?.play())
  await page.screenshot({ path: '/tmp/h4/shot1.png' })
  await page.waitForFunction(() => document.querySelector('video')?.ended, null, { timeout: 45_000 }).catch((e) => console.log(String(e)))
  console.log(JSON.stringify(await page.evaluate(() => ({ log: (window as any).log, t: document.querySelector('video')!.currentTime, d: document.querySelector('video')!.duration,
    b: Array.from({ length: document.querySelector('video')!.buffered.length }, (_, i) => [document.querySelector('video')!.buffered.start(i), document.querySelector('video')!.buffered.end(i)]),
    q: (document.querySelector('video') as any).getVideoPlaybackQuality() }))))
  await page.screenshot({ path: '/tmp/h4/shot2.png' })
}, 120_000)

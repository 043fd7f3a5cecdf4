import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { findProgram } from './support/find-program.ts'
import { countFrames, makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

/** One file with two rungs and sound, encoded by us, in every player that there is. */

const run = promisify(execFile)
const seconds = 8
const require = createRequire(import.meta.url)
const scripts = {
  // The one that our own player is made of.
  hls: createRequire(new URL('../../player/package.json', import.meta.url)).resolve('hls.js'),
  shaka: require.resolve('shaka-player'),
  dash: require.resolve('dashjs'),
}

let server: TestServer
let folder: string
let hls: string
let dash: string
let mp4: string

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  // Players that are not run as root write there too.
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-players-'))
  await chmod(folder, 0o777)
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Players',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { Renditions: [{ Height: 180 }, { Height: 144 }] },
    },
  })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, { body: { FileName: 'players.mp4' } })
  const source = await makeSample({ seconds, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  await request(created.body.Upload.URI, 'PUT', { body: source })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  ;({ HLS: hls, DASH: dash, MP4: mp4 } = body.Playouts[0])
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => closePages(browser))

  /** A page with a video element and one player's script; `start` gets the URL and tells of faults by `fail`. */
  const openPlayer = async (script: string | null, start: string, url: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 640, height: 360 } })
    await page.route('**/player-page', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><video muted></video>' }),
    )
    await page.goto(`${server.url}/player-page`)
    if (script !== null) await page.addScriptTag({ path: script })
    await page.evaluate(
      `window.faults = []
       const fail = (fault) => window.faults.push(String(fault))
       const url = ${JSON.stringify(url)}
       const video = document.querySelector('video')
       video.addEventListener('error', () => fail(video.error.message))
       ;(async () => { ${start} })().then(() => video.play()).catch(fail)`,
    )
    return page
  }

  /** Resolves when the picture has moved on from there. */
  const playFrom = (page: Page, startSeconds: number | null) =>
    page.evaluate(
      (from) =>
        new Promise<void>((resolve, reject) => {
          const video = document.querySelector('video')!
          const { faults } = window as unknown as { faults: string[] }
          if (from !== null) video.currentTime = from
          const target = (from ?? 0) + 0.5
          video.addEventListener('timeupdate', () => {
            if (faults.length > 0) reject(new Error(faults.join('; ')))
            if (!video.seeking && video.currentTime >= target) resolve()
          })
          void video.play()
        }),
      startSeconds,
    )

  const players = [
    [
      'hls.js',
      scripts.hls,
      'hls',
      `const player = new Hls()
       player.on(Hls.Events.ERROR, (_event, data) => data.fatal && fail(data.details))
       player.loadSource(url)
       player.attachMedia(video)`,
    ],
    ...(['hls', 'dash'] as const).map(
      (kind) =>
        [
          `Shaka with ${kind.toUpperCase()}`,
          scripts.shaka,
          kind,
          `const player = new shaka.Player()
           player.addEventListener('error', ({ detail }) => fail(detail.code + ' ' + detail.data))
           await player.attach(video)
           await player.load(url).catch(({ code, data }) => fail(code + ' ' + data))`,
        ] as const,
    ),
    [
      'dash.js',
      scripts.dash,
      'dash',
      `const player = dashjs.MediaPlayer().create()
       player.on('error', ({ error }) => fail(error.message))
       player.initialize(video, url, false)`,
    ],
    ['Chromium itself, the MP4', null, 'mp4', 'video.src = url'],
  ] as const

  test.each(players)(
    '%s plays from the start, from the middle and to the end',
    async (_name, script, kind, start) => {
      const url = { hls, dash, mp4 }[kind]
      const page = await openPlayer(script, start, url)
      await playFrom(page, null)
      await playFrom(page, seconds / 2)
      const ended = page.evaluate(
        () =>
          new Promise((resolve) =>
            document.querySelector('video')!.addEventListener('ended', () => resolve(true), { once: true }),
          ),
      )
      await playFrom(page, seconds - 1)
      expect(await ended).toBe(true)
      const seen = await page.evaluate(() => {
        const video = document.querySelector('video')!
        const { faults } = window as unknown as { faults: string[] }
        const { totalVideoFrames } = video.getVideoPlaybackQuality()
        return { faults, totalVideoFrames, durationSeconds: video.duration, endSeconds: video.currentTime }
      })
      expect(seen.faults).toEqual([])
      expect(seen.totalVideoFrames).toBeGreaterThan(30)
      expect(Math.abs(seen.durationSeconds - seconds)).toBeLessThan(0.15)
      expect(Math.abs(seen.endSeconds - seconds)).toBeLessThan(0.15)
      await page.close()
    },
  )
})

describe('outside of a browser', () => {
  test('ffmpeg decodes every picture of each rendition, over HLS and DASH and of the MP4', async () => {
    for (const url of [hls, dash, mp4]) expect(await countFrames(url)).toBe(seconds * 30)
  })

  test('GStreamer decodes every picture and all sound', async (context) => {
    const gstreamer = await findProgram('gst-launch-1.0')
    if (gstreamer === null) return context.skip('gst-launch-1.0 is not installed')
    const pictures = join(folder, 'gstreamer.i420')
    const size = { width: 160, height: 90 }
    await run(gstreamer, [
      ...['-q', 'uridecodebin3', `uri=${hls}`, 'name=source'],
      ...['source.', '!', 'queue', '!', 'videoconvert', '!', 'videoscale'],
      ...['!', `video/x-raw,format=I420,width=${size.width},height=${size.height}`],
      ...['!', 'filesink', `location=${pictures}`],
      ...['source.', '!', 'queue', '!', 'audioconvert', '!', 'audio/x-raw,format=S16LE,channels=1'],
      ...['!', 'filesink', `location=${join(folder, 'gstreamer.pcm')}`],
    ])
    const pictureBytes = size.width * size.height * 1.5
    expect((await stat(pictures)).size / pictureBytes).toBe(seconds * 30)
    const soundSeconds = (await stat(join(folder, 'gstreamer.pcm'))).size / 2 / 48_000
    expect(Math.abs(soundSeconds - seconds)).toBeLessThan(0.1)
  })

  test('VLC plays it to its end', async (context) => {
    const vlc = await findProgram('cvlc')
    if (vlc === null) return context.skip('cvlc is not installed')
    await run(
      vlc,
      [
        ...['--intf', 'dummy', '--no-audio', '--vout', 'dummy', '--play-and-exit', '--no-video-title-show'],
        ...['--video-filter', 'scene', '--scene-format', 'png', '--scene-ratio', '15', '--scene-width', '32'],
        ...['--scene-path', folder, '--scene-prefix', 'vlc', hls],
      ],
      // It refuses to run as root.
      {
        env: { PATH: process.env['PATH'], HOME: folder },
        ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      },
    )
    const pictures = (await readdir(folder)).filter((name) => name.startsWith('vlc'))
    expect(pictures.length).toBeGreaterThan(10)
  })
})

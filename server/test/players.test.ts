import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { findProgram } from './support/find-program.ts'
import { countFrames, makeLateSound, makeSample } from './support/media.ts'
import { openPlayerPage, strangersIn, webPlayers } from './support/player-page.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

/** Plays one encoded file with two rungs and sound in every supported player. */

const run = promisify(execFile)
const seconds = 8
/** hls.js starts the timeline at the first decode time, which reordered frames put before the first frame. */
const toleranceSeconds = 0.25
/** Start of the sound of the second file, in seconds. */
const lateSeconds = 1.98

let server: TestServer
let folder: string
let hls: string
let dash: string
let mp4: string
/** A passthrough source with B-frames whose sound begins after its pictures. */
let lateSound: { readonly hls: string; readonly dash: string }

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  // VLC does not run as root and writes to this folder too.
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-players-'))
  await chmod(folder, 0o777)
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Players',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 180 }, { Height: 144 }] },
    },
  })
  const path = `/projects/${project.body.Id}/files`
  const upload = async (name: string, source: Buffer) => {
    const created = await server.call('POST', path, { body: { FileName: name } })
    await request(created.body.Upload.URI, 'PUT', { body: source })
    const { body } = await waitFor(
      () => server.call('GET', `${path}/${created.body.Id}`),
      ({ body: file }) => file.IsFinished,
    )
    return body.Playouts[0] as { readonly HLS: string; readonly DASH: string; readonly MP4: string }
  }
  const encoded = await makeSample({ seconds, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  ;({ HLS: hls, DASH: dash, MP4: mp4 } = await upload('players.mp4', encoded))
  const late = await upload('late-sound.mp4', await makeLateSound({ fromSeconds: lateSeconds }))
  lateSound = { hls: late.HLS, dash: late.DASH }
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
    ...webPlayers,
    { name: 'Chromium itself, the MP4', script: null, kind: 'mp4', start: 'video.src = url' },
  ] as const

  test.each(players)(
    '$name plays the start, the middle and the end, and requests no other host',
    async ({ script, kind, start }) => {
      const url = { hls, dash, mp4 }[kind]
      const opened = await openPlayerPage(browser, server.url, { script, start, url })
      const { page } = opened
      await playFrom(page, null)
      await playFrom(page, seconds / 2)
      // When dash.js notices the end first, it goes half a second back and pauses, so the video never ends.
      const end = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const video = document.querySelector('video')!
            let furthest = 0
            const look = (): void => {
              furthest = Math.max(furthest, video.currentTime)
              requestAnimationFrame(look)
            }
            look()
            const finish = (): void => {
              if (video.duration - video.currentTime < 0.6) resolve(Math.max(furthest, video.currentTime))
            }
            for (const name of ['ended', 'pause']) video.addEventListener(name, finish)
          }),
      )
      await playFrom(page, seconds - 1)
      const endSeconds = await end
      const seen = await page.evaluate(async () => {
        const video = document.querySelector('video')!
        const { faults, firstPicture } = window as unknown as {
          faults: string[]
          firstPicture: Promise<number>
        }
        const { totalVideoFrames } = video.getVideoPlaybackQuality()
        return {
          faults,
          totalVideoFrames,
          durationSeconds: video.duration,
          firstPictureSeconds: await firstPicture,
        }
      })
      expect(seen.faults).toEqual([])
      expect(strangersIn(opened, server.url)).toEqual([])
      expect(seen.firstPictureSeconds).toBeLessThan(toleranceSeconds)
      expect(seen.totalVideoFrames).toBeGreaterThan(30)
      expect(Math.abs(seen.durationSeconds - seconds)).toBeLessThan(0.15)
      expect(Math.abs(endSeconds - seconds)).toBeLessThan(0.15)
      await page.close()
    },
  )

  test.each(webPlayers)(
    '$name shows the first frame of a passthrough source with late sound and skips nothing',
    async ({ script, kind, start }) => {
      const { page } = await openPlayerPage(browser, server.url, { script, start, url: lateSound[kind] })
      await page.waitForFunction(() => document.querySelector('video')!.currentTime > 2.5)
      const seen = await page.evaluate(async () => {
        const { firstPicture, soughtSeconds, faults } = window as unknown as {
          readonly firstPicture: Promise<number>
          readonly soughtSeconds: number
          readonly faults: readonly string[]
        }
        const { webkitAudioDecodedByteCount: audioBytes } = document.querySelector('video') as unknown as {
          readonly webkitAudioDecodedByteCount: number
        }
        return { faults, soughtSeconds, firstPictureSeconds: await firstPicture, audioBytes }
      })
      expect(seen.faults).toEqual([])
      expect(seen.firstPictureSeconds).toBeLessThan(toleranceSeconds)
      expect(seen.soughtSeconds).toBeLessThan(toleranceSeconds)
      expect(seen.audioBytes).toBeGreaterThan(0)
      await page.close()
    },
  )
})

describe('outside a browser', () => {
  test('ffmpeg decodes every frame of each rendition over HLS, DASH and MP4', async () => {
    for (const url of [hls, dash, mp4]) expect(await countFrames(url)).toBe(seconds * 30)
  })

  test.each(['hls', 'dash'] as const)(
    'ffmpeg decodes late sound at its time in the source, over %s',
    async (kind) => {
      const { stderr } = await run('ffmpeg', [
        ...['-nostdin', '-v', 'info', '-i', lateSound[kind], '-vn'],
        ...['-af', 'silencedetect=noise=-50dB:duration=1', '-f', 'null', '-'],
      ])
      expect(stderr).not.toMatch(/error|invalid/i)
      const [, silenceEnd] = /silence_end: ([\d.]+)/.exec(stderr) ?? []
      expect(Math.abs(Number(silenceEnd) - lateSeconds)).toBeLessThan(0.03)
    },
  )

  test('GStreamer decodes every frame and all sound', async (context) => {
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

  test('VLC plays to the end', async (context) => {
    const vlc = await findProgram('cvlc')
    if (vlc === null) return context.skip('cvlc is not installed')
    await run(
      vlc,
      [
        ...['--intf', 'dummy', '--no-audio', '--vout', 'dummy', '--play-and-exit', '--no-video-title-show'],
        ...['--video-filter', 'scene', '--scene-format', 'png', '--scene-ratio', '15', '--scene-width', '32'],
        ...['--scene-path', folder, '--scene-prefix', 'vlc', hls],
      ],
      // VLC refuses to run as root.
      {
        env: { PATH: process.env['PATH'], HOME: folder },
        ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      },
    )
    const pictures = (await readdir(folder)).filter((name) => name.startsWith('vlc'))
    expect(pictures.length).toBeGreaterThan(10)
  })
})

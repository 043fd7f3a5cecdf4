import { spawn, type ChildProcess } from 'node:child_process'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLiveWorld, type LiveWorld, type TestStream } from '../src/live/node/test-support/live-world.ts'
import { closePages, openBrowser } from './support/browser.ts'
import { openPlayerPage, strangersIn, webPlayers } from './support/player-page.ts'
import { waitFor } from './support/wait-for.ts'

/** Plays one live stream in common third-party players. */

let world: LiveWorld
let browser: Browser
let stream: TestStream
let encoder: ChildProcess

beforeAll(async () => {
  world = await startLiveWorld()
  browser = await openBrowser()
  stream = await world.newStream()
  encoder = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'],
      ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25', '-c:a', 'aac'],
      ...['-f', 'flv', `rtmp://127.0.0.1:${world.rtmpPort}/live/${stream.streamKey}`],
    ],
    { stdio: 'ignore' },
  )
  await stream.until('live.started')
  // Players of whole segments stay three segments behind the live edge. Shaka 5.2 also asks for a segment that has only
  // parts when there is no other one to look into for captions, and waits forever.
  const folder = `${world.server.url}/l/${stream.playoutId}`
  const textOf = async (url: string): Promise<string> => (await fetch(url)).text()
  const media = (await textOf(`${folder}/ll.m3u8`)).split('\n').find((line) => /^[^#]/.test(line))
  await waitFor(
    () => textOf(`${folder}/${media}`),
    (text) => (text.match(/#EXTINF/g) ?? []).length >= 5,
  )
})

afterAll(async () => {
  encoder.kill('SIGKILL')
  await closePages(browser)
})

test.each(webPlayers)(
  '$name plays the stream and requests no other host',
  async ({ name: player, script, kind, start }) => {
    const name = kind === 'hls' ? 'll.m3u8' : 'main.mpd'
    const url = `${world.server.url}/l/${stream.playoutId}/${name}`
    const opened = await openPlayerPage(browser, world.server.url, { script, start, url })
    const { page } = opened
    await page.waitForFunction(() => {
      const { totalVideoFrames } = document.querySelector('video')!.getVideoPlaybackQuality()
      return totalVideoFrames > 60
    })
    // Shaka reads the time from the segments, so only dash.js requests it.
    if (player === 'dash.js') expect([...opened.requested]).toContain(url.replace(name, 'time'))
    expect(await page.evaluate('window.faults')).toEqual([])
    expect(strangersIn(opened, world.server.url)).toEqual([])
    await page.close()
  },
)

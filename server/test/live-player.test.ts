import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagesOf } from '../src/live/node/outputs/ladder/test-support/ladder-bench.ts'
import { av1Frames, cannedStream } from '../src/live/node/outputs/recording/test-support/canned-stream.ts'
import { startLiveWorld, type LiveWorld, type TestStream } from '../src/live/node/test-support/live-world.ts'
import { publishMedia, sendInTime } from '../src/live/node/test-support/publish-media.ts'
import { closePages, openBrowser } from './support/browser.ts'

let world: LiveWorld
let browser: Browser
const encoders = new Set<ChildProcess>()

beforeAll(async () => {
  world = await startLiveWorld()
  browser = await openBrowser()
})

afterAll(async () => {
  for (const encoder of encoders) encoder.kill('SIGKILL')
  await closePages(browser)
})

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30']
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000']
const videoCodec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30']

const publish = (stream: TestStream, { hasPicture = true } = {}) => {
  const url = `rtmp://127.0.0.1:${world.rtmpPort}/live/${stream.streamKey}`
  const inputs = hasPicture ? ['-re', ...picture, '-re', ...sound] : ['-re', ...sound]
  const encoder = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin'],
      ...inputs,
      ...(hasPicture ? videoCodec : []),
      '-c:a',
      'aac',
      '-f',
      'flv',
      url,
    ],
    { stdio: 'ignore' },
  )
  encoders.add(encoder)
  const leave = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    if (encoder.exitCode !== null) return
    const exited = once(encoder, 'exit')
    encoder.kill(signal)
    await exited
    encoders.delete(encoder)
  }
  return { end: () => leave('SIGINT'), breakOff: () => leave('SIGKILL') }
}

/**
 * Imitates the autoplay rule of browsers: no sound before the viewer interacts. Driven browsers do not
 * enforce it.
 */
const refuseSound = `{
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = async function () {
    if (!this.muted) throw new DOMException('no sound', 'NotAllowedError')
    return play.call(this)
  }
}`

const openPage = async (url: string, { locale = 'en-GB', isSoundRefused = false } = {}) => {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 }, locale })
  if (isSoundRefused) await page.addInitScript(refuseSound)
  const hosts = new Set<string>()
  const complaints: string[] = []
  /** Lines of the reports of the view. */
  const reports: string[] = []
  /** Names of the tracks whose segments were requested. */
  const loaded = new Set<string>()
  page.on('request', (sent) => {
    const track = /\/l\/[^/]+\/(\w+)\/[\d.-]+\.m4s$/.exec(sent.url())?.[1]
    if (track !== undefined) loaded.add(track)
    if (sent.url().startsWith('http')) hosts.add(new URL(sent.url()).host)
    if (/\/l\/[^/]+\/cmcd(?:\?|$)/.test(sent.url())) reports.push(...(sent.postData() ?? '').split('\n'))
    if (sent.url().endsWith('/beacon')) complaints.push('a beacon beside the reports')
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  await page.goto(url)
  return { page, hosts, complaints, reports, loaded }
}

const latenciesIn = (reports: readonly string[]): number[] =>
  reports.flatMap((line) => /(?:^|,)ltc=(\d+)/.exec(line)?.[1] ?? []).map(Number)

const reads = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).waitFor({ state: 'visible' })

/** Waits until this many more seconds have played and, with video, new frames were presented. */
const goesOn = async (page: Page, seconds = 1.5) => {
  const before = await page.evaluate(() => {
    const video = document.querySelector('video')
    return { time: video?.currentTime ?? 0, frames: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0 }
  })
  await page.waitForFunction(
    ({ time, frames, seconds: wanted }) => {
      const video = document.querySelector('video')
      if (video === null || video.readyState < 3) return false
      const shown = video.getVideoPlaybackQuality().totalVideoFrames
      // Another broadcast restarts the timeline and the frame count.
      const isMoving = video.currentTime < time || video.currentTime > time + wanted
      return isMoving && (video.videoWidth === 0 || shown > frames || shown < frames)
    },
    { ...before, seconds },
  )
}

test('the player starts by itself, survives publisher interruptions, shows the end text and starts with the next broadcast', async () => {
  const stream = await world.newStream({ title: 'Town hall' })
  const { page, hosts, complaints, reports, loaded } = await openPage(
    `${world.server.url}/embed/${stream.playoutId}`,
  )
  await reads(page, 'Town hall')
  await reads(page, 'The stream has not started yet.')
  await stream.change({ board_text: 'We begin at 18:00.', ended_text: 'Thank you!' })
  await reads(page, 'We begin at 18:00.')

  const first = publish(stream)
  await goesOn(page, 3)
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('button', { name: 'Live', exact: true }).waitFor()

  await first.breakOff()
  await reads(page, 'The broadcast is interrupted. It resumes automatically.')
  // A picture that stands still has the notice in its middle, and no sign of loading.
  const notice = page.locator('.waiting .notice')
  await notice.waitFor()
  expect(await page.locator('.spinner').isVisible()).toBe(false)
  const box = await notice.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0) / 2).toBeCloseTo(180, -1)
  const second = publish(stream)
  await page.locator('.notice').waitFor({ state: 'hidden' })
  await goesOn(page)

  await second.end()
  await reads(page, 'Thank you!')
  // The poster behind the end text is the last frame of the broadcast.
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('img.behind')?.naturalWidth ?? 0) > 0,
  )
  await stream.change({ ended_text: '' })
  await reads(page, 'The stream has ended.')
  publish(stream)
  await goesOn(page)
  expect([...hosts]).toEqual([new URL(world.server.url).host])
  expect(complaints).toEqual([])
  expect([...loaded]).toEqual(['av'])
  expect(new Set(reports.map((line) => /sid="([0-9a-f]{32})"/.exec(line)?.[1])).size).toBe(1)
  const latenciesMs = latenciesIn(reports)
  expect(latenciesMs.length).toBeGreaterThan(0)
  for (const latencyMs of latenciesMs) {
    expect(latencyMs).toBeGreaterThan(0)
    expect(latencyMs).toBeLessThan(30_000)
  }
  await page.close()
})

test('a signed link plays an audio-only stream in the language of the viewer, muted when the browser blocks sound', async () => {
  const stream = await world.newStream({ title: 'Radio' })
  const { kysely } = world.server.services.database
  await kysely
    .updateTable('projects')
    .set({ token_security: true })
    .where('id', '=', stream.projectId)
    .execute()
  const encoder = publish(stream, { hasPicture: false })
  const token = world.server.services.tokens.issueViewer(stream.playoutId, new Date(Date.now() + 60_000))
  const address = `${world.server.url}/s/${token}/embed/${stream.playoutId}`
  const { page, complaints } = await openPage(address, { locale: 'de-AT', isSoundRefused: true })
  await goesOn(page)
  await reads(page, 'Nur Audio')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.locator('.sound-on').click()
  await page.locator('.sound-on').waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.querySelector('video')?.muted)).toBe(false)
  expect(complaints).toEqual([])
  await stream.change({ is_enabled: false })
  await reads(page, 'Dieser Stream ist nicht verfügbar.')
  await encoder.breakOff()
  await page.close()
})

/** Lag of the picture behind the clock, in seconds, from an arbitrary zero. The lag of a stall remains. */
const lagOf = (page: Page) =>
  page.evaluate(() => performance.now() / 1_000 - (document.querySelector('video')?.currentTime ?? 0))

const liveButton = (page: Page) => page.getByRole('button', { name: 'Live', exact: true })
const backToLive = (page: Page) => page.getByRole('button', { name: 'Back to live' })

test('a viewer without network for five seconds is at the live edge again within twenty', async () => {
  const stream = await world.newStream()
  const encoder = publish(stream)
  const { page, reports, complaints } = await openPage(`${world.server.url}/embed/${stream.playoutId}`)
  await goesOn(page, 8)
  await liveButton(page).waitFor()
  const before = await lagOf(page)
  await page.context().setOffline(true)
  const isOver = delay(5_000)
  await backToLive(page).waitFor()
  await isOver
  await page.context().setOffline(false)
  await expect.poll(async () => (await lagOf(page)) - before, { interval: 250 }).toBeLessThan(1)
  await goesOn(page, 2)
  await liveButton(page).waitFor()
  const sentBefore = reports.length
  // Players report every 30 seconds.
  await expect.poll(() => reports.length).toBeGreaterThan(sentBefore)
  expect(latenciesIn(reports).at(-1)).toBeLessThan(3_500)
  expect(complaints).toEqual([])
  await encoder.breakOff()
  await page.close()
})

test('a viewer who paused stays behind live and returns with the Live button', async () => {
  const stream = await world.newStream()
  const encoder = publish(stream)
  const { page } = await openPage(`${world.server.url}/embed/${stream.playoutId}`)
  await goesOn(page, 6)
  const before = await lagOf(page)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
  await backToLive(page).waitFor()
  await delay(5_000)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.play())
  await goesOn(page, 6)
  expect((await lagOf(page)) - before).toBeGreaterThan(4.5)
  await page.mouse.move(320, 180)
  await backToLive(page).click()
  await expect.poll(async () => (await lagOf(page)) - before).toBeLessThan(1)
  await liveButton(page).waitFor()
  await encoder.breakOff()
  await page.close()
})

test('a playback node may start after the page was opened', async () => {
  const stream = await world.newStream({ title: 'Before' })
  const { page } = await openPage(`${world.server.url}/embed/${stream.playoutId}`)
  await reads(page, 'Before')
  const node = createServer((_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end(JSON.stringify({ State: 'offline', Title: 'Other node', OnlineSince: null }))
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const id = randomUUID()
  const { kysely } = world.server.services.database
  // It writes no heartbeats.
  const seen_at = new Date(Date.now() + 60_000)
  await kysely.insertInto('live_nodes').values({ id, url, public_url: url, disk: id, seen_at }).execute()
  await stream.change({ node_id: id })
  await reads(page, 'Other node')
  await page.close()
  node.close()
})

test('AV1 plays, and a browser without AV1 shows a message', async () => {
  const stream = await world.newStream()
  const [canned, video] = await Promise.all([cannedStream(), av1Frames(4)])
  const url = `${world.server.url}/embed/${stream.playoutId}`
  const { page, loaded, complaints } = await openPage(url)
  const poor = await browser.newPage({ viewport: { width: 640, height: 360 }, locale: 'de-DE' })
  await poor.addInitScript(`{
    const { isTypeSupported } = MediaSource
    MediaSource.isTypeSupported = (type) => !type.includes('av01') && isTypeSupported.call(MediaSource, type)
  }`)
  await poor.goto(url)
  const push = await publishMedia(world.rtmpPort, stream.streamKey)
  const sent = sendInTime(push, messagesOf({ ...canned, video }, { codec: 'av01', untilMs: 4_000 }))
  await goesOn(page)
  await goesOn(page, 0.5)
  await reads(poor, 'Dieser Browser kann das Videoformat dieses Streams nicht abspielen.')
  expect([...loaded]).toEqual(['av'])
  expect(complaints).toEqual([])
  await sent
  push.close()
  await reads(poor, 'Der Stream ist beendet.')
  await Promise.all([page.close(), poor.close()])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type Browser, type Page, type Request } from 'playwright-core'
import { findBrowser } from '../../../../server/test/support/browser.ts'
import { ageOfPicture, burnInClock, clockCells, clockPicture } from '../../content/burnt-in-clock.ts'
import type { BenchContext } from '../../harness/context.ts'
import { makeLiveStream, startLiveProduct } from '../../harness/live-stream.ts'
import { percentile } from '../../harness/measure.ts'
import { hasNginxRtmp, startNginxRtmp } from '../../harness/nginx-rtmp.ts'
import { makeRow, type Row } from '../../harness/row.ts'

const hlsScript = createRequire(new URL('../../../player/package.json', import.meta.url)).resolve('hls.js')

/** Viewers join one after the other from this time, and are measured from five seconds later. */
const joinSeconds = 10
const settleSeconds = 5
const groupSeconds = 2
const sampleEveryMs = 70

interface Watched {
  readonly agesMs: readonly number[]
  readonly stalls: number
  readonly viewers: number
}

const encoderArguments = [
  ...['-nostdin', '-v', 'error'],
  ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=${clockPicture.width}x${clockPicture.height}:rate=30`],
  ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'],
  ...['-vf', burnInClock(), '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast'],
  ...['-tune', 'zerolatency', '-g', String(30 * groupSeconds), '-b:v', '1M', '-c:a', 'aac', '-f', 'flv'],
] as const

/**
 * Measures from the creation of a frame to its display in a Chromium on this machine, by a clock drawn into
 * it.
 */
export const measureLiveLatency = async (context: BenchContext): Promise<Row[]> => {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  })
  context.defer(() => browser.close())
  const limit = await measureNginx(context, browser)
  const product = await startLiveProduct(context)
  const rows: Row[] = []
  for (const { name, settings, goalSeconds, path } of modes) {
    const stream = await makeLiveStream(product, settings)
    const openPage = async () => {
      const page = await newPage(browser)
      // The page uses low latency when the stream is set to it, which also shortens the parts. The longer
      // segments exist anyway.
      await page.route('**/status.json', async (route) => {
        const response = await route.fetch()
        const status = (await response.json()) as object
        await route.fulfill({ response, json: { ...status, IsLowLatency: path === 'll.m3u8' } })
      })
      const isPlaylist = (sent: Request) => sent.url().endsWith(`/${path}`)
      await Promise.all([page.waitForRequest(isPlaylist), page.goto(stream.playerUrl)])
      return page
    }
    const watched = await watchBroadcast(context, name, stream.publishUrl, openPage)
    rows.push(...rowsOf(name, watched, limit, goalSeconds))
  }
  return rows
}

const modes = [
  { name: 'LL-HLS, parts of 167 ms', settings: { UseLowLatency: true }, goalSeconds: 0.7, path: 'll.m3u8' },
  { name: 'LL-HLS, parts of 334 ms', settings: { UseLowLatency: false }, goalSeconds: 1.3, path: 'll.m3u8' },
  { name: 'standard HLS', settings: { UseLowLatency: false }, goalSeconds: null, path: 'main.m3u8' },
] as const

/** Plays the HLS of nginx in hls.js with its default settings. */
const measureNginx = async (context: BenchContext, browser: Browser): Promise<Watched | null> => {
  if (!hasNginxRtmp()) {
    context.say('without nginx-rtmp: libnginx-mod-rtmp is not on this machine')
    return null
  }
  const nginx = await startNginxRtmp(context)
  const openPage = async () => {
    const page = await newPage(browser)
    await page.route('**/player-page', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<video muted playsinline></video>' }),
    )
    await page.goto(`${nginx.url}/player-page`)
    await page.addScriptTag({ path: hlsScript })
    await page.evaluate(`{
      const hls = new Hls()
      const video = document.querySelector('video')
      hls.on(Hls.Events.MANIFEST_PARSED, () => video.play())
      hls.loadSource(${JSON.stringify(nginx.playlistOf('bench'))})
      hls.attachMedia(video)
    }`)
    return page
  }
  return watchBroadcast(context, 'nginx-rtmp', `${nginx.publishUrl}/bench`, openPage)
}

const countStalls = `{
  self.stalls = 0
  const count = ({ target }) => { if (target.played.length > 0) self.stalls += 1 }
  document.addEventListener('waiting', count, true)
}`

const newPage = async (browser: Browser): Promise<Page> => {
  const { width, height } = clockPicture
  const page = await browser.newPage({ viewport: { width, height } })
  await page.addInitScript(countStalls)
  return page
}

const watchBroadcast = async (
  context: BenchContext,
  name: string,
  publishUrl: string,
  openPage: () => Promise<Page>,
): Promise<Watched> => {
  const [viewers, seconds] = context.isQuick ? [2, 7] : [4, 15]
  context.say(`${name}: ${viewers} × ${seconds} s`)
  const encoder = spawn('ffmpeg', [...encoderArguments, publishUrl], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(encoder, 'exit')
  const end = async (): Promise<void> => {
    encoder.kill('SIGINT')
    await exited
  }
  context.defer(end)
  const startedMs = performance.now()
  const untilSecond = (second: number) => delay(startedMs + second * 1_000 - performance.now())
  const samples: Sample[] = []
  let stalls = 0
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    // Each viewer joins at a different time within a segment, because the start position of whole-segment
    // players depends on it.
    const joinAt = joinSeconds + viewer * (settleSeconds + seconds + groupSeconds / viewers)
    await untilSecond(joinAt)
    const page = await openPage()
    await untilSecond(joinAt + settleSeconds)
    samples.push(...(await samplePicture(page, seconds)))
    stalls += await page.evaluate<number>('stalls')
    // A pending route handler would fail when the page closes.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  }
  await end()
  const agesMs = samples.flatMap(({ cells, atMs }) => ageOfPicture(cells, atMs) ?? [])
  if (agesMs.length < samples.length / 2) throw new Error(`${name}: most of the time there was no picture.`)
  return { agesMs, stalls, viewers }
}

interface Sample {
  readonly atMs: number
  readonly cells: number[]
}

/** Samples the displayed frame repeatedly, so a stalled picture ages. */
const samplePicture = (page: Page, seconds: number): Promise<Sample[]> =>
  page.evaluate(
    async ({ seconds: length, everyMs, cellCount, stripRatio }) => {
      const video = document.querySelector('video')
      const drawing = new OffscreenCanvas(cellCount, 1).getContext('2d', { willReadFrequently: true })
      if (video === null || drawing === null) throw new Error('There is no video on the page.')
      const samples: { atMs: number; cells: number[] }[] = []
      const timer = setInterval(() => {
        const { videoWidth, videoHeight } = video
        drawing.drawImage(video, 0, 0, videoWidth, videoHeight * stripRatio, 0, 0, cellCount, 1)
        const atMs = Date.now()
        const { data } = drawing.getImageData(0, 0, cellCount, 1)
        samples.push({ atMs, cells: Array.from({ length: cellCount }, (_, cell) => data[4 * cell + 1] ?? 0) })
      }, everyMs)
      await new Promise((resolve) => setTimeout(resolve, length * 1_000))
      clearInterval(timer)
      return samples
    },
    {
      seconds,
      everyMs: sampleEveryMs,
      cellCount: clockCells,
      stripRatio: clockPicture.cellPixels / clockPicture.height,
    },
  )

const rowsOf = (name: string, watched: Watched, limit: Watched | null, goalSeconds: number | null): Row[] => {
  const at = ({ agesMs }: Watched, percent: number) => percentile(agesMs, percent) / 1_000
  return [50, 95].map((percent) =>
    makeRow({
      name: `glass to glass, ${name}, p${percent}`,
      value: at(watched, percent),
      unit: 's',
      ...(limit === null ? {} : { limit: { name: 'HLS of nginx-rtmp', value: at(limit, percent) } }),
      ...(goalSeconds === null || percent !== 50
        ? {}
        : { goal: { of: 'value' as const, atMost: goalSeconds } }),
      note: `${watched.agesMs.length} looks at the screen of ${watched.viewers} viewers, who stalled ${watched.stalls} times`,
    }),
  )
}

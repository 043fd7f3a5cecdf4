import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { makeSample } from './support/media.ts'
import { playbackSoFar, tracePlayback, traceRequests, type TracedRequest } from './support/playback-trace.ts'
import { openPlayerPage, shakaPlayer, videoJs, webPlayers, type WebPlayer } from './support/player-page.ts'
import { startSlowRelay, type SlowRelay } from './support/slow-relay.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

/** Plays files whose rungs have yet to be encoded, in players, over lines of viewers. */

const seconds = 20
const slowBitsPerSecond = 1_000_000
const fastBitsPerSecond = 20_000_000
/** What a busy machine may add, apart from whole waits for its encoders that are longer than this. */
const toleratedMs = 1_000

/**
 * By default, Shaka believes what Chromium says of the network (10 Mbit/s here) until it has loaded 128 kB, which is more than
 * most segments of this test.
 */
const settingsOfShaka = { abr: { useNetworkInformation: false, advanced: { minTotalBytes: 16_000 } } }
const others = [
  ...webPlayers.filter(({ name }) => !name.startsWith('Shaka')),
  ...[shakaPlayer('hls', settingsOfShaka), shakaPlayer('dash', settingsOfShaka), videoJs],
]
const players = [
  { name: 'our player', player: null },
  ...others.map((player) => ({ name: player.name, player })),
]

let server: TestServer
let browser: Browser
let projectId: number
let sample: Buffer
/** One for each player: what a player requests is no longer cold. */
const coldFiles: ColdFile[] = []
const relays: SlowRelay[] = []

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await openBrowser()
  projectId = await newProject({
    Renditions: [
      { Height: 90, VideoBitRate: 300_000 },
      { Height: 64, VideoBitRate: 150_000 },
    ],
  })
  // Noise, so that the slow line cannot carry the source.
  sample = await makeSample({
    seconds,
    extra: [
      ...['-vf', 'noise=alls=40:allf=t', '-b:v', '1600k', '-maxrate', '1600k', '-bufsize', '800k'],
      ...['-sc_threshold', '0', '-ac', '2'],
    ],
  })
  while (coldFiles.length < players.length) coldFiles.push(await uploadCold())
})

afterAll(async () => {
  await closePages(browser)
  await Promise.all(relays.map((relay) => relay.close()))
  await server.stop()
})

interface Ladder {
  readonly VideoCodecs?: readonly string[]
  readonly Renditions: readonly { readonly Height: number; readonly VideoBitRate: number }[]
}

const newProject = async (ladder: Ladder): Promise<number> => {
  const { body } = await server.call('POST', '/projects', {
    body: {
      Name: 'Cold',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'on-demand', ...ladder },
    },
  })
  return body.Id
}

interface ColdFile {
  /** Path of the file record in the API. */
  readonly path: string
  readonly playoutId: string
  /** Ids of the rungs, as in the URLs of their segments. */
  readonly rungs: readonly string[]
}

const uploadCold = async (intoProject = projectId): Promise<ColdFile> => {
  const path = `/projects/${intoProject}/files`
  const created = await server.call('POST', path, { body: { FileName: 'cold.mp4' } })
  await request(created.body.Upload.URI, 'PUT', { body: sample })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  const cold = body.Renditions.filter(({ State }: { State: string }) => State === 'on-demand')
  expect(cold.length).toBeGreaterThanOrEqual(2)
  return {
    path: `${path}/${body.Id}`,
    playoutId: body.Playouts[0].Id,
    rungs: cold.map(({ Id }: { Id: number }) => String(Id)),
  }
}

const openLine = async (bitsPerSecond: number): Promise<SlowRelay & { readonly origin: string }> => {
  const relay = await startSlowRelay(Number(new URL(server.url).port), { bitsPerSecond })
  relays.push(relay)
  return { ...relay, origin: `http://127.0.0.1:${relay.port}` }
}

const coldSegments = (requests: readonly TracedRequest[], rungs: readonly string[]): string[] =>
  requests
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.m4s') && rungs.includes(name.split('/')[0] ?? ''))

const position = (page: Page, atLeast: number) =>
  page.waitForFunction((wanted) => (document.querySelector('video')?.currentTime ?? 0) >= wanted, atLeast)

/** Expects playback from the first frame to `toSeconds` without an error or a stall. */
const expectSmooth = async (page: Page, requests: readonly TracedRequest[], toSeconds: number) => {
  await position(page, toSeconds)
  const { stalls } = await playbackSoFar(page)
  const stalledMs = stalls.reduce((sum, { forMs }) => sum + forMs, 0)
  const lateMs = requests.reduce((sum, { waitMs }) => sum + (waitMs > toleratedMs ? waitMs : 0), 0)
  expect(stalledMs, JSON.stringify({ stalls, requests })).toBeLessThan(toleratedMs + lateMs)
  expect(requests.filter(({ status }) => (status ?? 200) >= 400)).toEqual([])
}

const openOwn = async (origin: string, playoutId: string) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 180 } })
  await tracePlayback(page)
  const requests = traceRequests(page)
  await page.goto(`${origin}/embed/${playoutId}?autoplay=1&muted=1`)
  return { page, requests }
}

const openOther = async (origin: string, playoutId: string, { script, start, kind }: WebPlayer) => {
  let requests: readonly TracedRequest[] = []
  const { page } = await openPlayerPage(browser, origin, {
    script,
    start,
    url: `${origin}/v/${playoutId}/main.${kind === 'dash' ? 'mpd' : 'm3u8'}`,
    watcher: {
      prepare: async (made) => {
        await tracePlayback(made)
        requests = traceRequests(made)
      },
    },
  })
  return { page, requests }
}

test.concurrent.each(players)(
  '$name plays a file with cold rungs without a stall at 1 Mbit/s from the start, and on when the line becomes fast',
  async ({ player }) => {
    const { playoutId, rungs } = coldFiles.pop()!
    const { origin, setRate } = await openLine(slowBitsPerSecond)
    const { page, requests } =
      player === null ? await openOwn(origin, playoutId) : await openOther(origin, playoutId, player)
    await expectSmooth(page, requests, seconds / 2)
    expect(coldSegments(requests, rungs).length).toBeGreaterThan(0)
    setRate(fastBitsPerSecond)
    await expectSmooth(page, requests, seconds - 0.7)
    if (player !== null) expect(await page.evaluate('window.faults')).toEqual([])
    await page.close()
  },
)

test('our player stays on the source on a fast line, also in a small frame, and has nothing encoded', async () => {
  const { playoutId, rungs } = await uploadCold()
  const { origin } = await openLine(fastBitsPerSecond)
  const { page, requests } = await openOwn(origin, playoutId)
  await expectSmooth(page, requests, 5)
  expect(coldSegments(requests, rungs)).toEqual([])
  await page.close()
})

test('our player plays AV1 once its ladder is complete, while H.264 below the source is still cold', async () => {
  const ladder = {
    VideoCodecs: ['h264', 'av1'],
    // AV1 has a rung of the size of the source.
    Renditions: [
      { Height: 180, VideoBitRate: 1_000_000 },
      { Height: 90, VideoBitRate: 300_000 },
    ],
  }
  const { path, playoutId } = await uploadCold(await newProject(ladder))
  type Rendition = Readonly<Record<'Name' | 'State' | 'Type', string>> & { readonly Id: number }
  const renditions = async (): Promise<Rendition[]> =>
    (await server.call('GET', path)).body.Renditions.filter(({ Type }: Rendition) => Type === 'video')
  const source = (await renditions()).find(({ Name }) => Name === 'source')
  expect((await fetch(`${server.url}/v/${playoutId}/${source?.Id}/0.m4s`)).status).toBe(200)
  const all = await waitFor(renditions, (list) =>
    list.every(({ Name, State }) => !Name.endsWith('-av1') || State === 'ready'),
  )
  const stateOf = (name: string) => all.find(({ Name }) => Name === name)?.State
  expect([stateOf('90p-av1'), stateOf('90p')]).toEqual(['ready', 'on-demand'])
  const { origin } = await openLine(fastBitsPerSecond)
  const { page, requests } = await openOwn(origin, playoutId)
  await expectSmooth(page, requests, 5)
  const inAv1 = all.filter(({ Name }) => Name.endsWith('-av1')).map(({ Id }) => String(Id))
  const inH264 = all.filter(({ Name }) => !Name.endsWith('-av1')).map(({ Id }) => String(Id))
  expect(coldSegments(requests, inAv1).length).toBeGreaterThan(1)
  expect(coldSegments(requests, inH264)).toEqual([])
  await page.close()
})

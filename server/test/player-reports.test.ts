import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ViewState } from '../src/analytics/sessions/view-state.ts'
import { closePages, openBrowser } from './support/browser.ts'
import {
  isWaiting,
  measuredSoFar,
  measurePlaying,
  userAgentOfViewers,
  type Measured,
} from './support/measure-playing.ts'
import { makeSample } from './support/media.ts'
import { openPlayerPage, playerScripts } from './support/player-page.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

/** Compares what players report with what their page measures: our player, and others with the lines of docs/analytics.md. */

const seconds = 5

type Reported = Pick<ViewState, 'watchMs' | 'rebuffers' | 'rebufferMs'>

let server: TestServer
let browser: Browser
let playout: { readonly HLS: string; readonly DASH: string; readonly EmbedURI: string }

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  browser = await openBrowser()
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Reports',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 180 }, { Height: 144 }] },
    },
  })
  const path = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', path, { body: { FileName: 'reports.mp4' } })
  const source = await makeSample({ seconds, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  await request(created.body.Upload.URI, 'PUT', { body: source })
  const { body } = await waitFor(
    () => server.call('GET', `${path}/${created.body.Id}`),
    ({ body: file }) => file.IsFinished,
  )
  playout = body.Playouts[0]
})

afterAll(async () => {
  await closePages(browser)
  await server.stop()
})

type DocumentedPlayer = 'hls' | 'dash' | 'shaka'

/** What the script of each player contains, and no other script of the page. */
const createsPlayer = { hls: 'new Hls(', dash: 'player.updateSettings(', shaka: 'player.configure(' }

const documented = async (player: DocumentedPlayer): Promise<string> => {
  const text = await readFile(new URL('../../docs/analytics.md', import.meta.url), 'utf8')
  const scripts = [...text.matchAll(/<script type="module">\n([^]*?)<\/script>/g)].map(
    ([, script = '']) => script,
  )
  const found = scripts.filter((script) => script.includes(createsPlayer[player]))
  expect(found).toHaveLength(1)
  return found[0]!.replace(/const playout = '[^']*'/, "const playout = url.replace(/\\/main\\..*/, '')")
}

const aroundLines = {
  hls: ['', ''],
  dash: ['const player = dashjs.MediaPlayer().create()', 'player.initialize(video, url, false)'],
  shaka: ['const player = new shaka.Player()\nawait player.attach(video)', 'await player.load(url)'],
} as const

type Prepare = (page: Page) => Promise<unknown>

const measure: Prepare = (page) => page.addInitScript(measurePlaying)

const openDocumented = async (player: DocumentedPlayer, prepare: Prepare): Promise<Page> => {
  const [before, after] = aroundLines[player]
  const { page } = await openPlayerPage(browser, server.url, {
    ...{ script: playerScripts[player], url: player === 'hls' ? playout.HLS : playout.DASH },
    start: `${before}\n${await documented(player)}\n${after}`,
    watcher: { userAgent: userAgentOfViewers, prepare },
  })
  return page
}

const openOurs = async (prepare: Prepare): Promise<Page> => {
  const page = await browser.newPage({ userAgent: userAgentOfViewers })
  await prepare(page)
  await page.goto(playout.EmbedURI)
  await page.locator('.big-play').click()
  return page
}

const players = [
  ['zoetrope', openOurs],
  ['hls.js', (prepare: Prepare) => openDocumented('hls', prepare)],
  ['dash.js', (prepare: Prepare) => openDocumented('dash', prepare)],
] as const

const hasEnded = (page: Page) => page.waitForFunction(() => document.querySelector('video')?.ended === true)

/**
 * When dash.js notices the end before the browser does, it goes half a second back (`seekDurationBackoff`) and pauses, or seeks
 * again and again. Then the video never ends.
 */
const hasEndedOrGoesBack = (page: Page) =>
  page.waitForFunction(() => {
    const video = document.querySelector('video')
    if (video === null) return false
    return video.ended || ((video.seeking || video.paused) && video.duration - video.currentTime < 0.6)
  })

const openViews = async (): Promise<readonly ViewState[]> => {
  const rows = await server.services.database.kysely.selectFrom('open_views').select('state').execute()
  return rows.map(({ state }) => state as ViewState)
}

/** dash.js does not report that its page closes, so its view stays open. */
const openViewAtTheEnd = async (): Promise<Reported> => {
  const hasPlayedAll = ({ sta, watchMs, dimensions }: ViewState): boolean =>
    dimensions['player'] === 'dash.js' &&
    watchMs > (seconds - 1) * 1_000 &&
    ['e', 'a', 'k'].includes(sta ?? '')
  const [view] = await waitFor(
    async () => (await openViews()).filter(hasPlayedAll),
    (views) => views.length > 0,
  )
  await server.services.database.kysely
    .deleteFrom('open_views')
    .where(sql`state->'dimensions'->>'player'`, '=', 'dash.js')
    .execute()
  return view!
}

const endedViews = new Map<string, number>()

const endedView = async (player: string): Promise<Reported> => {
  const count = (endedViews.get(player) ?? 0) + 1
  endedViews.set(player, count)
  const { body } = await waitFor(
    () => server.call('GET', `/analytics/sessions?player=${player}`),
    ({ body: list }) => list.Views.length === count,
  )
  const [view] = body.Views
  expect(view).toMatchObject({ Kind: 'viewer', Source: 'reports', HasStarted: true, HasFailed: false })
  expect(view).toMatchObject({ Format: 'hls', Stream: 'vod', Device: 'desktop' })
  return {
    watchMs: view.WatchSeconds * 1_000,
    rebuffers: view.Rebuffers,
    rebufferMs: view.RebufferMs,
  }
}

/** 1 %, but timers of the page and of the player differ by some frames. */
const expectClose = (reportedMs: number, measuredMs: number): void =>
  expect(Math.abs(reportedMs - measuredMs)).toBeLessThan(Math.max(measuredMs * 0.01, 100))

/** Waits until the video has ended, and compares what its player reported with what the page measured. */
const expectTruth = async (page: Page, player: string): Promise<Measured> => {
  await (player === 'dash.js' ? hasEndedOrGoesBack : hasEnded)(page)
  const measured = await page.evaluate(measuredSoFar)
  await page.goto('about:blank')
  const reported = player === 'dash.js' ? await openViewAtTheEnd() : await endedView(player)
  await page.close()
  expect(reported.rebuffers).toBe(measured.rebuffers)
  expectClose(reported.rebufferMs, measured.rebufferMs)
  expectClose(reported.watchMs, measured.playedMs)
  return measured
}

describe('without trouble', () => {
  test.concurrent.each(players)('%s reports what it plays', async (player, open) => {
    const measured = await expectTruth(await open(measure), player)
    expect(measured).toMatchObject({ rebuffers: 0, rebufferMs: 0 })
  })

  test.concurrent('hls.js reports its playhead', async () => {
    const reports: string[] = []
    const page = await openDocumented('hls', (opened) =>
      opened.route('**/cmcd?*', (route) => {
        reports.push(route.request().postData() ?? '')
        return route.fulfill({ status: 204 })
      }),
    )
    await hasEnded(page)
    await waitFor(
      async () => reports.filter((text) => /\bsta=e\b/.test(text)),
      (ends) => ends.length > 0,
    )
    // Without its playhead, the first report of playing leaves out what follows in the heat map.
    expect(reports.filter((text) => /\bsta=p\b/.test(text) && !text.includes('zoetrope-pt='))).toEqual([])
    const playheads = reports.map((text) => Number(/com\.zoetrope-pt=(\d+)/.exec(text)?.[1] ?? 0))
    expect(Math.max(...playheads)).toBeGreaterThan((seconds - 1) * 1_000)
    await page.close()
  })

  test.concurrent('Shaka reports what it loads', async () => {
    const page = await openDocumented('shaka', measure)
    await hasEnded(page)
    const [view] = await waitFor(
      async () => (await openViews()).filter(({ loadedVideoMs }) => loadedVideoMs >= seconds * 1_000 - 100),
      (views) => views.length > 0,
    )
    expect(view).toMatchObject({ hasStates: false, dimensions: { format: 'dash' } })
    await page.close()
  })
})

describe('when segments do not arrive', () => {
  test.concurrent.each(players)('%s reports how long it waits', async (player, open) => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const page = await open(async (opened) => {
      await measure(opened)
      await opened.route(/\/[1-9]\d*\.m4s/, async (route) => {
        await released
        await route.continue()
      })
    })
    await page.waitForFunction(isWaiting)
    await page.waitForTimeout(1_500)
    release()
    const measured = await expectTruth(page, player)
    expect(measured.rebuffers).toBe(1)
    expect(measured.rebufferMs).toBeGreaterThan(1_500)
  })
})

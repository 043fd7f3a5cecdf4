import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'

const require = createRequire(import.meta.url)

export const playerScripts = {
  // The version that our own player uses.
  hls: createRequire(new URL('../../../player/package.json', import.meta.url)).resolve('hls.js'),
  shaka: require.resolve('shaka-player'),
  dash: require.resolve('dashjs'),
  video: require.resolve('video.js/dist/video.min.js'),
}

export interface WebPlayer {
  readonly name: string
  readonly script: string
  readonly kind: 'hls' | 'dash'
  /** Code that receives `url` and `video` and reports errors through `fail`. */
  readonly start: string
}

export const shakaPlayer = (kind: WebPlayer['kind'], settings: object = {}): WebPlayer => ({
  name: `Shaka with ${kind.toUpperCase()}`,
  script: playerScripts.shaka,
  kind,
  start: `const player = new shaka.Player()
      player.configure(${JSON.stringify(settings)})
      player.addEventListener('error', ({ detail }) => fail(detail.code + ' ' + detail.data))
      await player.attach(video)
      await player.load(url).catch(({ code, data }) => fail(code + ' ' + data))`,
})

export const webPlayers: readonly WebPlayer[] = [
  {
    name: 'hls.js',
    script: playerScripts.hls,
    kind: 'hls',
    start: `const player = new Hls()
      player.on(Hls.Events.ERROR, (_event, data) => data.fatal && fail(data.details))
      player.loadSource(url)
      player.attachMedia(video)`,
  },
  shakaPlayer('hls'),
  shakaPlayer('dash'),
  {
    name: 'dash.js',
    script: playerScripts.dash,
    kind: 'dash',
    start: `const player = dashjs.MediaPlayer().create()
      player.on('error', ({ error }) => fail(error.message))
      player.initialize(video, url, false)`,
  },
]

export const videoJs: WebPlayer = {
  name: 'video.js',
  script: playerScripts.video,
  kind: 'hls',
  start: `const player = videojs(video)
      player.on('error', () => fail(player.error().message))
      player.src({ src: url, type: 'application/x-mpegURL' })`,
}

export interface PlayerPage {
  readonly page: Page
  /** URLs of all requests so far, answered or not. */
  readonly requested: ReadonlySet<string>
}

export const openPlayerPage = async (
  browser: Browser,
  origin: string,
  {
    script,
    start,
    url,
    watcher = {},
  }: {
    readonly script: string | null
    readonly start: string
    readonly url: string
    /** A browser that is not recognised as a program, and what to do before the page loads. */
    readonly watcher?: { readonly userAgent?: string; readonly prepare?: (page: Page) => Promise<unknown> }
  },
): Promise<PlayerPage> => {
  const { userAgent, prepare } = watcher
  const page = await browser.newPage({
    viewport: { width: 640, height: 360 },
    ...(userAgent === undefined ? {} : { userAgent }),
  })
  await prepare?.(page)
  const requested = new Set<string>()
  page.on('request', (sent) => requested.add(sent.url()))
  await page.route('**/player-page', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><video muted></video>' }),
  )
  await page.goto(`${origin}/player-page`)
  if (script !== null) await page.addScriptTag({ path: script })
  await page.evaluate(
    `window.faults = []
     const fail = (fault) => window.faults.push(String(fault))
     const url = ${JSON.stringify(url)}
     const video = document.querySelector('video')
     video.addEventListener('error', () => fail(video.error.message))
     window.firstPicture = new Promise((resolve) =>
       video.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime)),
     )
     window.soughtSeconds = 0
     video.addEventListener('seeking', () => {
       window.soughtSeconds = Math.max(window.soughtSeconds, video.currentTime)
     })
     ;(async () => { ${start} })().then(() => video.play()).catch(fail)`,
  )
  return { page, requested }
}

export const strangersIn = ({ requested }: PlayerPage, origin: string): string[] =>
  [...requested].filter((url) => /^(http|ws)/.test(url) && new URL(url).host !== new URL(origin).host)

import { chromium, type Browser } from 'playwright-core'
import { findProgram } from './find-program.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const

/** Returns the path of the installed Chromium or Chrome. `./zoetrope test` installs one. */
export const findBrowser = async (): Promise<string> => {
  const path = await findProgram(...names)
  if (path === null)
    throw new Error(`No browser was found: install chromium (looked for ${names.join(', ')} in PATH).`)
  return path
}

/** Debian's build of Chromium without windows needs a third less CPU. */
const findHeadless = async (): Promise<string> =>
  (await findProgram('chromium-headless-shell')) ?? (await findBrowser())

/** Ends a wait that hangs; it does not measure speed. */
const pageTimeoutMs = 120_000

const launch = async (executablePath: string): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  browser.on('context', (context) => context.setDefaultTimeout(pageTimeoutMs))
  return browser
}

const launchShared = async (): Promise<Browser> => {
  const browser = await launch(await findHeadless())
  browser.once('disconnected', () => {
    shared = null
  })
  return browser
}

let shared: Promise<Browser> | null = null

/**
 * One Chromium for all test files of a worker, which ends with the worker: a start costs a second of CPU.
 * Each page has its own context, so pages share nothing.
 */
export const openBrowser = (): Promise<Browser> => (shared ??= launchShared())

/** A browser with a window system, for pages that never finish in the headless build. Close it. */
export const openWholeBrowser = async (): Promise<Browser> => launch(await findBrowser())

/**
 * Closes the pages of a test file: an open page, such as a playing video, would keep running during the next
 * file.
 */
export const closePages = async (browser: Browser): Promise<void> => {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

import { chromium, type Browser } from 'playwright-core'
import { findProgram } from './find-program.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const

/** Path of the machine's Chromium or Chrome; `./zoetrope test` installs one. */
export const findBrowser = async (): Promise<string> => {
  const path = await findProgram(...names)
  if (path === null)
    throw new Error(`No browser was found: install chromium (looked for ${names.join(', ')} in PATH).`)
  return path
}

const launch = async (): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  browser.once('disconnected', () => {
    shared = null
  })
  return browser
}

let shared: Promise<Browser> | null = null

/** One Chromium for all test files of a worker, whose end is its end: a start costs a second of CPU. Pages share nothing, each has a context of its own. */
export const openBrowser = (): Promise<Browser> => (shared ??= launch())

/** What a test file leaves open, such as a video that plays, would go on beside the next one. */
export const closePages = async (browser: Browser): Promise<void> => {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findBrowser } from '../../server/test/support/browser.ts'
import type { Filled } from './fill-product.ts'
import { screenPicture, schemes, screens, type Scheme, type Screen } from './pictures.ts'
import { runProgram } from './run-program.ts'

/** The address on all pictures, whatever port the product has. */
export const shownUrl = 'http://localhost:8080'

const width = 1280
const height = 800

/** Chromium that finds the product at the shown address. */
export const openBrowser = async (productUrl: string): Promise<Browser> =>
  chromium.launch({
    executablePath: await findBrowser(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb'],
      '--autoplay-policy=no-user-gesture-required',
      `--host-resolver-rules=MAP ${new URL(shownUrl).host} ${new URL(productUrl).host}`,
    ],
  })

export interface Person {
  readonly email: string
  readonly password: string
}

const pathOf = ({ projectId, fileId, liveProjectId, webhookId }: Filled): Record<Screen, string> => ({
  library: `/projects/${projectId}/files`,
  file: `/projects/${projectId}/files/${fileId}`,
  live: `/projects/${liveProjectId}/live`,
  webhooks: `/notifications/${webhookId}`,
})

const playIn = async (page: Page): Promise<void> => {
  const frame = page.frames().find((one) => one.url().includes('/embed/'))
  await frame?.evaluate(() => {
    const video = document.querySelector('video')
    if (video === null) return
    video.muted = true
    // Do not wait: the promise of a stream without data never settles.
    video.play().catch(() => {})
  })
}

const settleMs: Record<Screen, number> = { library: 1_500, file: 6_000, live: 12_000, webhooks: 1_500 }

const signIn = async (productUrl: string, { email, password }: Person) => {
  const answer = await fetch(`${productUrl}/v3/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Email: email, Password: password }),
  })
  if (!answer.ok) throw new Error(`cannot sign in: ${await answer.text()}`)
  return answer.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: shownUrl }
  })
}

/** Saves each screen of the console as a WebP, in light and dark. */
export const photographScreens = async (
  browser: Browser,
  productUrl: string,
  filled: Filled,
  person: Person,
  folder: string,
): Promise<void> => {
  const cookies = await signIn(productUrl, person)
  const take = async (scheme: Scheme): Promise<void> => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    await context.addCookies(cookies)
    const page = await context.newPage()
    for (const screen of screens) {
      await page.goto(`${shownUrl}/console${pathOf(filled)[screen]}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {})
      await playIn(page)
      await page.waitForTimeout(settleMs[screen])
      const raw = join(folder, `${screen}-${scheme}.png`)
      await page.screenshot({ path: raw })
      await encodeStill(raw, join(folder, screenPicture(screen, scheme)))
    }
    await context.close()
  }
  for (const scheme of schemes) await take(scheme)
}

export const encodeStill = async (source: string, target: string): Promise<void> => {
  await runProgram('ffmpeg', [
    ...['-v', 'error', '-y', '-i', source, '-frames:v', '1'],
    ...['-c:v', 'libwebp', '-quality', '82', '-compression_level', '6', '-preset', 'text', target],
  ])
}

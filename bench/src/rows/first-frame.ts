import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { findBrowser } from '../../../server/test/support/browser.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { percentile } from '../harness/measure.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { sendFile } from './playable.ts'
import { untilFinished } from './whole-file.ts'

const goalMs = 300
/** Time from the pointer or the focus on the player to the click, in which the page loads its engine. */
const aimMs = 400

const ways = ['mouse', 'keyboard', 'unannounced'] as const
type Way = (typeof ways)[number]

interface Requested {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

/** Milliseconds since the click. */
interface Click {
  readonly shownMs: number
  readonly requests: readonly Requested[]
}

/**
 * Measures from the click on the big button of an embed page to the first frame on the screen of a Chromium on
 * this machine. Each click is that of a new viewer, whose browser has cached nothing.
 */
export const measureFirstFrame = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const embedUrl = await publishSample(context, product)
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  context.defer(() => browser.close())
  const clicks = context.isQuick ? 5 : 40
  const rows: Row[] = []
  for (const way of ways) {
    context.say(`${way}: ${clicks} clicks`)
    const made: Click[] = []
    // The first viewer warms the file up.
    for (let click = 0; click <= clicks; click += 1) {
      const one = await clickOnce(browser, embedUrl, way)
      if (click > 0) made.push(one)
    }
    const shown = made.map(({ shownMs }) => shownMs)
    const median = made.toSorted((one, other) => one.shownMs - other.shownMs)[Math.floor(made.length / 2)]
    for (const percent of [50, 95])
      rows.push(
        makeRow({
          name: `click to first frame, ${way}, p${percent}`,
          value: percentile(shown, percent),
          unit: 'ms',
          // An unannounced click, such as that of a script, also loads the engine.
          ...(way !== 'unannounced' && { goal: { of: 'value', atMost: goalMs } }),
          ...(percent === 50 && median !== undefined ? { note: traceOf(median) } : {}),
        }),
      )
  }
  return rows
}

const traceOf = ({ requests, shownMs }: Click): string =>
  [
    ...requests.map(({ name, fromMs, toMs }) => `${name} ${fromMs.toFixed(0)}–${toMs.toFixed(0)}`),
    `frame ${shownMs.toFixed(0)}`,
  ].join(', ')

const publishSample = async (context: BenchContext, product: Product): Promise<string> => {
  const source = { codec: 'h264', container: 'mp4', seconds: context.isQuick ? 6 : 20 } as const
  const path = await makeSampleSource(context.workFolder, source)
  const { size: sizeBytes } = await stat(path)
  const project = await product.call('POST', '/projects', {
    Name: 'Player',
    DefaultReleaseStatus: 'published',
  })
  const files = `/projects/${project.body.Id}/files`
  const created = await product.call('POST', files, { FileName: basename(path), FileSize: sizeBytes })
  const { answer } = await sendFile(created.body.Upload.URI, path, sizeBytes)
  await answer
  context.say('the ladder is encoded')
  const file = await untilFinished(product, `${files}/${created.body.Id}`)
  return file.Playouts[0].EmbedURI
}

const watchFirstFrame = `
  self.firstFrame = new Promise((resolve) => {
    const watch = ({ timeStamp }) => {
      const since = (ms) => ms - timeStamp
      document.querySelector('video').requestVideoFrameCallback((now) => resolve({
        shownMs: since(now),
        requests: performance.getEntriesByType('resource')
          .filter(({ startTime }) => startTime >= timeStamp)
          .map(({ name, startTime, responseEnd }) => ({
            name: new URL(name).pathname.split('/').slice(-2).join('/'),
            fromMs: since(startTime),
            toMs: since(responseEnd),
          })),
      }))
    }
    addEventListener('click', watch, { capture: true, once: true })
  })`

const clickOnce = async (browser: Browser, embedUrl: string, way: Way): Promise<Click> => {
  const viewer = await browser.newContext({ viewport: { width: 1280, height: 720 } })
  try {
    const page = await viewer.newPage()
    await page.addInitScript(watchFirstFrame)
    await page.goto(embedUrl, { waitUntil: 'load' })
    const button = page.locator('.big-play')
    await button.waitFor()
    if (way === 'mouse') {
      await page.mouse.move(640, 360)
      await page.waitForTimeout(aimMs)
      await page.mouse.down()
      await page.mouse.up()
    } else if (way === 'keyboard') {
      // The big button is for pointers; the keyboard has the one in the controls.
      const control = page.locator('.controls .play')
      while (!(await control.evaluate((one) => one === document.activeElement)))
        await page.keyboard.press('Tab')
      await page.waitForTimeout(aimMs)
      await page.keyboard.press('Enter')
    } else {
      // Neither focus nor pointer announces it.
      await page.waitForTimeout(aimMs)
      await button.evaluate((one: HTMLElement) => one.click())
    }
    return await page.evaluate<Click>('firstFrame')
  } finally {
    await viewer.close()
  }
}

import { chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../../server/test/support/browser.ts'
import { makeManyFiles, type ManyFiles } from '../content/many-files.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { median, percentile } from '../harness/measure.ts'
import { startProduct } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { inviteVisitor, type Visitor } from '../harness/visitor.ts'

const paintGoalMs = 1_000
const interactionGoalMs = 100

interface Screen {
  readonly name: string
  readonly path: string
  /** Selector of the content. */
  readonly shown: string
}

interface Interaction {
  readonly name: string
  /** What the user does before it, such as scrolling, which is no interaction (INP). */
  readonly prepare?: (page: Page) => Promise<void>
  readonly act: (page: Page) => Promise<void>
  /** Selector of the result, which may need an answer of the server. */
  readonly shown: string
  readonly undo: (page: Page) => Promise<void>
}

/**
 * Measures the console in a Chromium on this machine, in a project with a hundred thousand files: the first
 * contentful paint of a browser without a cache (Paint Timing, W3C), and the longest event of each interaction
 * up to the next paint (Event Timing, W3C), as INP does.
 */
export const measureConsole = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const many = await makeManyFiles(context, product)
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  context.defer(() => browser.close())
  const visitor = await inviteVisitor(browser, product, { width: 1440, height: 900 })
  const console = `${product.url}/console`
  const runs = context.isQuick ? 3 : 15
  const rows: Row[] = []
  for (const screen of screensOf(many)) {
    context.say(`${screen.name}: ${runs} loads`)
    rows.push(...(await measureLoads(visitor, console, screen, runs)))
  }
  context.say(`${interactions.length} interactions, ${runs} times`)
  rows.push(...(await measureInteractions(visitor, `${console}/projects/${many.projectId}/files`, runs)))
  return rows
}

const firstRow = '.data-table tbody tr:not([aria-hidden])'
const row = (place: number): string => `${firstRow}:nth-child(${place})`

const screensOf = ({ projectId, count }: ManyFiles): readonly Screen[] => [
  { name: 'Start', path: '/', shown: '.overview-files a' },
  { name: 'Library, list', path: `/projects/${projectId}/files`, shown: row(50) },
  {
    name: 'Library, page in the middle',
    path: `/projects/${projectId}/files?page=${count / 100}`,
    shown: row(50),
  },
  { name: 'Library, search', path: `/projects/${projectId}/files?search=mountains`, shown: row(50) },
]

/** The first paint is the frame of the page; this is the first render of the screen, still without its data. */
const watchScreen = `
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('.screen h1') === null) return
    self.screenMs = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`

const measureLoads = async (
  visitor: Visitor,
  console: string,
  { name, path, shown }: Screen,
  runs: number,
): Promise<Row[]> => {
  const paints: number[] = []
  const screens: number[] = []
  const contents: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const browser = await visitor.open()
    const page = await browser.newPage()
    await page.addInitScript(watchScreen)
    await page.goto(`${console}${path}`)
    await page.locator(shown).first().waitFor()
    contents.push(await page.evaluate(() => performance.now()))
    screens.push(await page.evaluate<number>('self.screenMs'))
    paints.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    )
    await browser.close()
  }
  const note = `p95 ${percentile(paints, 95).toFixed(0)} ms; screen after ${median(screens).toFixed(0)} ms, content after ${median(contents).toFixed(0)} ms (medians)`
  return [
    makeRow({
      name: `${name}: first contentful paint`,
      value: median(paints),
      unit: 'ms',
      goal: { of: 'value', atMost: paintGoalMs },
      note,
    }),
  ]
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const palette = '[role=dialog] input[type=search]'

const interactions: readonly Interaction[] = [
  {
    name: 'type in the search field',
    act: (page) => page.getByRole('searchbox').pressSequentially('take77', { delay: 40 }),
    shown: 'text=/^1–50 of [\\d,]{1,5}$/',
    undo: (page) => page.getByRole('searchbox').fill(''),
  },
  {
    name: 'open the filters',
    act: (page) => button(page, 'Filter').click(),
    shown: '[role=menuitem]',
    undo: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'next page',
    prepare: (page) => button(page, 'Next page').scrollIntoViewIfNeeded(),
    act: (page) => button(page, 'Next page').click(),
    shown: 'text=/^51–100 of/',
    undo: (page) => button(page, 'Previous page').click(),
  },
  {
    name: 'select all on the page',
    act: (page) => page.getByRole('checkbox', { name: 'Select all on this page' }).click(),
    shown: 'text=50 files selected',
    undo: (page) => button(page, 'Clear selection').click(),
  },
  {
    name: 'show as grid',
    act: (page) => page.locator('label:has([aria-label=Grid])').click(),
    shown: '.library-card',
    undo: (page) => page.locator('label:has([aria-label=List])').click(),
  },
  {
    name: 'open the palette',
    act: (page) => page.keyboard.press('Control+k'),
    shown: palette,
    undo: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'type in the palette',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.locator(palette).pressSequentially('take77', { delay: 40 })
    },
    shown: '[role=dialog] [role=option]:has-text("Archive")',
    undo: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'open a file',
    act: (page) =>
      page
        .locator(`${row(3)} a`)
        .first()
        .click(),
    shown: '[role=tabpanel]',
    undo: async (page) => void (await page.goBack()),
  },
]

/** Shorter events are not reported. */
const shortestMs = 16

const watchEvents = `
  self.interactions = []
  new PerformanceObserver((list) => {
    for (const { interactionId, startTime, duration } of list.getEntries())
      if (interactionId > 0) self.interactions.push({ startTime, duration })
  }).observe({ type: 'event', durationThreshold: ${shortestMs}, buffered: true })
  for (const kind of ['pointerdown', 'keydown'])
    addEventListener(kind, ({ timeStamp }) => { self.lastEventMs = timeStamp }, { capture: true })`

interface Taken {
  readonly longestMs: number
  readonly shownMs: number
}

const measureInteractions = async (visitor: Visitor, library: string, runs: number): Promise<Row[]> => {
  const browser = await visitor.open()
  const page = await browser.newPage()
  await page.addInitScript(watchEvents)
  await page.goto(library)
  const taken = new Map<Interaction, Taken[]>(interactions.map((one) => [one, []]))
  // In the first round, the parts that load on use are loaded.
  for (let run = 0; run <= runs; run += 1)
    for (const [interaction, all] of taken) {
      await settle(page)
      const one = await measureOnce(page, interaction)
      if (run > 0) all.push(one)
      await interaction.undo(page)
    }
  const backs = await measureBack(page, runs)
  await browser.close()
  return [
    ...[...taken].map(([{ name }, all]) =>
      interactionRow(
        name,
        all.map(({ longestMs }) => longestMs),
        `result shown after ${median(all.map(({ shownMs }) => shownMs)).toFixed(0)} ms (median)`,
      ),
    ),
    interactionRow('back from a file to the list', backs, 'until the list is drawn'),
  ]
}

const interactionRow = (name: string, longestMs: readonly number[], note: string): Row =>
  makeRow({
    name: `Library, ${name}: p95`,
    value: percentile(longestMs, 95),
    unit: 'ms',
    goal: { of: 'value', atMost: interactionGoalMs },
    note: `median ${median(longestMs).toFixed(0)} ms; ${note}`,
  })

/** Waits for the first page of all files, and for what the previous interaction left to do. */
const settle = async (page: Page): Promise<void> => {
  await page.locator('text=/^1–50 of (100|20),000$/').waitFor()
  await page.locator(row(50)).waitFor()
  await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'detached' })
  await page.waitForTimeout(300)
}

const measureOnce = async (page: Page, { prepare, act, shown }: Interaction): Promise<Taken> => {
  if (prepare !== undefined) {
    await prepare(page)
    await page.waitForTimeout(300)
  }
  await page.evaluate('self.interactions.length = 0')
  await act(page)
  await page.locator(shown).first().waitFor()
  const shownMs = await page.evaluate<number>('performance.now() - self.lastEventMs')
  // Event timings arrive after the paint.
  await page.waitForTimeout(200)
  const longestMs = await page.evaluate<number>(
    `Math.max(${shortestMs}, ...self.interactions.map(({ duration }) => duration))`,
  )
  return { longestMs, shownMs }
}

/** Back is no event with a timing, so this is the time until the list is drawn. */
const measureBack = async (page: Page, runs: number): Promise<number[]> => {
  const backs: number[] = []
  for (let run = 0; run < runs; run += 1) {
    await settle(page)
    await page
      .locator(`${row(3)} a`)
      .first()
      .click()
    await page.locator('[role=tabpanel]').first().waitFor()
    await page.waitForTimeout(300)
    backs.push(
      await page.evaluate(async (selector) => {
        const from = performance.now()
        history.back()
        while (document.querySelector(selector) === null)
          await new Promise((drawn) => requestAnimationFrame(drawn))
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
        return performance.now() - from
      }, row(50)),
    )
  }
  return backs
}

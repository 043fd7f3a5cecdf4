import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvOf } from '../../../console/src/analytics/csv-text.ts'
import { rangeOfPeriod } from '../../../console/src/analytics/period.ts'
import { addUpReports } from '../../src/analytics/store/add-up-reports.ts'
import { makeSample } from '../support/media.ts'
import { request, startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectReachable, startConsole, type Console } from './console.ts'
import { cutTexts, movedElements } from './looks.ts'

let server: TestServer
let zoetropeConsole: Console
let projectId: number
let emptyId: number
let fileId: number
let playoutPath: string

const title = 'Opening night'

const upload = async (): Promise<number> => {
  const { body } = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Title: title, ReleaseStatus: 'published' } },
  })
  await fetch(body.Upload.URI, {
    method: 'PUT',
    body: new Uint8Array(await makeSample({ seconds: 3 })),
  })
  await waitFor(
    () => server.call('GET', `/projects/${projectId}/files/${body.Id}`),
    (answer) => answer.body.IsFinished,
  )
  // Parts of one second are easier to read.
  await server.services.database.sql`
    update media_files set properties = properties || '{"Length": 100}'::jsonb where id = ${body.Id}`
  return body.Id
}

/** Reports of a page, each with its time and its playhead in seconds, and a state. */
const report = async (events: readonly (readonly [number, number, 's' | 'p' | 'a'])[]): Promise<void> => {
  const nowMs = Date.now()
  const sid = crypto.randomUUID()
  const lines = events.map(
    ([at, playhead, state], sn) =>
      `e=ps,pt=${playhead * 1_000},sid="${sid}",sn=${sn},sta=${state},ts=${nowMs + at * 1_000},v=2`,
  )
  const { status } = await request(`${server.url}${playoutPath}/cmcd?data-campaign=spring`, 'POST', {
    body: lines.join('\n'),
    headers: {
      'content-type': 'application/cmcd',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      origin: 'https://www.example.com',
      // Reserved for documentation, but registered in Australia.
      'x-forwarded-for': '198.51.100.7',
    },
  })
  expect(status).toBe(204)
}

/** Plays this many seconds from the start: at most 30, as reports may be late, but not from the past. */
const watch = (seconds: number) =>
  report([
    [-seconds - 0.5, 0, 's'],
    [-seconds, 0, 'p'],
    [0, seconds, 'a'],
  ])

/** Repeats the run that an api process makes every three seconds, until the answer has this value. */
const settle = (path: string, field: string, value: number) =>
  waitFor(
    async () => {
      await addUpReports(server.services.database, { held: 0 })
      return server.call('GET', path)
    },
    ({ body }) => body[field] === value,
  )

beforeAll(async () => {
  server = await startTestServer({
    withWorker: true,
    environment: { ZOETROPE_TRUST_PROXY: '127.0.0.1/32', ZOETROPE_ANALYTICS_SMALLEST_GROUP: '2' },
  })
  const newProject = async (Name: string): Promise<number> =>
    (await server.call('POST', '/projects', { body: { Name, EncoderSettings: { UseEncoding: false } } })).body
      .Id
  projectId = await newProject('Newsroom')
  await server.call('PUT', `/projects/${projectId}`, { body: { AnalyticsDimensions: ['campaign'] } })
  emptyId = await newProject('Archive')
  fileId = await upload()
  const { body } = await server.call('GET', `/projects/${projectId}/files/${fileId}/playouts`)
  playoutPath = `/v/${body.Playouts[0].Id}`
  for (const seconds of [10, 30, 30]) await watch(seconds)
  await settle('/analytics/views', 'Total', 3)
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

const downloaded = async (page: Page, name: string): Promise<string> => {
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name }).click()
  return readFile(await (await download).path(), 'utf8')
}

const addressOf = (page: Page): string => decodeURIComponent(new URL(page.url()).search)

describe('the screen', () => {
  test('shows each metric over time, as a table and as CSV, and what it is made of', async () => {
    const { page, expectSound, close } = await zoetropeConsole.visit('/projects', { role: 'Reader' })
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
    await page.getByRole('button', { name: /^Views 3$/, pressed: true }).waitFor()
    await page.getByRole('button', { name: /^Watch time 1\.2 min$/ }).click()
    await page
      .getByRole('img', { name: /^Watch time over time/ })
      .locator('canvas')
      .waitFor()
    expect(addressOf(page)).toBe('?metric=watchtime')
    const files = page.getByRole('table', { name: 'Files', exact: true })
    await files.getByRole('row', { name: `${title} 1.2 min` }).waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    const days = page.getByRole('table', { name: 'Watch time' })
    await days.getByRole('cell', { name: '1.2 min' }).waitFor()
    expect(await days.getByRole('row').count()).toBe(31)
    const csv = await downloaded(page, 'CSV of Watch time')
    expect(csv).toMatch(/^start,watchtime,before\r\n/)
    expect(csv.trim().split('\r\n')).toHaveLength(31)
    expect(csv).toContain('T00:00:00.000+00:00,70,0\r\n')
    await expectSound()
    await close()
  })

  test('filters by a click, and keeps filters, period and metric in the URL', async () => {
    const { page, expectSound, close } = await zoetropeConsole.visit('/analytics?period=24h')
    await page.getByRole('button', { name: title }).click()
    await page.getByRole('link', { name: title }).waitFor()
    expect(addressOf(page)).toBe(`?period=24h&file=${fileId}`)
    await page.getByText('Viewers, files and the audience have figures for whole days only').waitFor()
    expect(await page.getByRole('table', { name: 'Files', exact: true }).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: /^Unique viewers 1$/ }).click()
    await page.getByRole('button', { name: 'All files' }).click()
    await page.getByRole('table', { name: 'Projects' }).getByRole('button', { name: 'Newsroom' }).click()
    expect(addressOf(page)).toBe(`?period=24h&metric=uniqueviewers&project=${projectId}`)
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 12 months' }).click()
    await page.getByRole('button', { name: /^Unique viewers 1$/ }).waitFor()
    await expectSound()
    await close()
  })

  test('shows quality in words and numbers, and downloads the views', async () => {
    const { page, expectSound, close } = await zoetropeConsole.visit('/analytics', { role: 'Reader' })
    await page.getByRole('tab', { name: 'Quality' }).click()
    const scores = page.getByLabel('Viewer experience', { exact: true }).last()
    await expect
      .poll(() => scores.innerText())
      .toMatch(/^Overall\s+Excellent\s*100 of 100[^]*Playback success[^]*Video quality\s+Not measured/)
    const median = page.getByRole('button', { name: /^Median startup 0\.47 sec$/, pressed: true })
    await median.waitFor()
    await page.getByRole('button', { name: /^Interruptions 0$/ }).click()
    expect(addressOf(page)).toBe('?tab=quality&metric=rebuffercount')
    await page
      .getByRole('img', { name: /^Interruptions over time/ })
      .locator('canvas')
      .waitFor()
    await server.services.database.sql`
      insert into views (account_id, project_id, kind, source, started_at, ended_at, watch_ms, rebuffers, rebuffer_ms, has_started,
        has_failed, dimensions)
      select account_id, id, 'viewer', 'reports', now(), now(), 5000, 0, 0, true, false, '{}' from projects where id = ${projectId}`
    const csv = await downloaded(page, 'Download CSV')
    expect(csv).toMatch(/^Id,ProjectId,/)
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    const ndjson = await downloaded(page, 'Download NDJSON')
    expect(JSON.parse(ndjson)).toMatchObject({ ProjectId: projectId, WatchSeconds: 5 })
    await expectSound()
    await close()
  })

  test('shows who watches, and filters by one value of a dimension at a time', async () => {
    const { page, expectSound, close } = await zoetropeConsole.visit('/analytics', { role: 'Reader' })
    await page.getByRole('tab', { name: 'Audience' }).click()
    const rowOf = (table: string, name: string) =>
      page.getByRole('table', { name: table, exact: true }).getByRole('row', { name })
    await rowOf('Countries', 'Australia 3').waitFor()
    await rowOf('Devices', 'Desktop 3').waitFor()
    await rowOf('Browsers', 'Firefox 3').waitFor()
    await rowOf('Operating systems', 'Linux 3').waitFor()
    await rowOf('Players', 'Unknown 3').waitFor()
    await rowOf('Websites', 'www.example.com 3').waitFor()
    await rowOf('campaign', 'spring 3').waitFor()
    expect(await page.getByRole('table', { name: 'Pages' }).count()).toBe(0)
    expect(await downloaded(page, 'CSV of Countries')).toBe('country,name,views\r\nAU,Australia,3\r\n')
    await page.getByRole('button', { name: 'Australia' }).click()
    expect(addressOf(page)).toBe('?tab=audience&country=AU')
    await page
      .getByRole('img', { name: /^Views over time/ })
      .locator('canvas')
      .waitFor()
    await page.getByRole('button', { name: /^Views 3$/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Unique viewers –' }).isDisabled()).toBe(true)
    await expectSound()
    await page.getByRole('button', { name: 'Remove filter Country: Australia' }).click()
    await page.getByRole('button', { name: 'spring' }).click()
    expect(addressOf(page)).toBe('?tab=audience&data=campaign:spring')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('table', { name: 'Projects' }).getByRole('row', { name: 'Newsroom 3' }).waitFor()
    expect(await page.getByRole('table', { name: 'Files', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove filter campaign: spring' }).waitFor()
    await close()
  })

  test('has names of countries and values in German', async () => {
    const { page, close } = await zoetropeConsole.visit('/analytics?tab=audience', { language: 'de' })
    await page.getByRole('table', { name: 'Länder' }).getByRole('row', { name: 'Australien 3' }).waitFor()
    await page.getByRole('table', { name: 'Player' }).getByRole('row', { name: 'Unbekannt 3' }).waitFor()
    await close()
  })

  test('shows the viewers of this moment and what they play', async () => {
    await report([[0, 0, 'p']])
    await settle('/analytics/realtime', 'Viewers', 1)
    const { page, expectSound, close } = await zoetropeConsole.visit('/analytics')
    await page.getByRole('tab', { name: 'Right now' }).click()
    await page.getByRole('row', { name: `${title} Newsroom 1` }).waitFor()
    await page
      .getByRole('img', { name: /^Viewers per minute/ })
      .locator('canvas')
      .waitFor()
    expect(await page.getByRole('status').filter({ hasText: /^1$/ }).count()).toBe(1)
    await expectSound()
    await close()
  })

  test('says when figures appear, where there are none', async () => {
    const { page, expectSound, close } = await zoetropeConsole.visit(`/analytics?project=${emptyId}`)
    await page.getByText('No views in this period').waitFor()
    await page.getByText('Figures appear a few seconds after a viewer starts to play.').waitFor()
    await expectSound()
    await close()
  })
})

test('a file shows its figures, its retention and its most played parts', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit(
    `/projects/${projectId}/files/${fileId}?tab=analytics`,
    { role: 'Reader' },
  )
  await page
    .getByRole('img', { name: /^Retention over/ })
    .locator('canvas')
    .waitFor()
  // The last time below the chart has room, and the heat map ends where the chart does.
  const chart = page.getByRole('img', { name: /^Retention over/ })
  const right = async (selector: string): Promise<number> =>
    chart
      .locator(`xpath=ancestor::section`)
      .locator(selector)
      .evaluate((one) => one.getBoundingClientRect().right)
  expect((await right('canvas')) - (await right('.u-over'))).toBe(24)
  expect(await right('.heat-strip')).toBe(await right('.u-over'))
  const figures = page.getByLabel('Figures of this file')
  await expect.poll(() => figures.innerText()).toMatch(/Views\s+3\s+Unique viewers\s+1/)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const parts = page.getByRole('table', { name: 'Retention' })
  await parts.getByRole('row', { name: '0:00 – 0:01 100% 3' }).waitFor()
  await parts.getByRole('row', { name: '0:20 – 0:21 66.67% 2' }).waitFor()
  await page.getByRole('button', { name: 'Play 0:00 – 0:30, played 3 times' }).click()
  await expectSound()
  await page.getByRole('link', { name: 'Compare over time' }).click()
  await page.getByRole('button', { name: /^Views 3$/ }).waitFor()
  expect(addressOf(page)).toBe(`?file=${fileId}`)
  await close()
})

test.each([
  { device: 'a desktop in dark mode', width: 1440, height: 900, language: 'en', dark: true },
  { device: 'a phone in German', width: 390, height: 844, language: 'de', dark: false },
] as const)('everything stays still and can be read on $device', async ({ device: _device, ...options }) => {
  const paths = [
    '/analytics',
    '/analytics?tab=quality',
    '/analytics?tab=audience',
    '/analytics?tab=audience&country=AU',
    '/analytics?tab=live',
    `/projects/${projectId}/files/${fileId}?tab=analytics`,
  ]
  const isPhone = options.width < 400
  for (const path of paths) {
    const { page, expectSound, close } = await zoetropeConsole.visit(path, options)
    await page.locator('canvas, table').first().waitFor()
    await page.waitForFunction(
      () => document.querySelector('[class*=Skeleton-root], [aria-busy=true]') === null,
    )
    expect.soft(await movedElements(page), path).toEqual([])
    expect.soft(await cutTexts(page, { hasMouse: !isPhone }), path).toEqual([])
    if (isPhone) await expectReachable(page)
    await expectSound()
    await close()
  }
})

describe('periods', () => {
  const nowMs = Date.parse('2026-03-31T17:20:00Z')
  const range = (period: Parameters<typeof rangeOfPeriod>[0], hasHours = true) => {
    const { from, to, interval, before } = rangeOfPeriod(period, nowMs, { hasHours })
    return [from, to, interval, ...(before === null ? [] : [before.from, before.to])].map((text) =>
      text.replace(/:00(?::00\.000Z)?$/, ''),
    )
  }

  test.each([
    ['24h', true, ['2026-03-30T18', '2026-03-31T18', 'hour', '2026-03-29T18', '2026-03-30T18']],
    // Whole days of both periods would overlap.
    ['24h', false, ['2026-03-30T18', '2026-03-31T18', 'day']],
    ['7d', true, ['2026-03-25T00', '2026-03-31T18', 'day', '2026-03-18T00', '2026-03-24T18']],
    ['12m', true, ['2025-04-01T00', '2026-03-31T18', 'month']],
  ] as const)('%s (with hours: %s) is compared with as much time before it', (period, hasHours, expected) => {
    expect(range(period, hasHours)).toEqual(expected)
  })
})

test('CSV quotes fields, and a title cannot become a formula', () => {
  expect(
    csvOf([
      ['name', 'views'],
      ['a "b", c', 3],
      ['=HYPERLINK(1)', null],
    ]),
  ).toBe('name,views\r\n"a ""b"", c",3\r\n\'=HYPERLINK(1),\r\n')
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '../../src/app/roles/worker.ts'
import { startLiveWorld, type LiveWorld } from '../../src/live/node/test-support/live-world.ts'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { smallTargets, startConsole, type Console, type Visit } from './console.ts'
import { cutTexts, movedElements } from './looks.ts'

let world: LiveWorld
let zoetropeConsole: Console
let stopWorker: () => Promise<void>
let made: Made

interface Made {
  readonly projectId: number
  readonly fileId: number
  readonly liveId: number
  readonly playlistId: number
  /** Id of an automatic playlist. */
  readonly rulesId: number
  readonly webhookId: number
}

const make = async (path: string, body: object): Promise<number> =>
  (await world.server.call('POST', path, { body })).body.Id

const upload = async (projectId: number, Title: string, bytes: Buffer, status: string): Promise<number> => {
  const { body } = await world.server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Title, Tags: ['news'] } },
  })
  await fetch(body.Upload.URI, { method: 'PUT', body: new Uint8Array(bytes) })
  await waitFor(
    () => world.server.call('GET', `/projects/${projectId}/files/${body.Id}`),
    (answer) => answer.body.Status === status,
  )
  return body.Id
}

/** Something for every screen to show, and trouble where there can be some. */
const fill = async (): Promise<Made> => {
  const projectId = await make('/projects', {
    Name: 'Newsroom',
    EncoderSettings: { UseEncoding: false, Renditions: [{ Height: 720, VideoBitRate: 3_000_000 }] },
    MetadataFields: [{ Name: 'desk', Type: 'string', Values: ['Sports'], Default: 'Sports' }],
  })
  const media = await makeSample({ seconds: 3 })
  const fileId = await upload(projectId, 'Opening night', media, 'finished')
  await upload(projectId, 'Broken film', Buffer.from('no film at all'), 'failed')
  await make(`/projects/${projectId}/files/${fileId}/captions`, {
    Language: 'en',
    Kind: 'captions',
    Content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello',
  })
  const queued = await make(`/projects/${projectId}/files`, {
    FileName: 'b.mp4',
    Metadata: { Title: 'In the queue' },
  })
  await world.server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: 50_000 } })
  const playlistId = await make('/modules/playlists', { Name: 'Highlights', Elements: [fileId] })
  const Rules = { Conditions: [{ Field: 'CreatedAt', Operator: 'withinDays', Value: 3 }] }
  const rulesId = await make('/modules/playlists', { Name: 'Latest', Type: 'automatic', Rules })
  await make('/modules/categories', { Label: 'Wildlife' })
  const webhook = { Label: 'Dead end', TargetURL: 'http://127.0.0.1:9/', EventTypes: ['*'] }
  const webhookId = await make('/modules/notifications', webhook)
  await world.server.call('POST', `/modules/notifications/${webhookId}/test`)
  await make('/modules/notifications', {
    TargetURL: `https://example.com/${'long-'.repeat(30)}`,
    EventTypes: ['*'],
    IsEnabled: false,
  })
  const { projectId: liveId } = await world.newStream({ title: 'Town hall' })
  // Imitates a file in the queue and the usage of the days before.
  const { sql } = world.server.services.database
  await sql`update media_files set use_encoding = true, state = 'playable', uploaded_at = now(), encoding_progress = 40 where id = ${queued}`
  await sql`
    insert into usage_days (account_id, day, project_id, file_count, playable_seconds, storage_bytes, source_bytes, picture_bytes, caption_bytes)
    select account_id, (now() at time zone 'utc')::date - age, id, 1, 300, 8000000 - age * 200000, 4000000 - age * 100000, 300000, 1000
    from projects cross join generate_series(1, 20) as age where id = ${projectId}`
  return { projectId, fileId, liveId, playlistId, rulesId, webhookId }
}

beforeAll(async () => {
  world = await startLiveWorld()
  const worker = await startWorker(await world.server.servicesOf('worker'))
  stopWorker = () => worker.stop(4_000)
  made = await fill()
  zoetropeConsole = await startConsole(world.server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await stopWorker()
})

/** Path, and a selector of something that the loaded screen shows in both languages. */
const screensOf = ({
  projectId,
  fileId,
  liveId,
  playlistId,
  rulesId,
  webhookId,
}: Made): [string, string][] => {
  const file = `/projects/${projectId}/files/${fileId}`
  const live = `/projects/${liveId}/live`
  return [
    ['/', 'text=Broken film'],
    ['/projects', 'text=Newsroom'],
    [`/projects/${projectId}/files`, 'text=Opening night'],
    [file, 'text=news'],
    [`${file}?tab=details`, '[role=tabpanel] input'],
    [`${file}?tab=captions`, '[role=tabpanel] button'],
    [`${file}?tab=pictures`, '[role=tabpanel] img'],
    [`${file}?tab=delivery`, 'text=H.264'],
    [`${file}?tab=analytics`, '.state'],
    [`${file}?tab=activity`, 'text=file.new'],
    [live, '[role=tabpanel] input'],
    [`${live}?part=settings`, '[role=tabpanel] input'],
    [`${live}?part=recordings`, '[role=tabpanel]'],
    [`${live}?part=targets`, '[role=tabpanel]'],
    [`${live}?part=embed`, '[role=tabpanel] button'],
    [`${live}?part=log`, '[role=tabpanel]'],
    [`/projects/${projectId}/settings`, 'main input'],
    ['/playlists', 'text=Highlights'],
    [`/playlists/${playlistId}`, 'text=Opening night'],
    [`/playlists/${playlistId}?tab=settings`, '[role=tabpanel] input'],
    [`/playlists/${playlistId}?tab=delivery`, '[role=tabpanel] button'],
    [`/playlists/${rulesId}`, '[role=tabpanel] input'],
    ['/catalog', 'text=Wildlife'],
    ['/catalog?kind=iab', 'text=IAB1'],
    ['/notifications', 'text=Dead end'],
    [`/notifications/${webhookId}`, 'text=webhook.ping'],
    [`/notifications/${webhookId}?tab=verify`, '[role=tabpanel] button'],
    [`/notifications/${webhookId}?tab=replay`, '[role=tabpanel] button'],
    [`/notifications/${webhookId}?tab=settings`, '[role=tabpanel] input'],
    ['/analytics', '.state'],
    ['/users', 'text=Kim Lee'],
    // Not after the other tab: its filter goes, and the arrow of the other filter moves. A click excuses that.
    ['/analytics?tab=live', 'canvas'],
    ['/api-keys', '[role=row]'],
    ['/partners', '.provider-card'],
    ['/audit', 'text=Newsroom'],
    ['/usage', 'canvas'],
    ['/queue', 'text=In the queue'],
    ['/profile', 'text=example.com'],
    ['/security', 'text=127.0.0.1'],
  ]
}

const showScreen = async (page: Page, path: string, shown: string): Promise<number> => {
  const sinceMs = await page.evaluate((to) => {
    // The router follows it, so the shell is loaded once.
    history.pushState({}, '', `/console${to}`)
    return performance.now()
  }, path)
  await page.locator(shown).filter({ visible: true }).first().waitFor()
  await page.waitForFunction(
    () => document.querySelector('[class*=Skeleton-root], [class*=Loader-root], [aria-busy=true]') === null,
  )
  return sinceMs
}

const faultsOf = async (
  { page, violations }: Visit,
  isPhone: boolean,
  sinceMs: number,
): Promise<string[]> => {
  const faults = [
    ...(await movedElements(page, sinceMs)),
    ...(await cutTexts(page, { hasMouse: !isPhone })),
    ...(isPhone ? await smallTargets(page) : []),
    ...(await violations()),
  ]
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  faults.push(...(await violations('contrast')).map((fault) => `dark: ${fault}`))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  return faults
}

test.each([
  { device: 'a desktop', width: 1440, height: 900, language: 'en' },
  { device: 'a phone in German', width: 390, height: 844, language: 'de' },
] as const)(
  'every screen on $device is accessible and complete, and stays still while it loads, in light and dark mode',
  async ({ width, height, language }) => {
    const isPhone = width < 400
    const visit = await zoetropeConsole.visit('/', { width, height, language, as: null })
    visit.forgive(/401/)
    expect.soft(await faultsOf(visit, isPhone, 0), 'signing in').toEqual([])
    await visit.close()
    const inside = await zoetropeConsole.visit('/profile', { width, height, language })
    // A project without a logo or a watermark.
    inside.forgive(/404/)
    for (const [path, shown] of screensOf(made)) {
      const sinceMs = await showScreen(inside.page, path, shown)
      expect.soft(await faultsOf(inside, isPhone, sinceMs), path).toEqual([])
    }
    await inside.expectSound()
    await inside.close()
  },
  // Forty screens, each checked in two schemes.
)

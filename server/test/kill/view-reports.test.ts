import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, linesOf, sendLines } from '../../src/analytics/test-support/simulated-viewer.ts'
import { makePlayableFile, type PlayableFile } from '../../src/playback/test-support/playable-file.ts'
import { startApiProcess, type ApiProcess } from '../support/api-process.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'

/** docs/analytics.md: a killed process loses the reports that it has not stored yet. */
const mostLostMs = 5_000
const kills = 4
const playedSeconds = 10
/** Viewers send their address as a proxy would, so that each has one of its own. */
const trustedProxies = { ZOETROPE_TRUST_PROXY: '127.0.0.0/8,::1/128' }

let server: TestServer
let nodes: readonly [ApiProcess, ApiProcess]
let folder: string
let viewers = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-clock-'))
  server = await startTestServer()
  nodes = [await startApiProcess(server, trustedProxies), await startApiProcess(server, trustedProxies)]
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.remove()))
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const newFile = async (): Promise<PlayableFile> => {
  const file = await makePlayableFile(server)
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ properties: JSON.stringify({ Length: 100 }) })
    .where('id', '=', file.id)
    .execute()
  return file
}

const figuresOf = async ({ id, projectId }: PlayableFile) =>
  (await server.call('GET', `/projects/${projectId}/files/${id}/analytics`)).body

/** Waits until all stored reports are part of the figures. */
const untilAdded = () =>
  waitFor(
    async () => {
      const { count } = await server.services.database.kysely
        .selectFrom('view_reports')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    (count) => count === 0,
  )

interface Acknowledged {
  readonly node: number
  readonly atMs: number
}

test('kill -9 of an api process loses at most five seconds of reports, and counts all others exactly once', async () => {
  const file = await newFile()
  const acknowledged = new Map<string, Acknowledged>()
  const killedAtMs: number[] = []
  let isSending = true
  const send = async (node: number): Promise<void> => {
    while (isSending) {
      const sid = crypto.randomUUID()
      const lines = linesOf({ sid, startupMs: 500, playedSeconds })
      const url = `${nodes[node]?.url}${file.path}/cmcd`
      const answer = await sendLines(url, lines, { address: addressOf((viewers += 1)) }).catch(() => null)
      if (answer?.status === 204) acknowledged.set(sid, { node, atMs: Date.now() })
      await delay(10)
    }
  }
  const senders = Promise.all([0, 1, 0, 1].map(send))
  for (let round = 0; round < kills; round++) {
    // At any moment of the three seconds between two runs that add reports up.
    await delay(2_500 + round * 700)
    killedAtMs.push(Date.now())
    await nodes[0].kill()
    await nodes[0].start()
  }
  await delay(1_000)
  isSending = false
  await senders
  await delay(2_500)
  await untilAdded()

  const rows = await server.services.database.kysely
    .selectFrom('open_views')
    .select('session_id')
    .where('file_id', '=', file.id)
    .execute()
  const counted = new Set(rows.map(({ session_id }) => session_id))
  const lost = [...acknowledged].filter(([sid]) => !counted.has(sid))
  expect(acknowledged.size).toBeGreaterThan(100)
  // Each kill met reports that were not stored yet, or it proves nothing.
  expect(lost.length).toBeGreaterThan(0)
  for (const [, { node, atMs }] of lost) {
    expect(node).toBe(0)
    expect(killedAtMs.some((killedMs) => atMs <= killedMs + 100 && atMs > killedMs - mostLostMs)).toBe(true)
  }
  expect(await figuresOf(file)).toMatchObject({
    Views: counted.size,
    WatchSeconds: counted.size * playedSeconds,
    StartupMs: 500,
  })
  const days = await server.services.database.kysely
    .selectFrom('file_view_days')
    .select('startup_counts')
    .where('file_id', '=', file.id)
    .execute()
  // Two around midnight.
  const startups = days.flatMap(({ startup_counts: counts }) => counts)
  expect(startups.reduce((sum, count) => sum + count, 0)).toBe(counted.size)
})

test('two api processes that get the reports of the same sessions add up exactly, with clocks of players hours off', async () => {
  const file = await newFile()
  const sessions = Array.from({ length: 40 }, (_, index) => ({
    address: addressOf((viewers += 1)),
    lines: linesOf({
      ...{ startupMs: 500, playedSeconds: 24, rebuffers: 2, bitRateKbps: 1_500 },
      skewMs: [0, -7, 30, 24 * 400][index % 4]! * 3_600_000,
    }),
  }))
  for (const { address, lines } of sessions) {
    const halves = [lines.slice(0, 3), lines.slice(3)]
    await Promise.all(
      halves.map((half, node) => sendLines(`${nodes[node]?.url}${file.path}/cmcd`, half, { address })),
    )
  }
  const figures = await waitFor(
    () => figuresOf(file),
    ({ Views, Rebuffers }) => Views === sessions.length && Rebuffers === 2 * sessions.length,
  )
  await untilAdded()
  expect(figures).toMatchObject({
    ...{ Views: 40, UniqueViewers: 40, WatchSeconds: 40 * 24, Rebuffers: 80, StartupMs: 500 },
    ...{ RebufferRatio: 1 / 25, BitRate: 1_500_000 },
  })
})

/** Makes a process believe that it is another time. */
const clockScript = (skewMs: number): string => `
const RealDate = Date
const now = () => RealDate.now() + ${skewMs}
globalThis.Date = class Date extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(now())
    else super(...values)
  }
  static now() {
    return now()
  }
}
`

test.each([-7, 7])(
  'an api process whose clock is %i hours off counts in the same hours, and ends no view early',
  async (hours) => {
    const file = await newFile()
    const script = join(folder, `clock${hours}.mjs`)
    await writeFile(script, clockScript(hours * 3_600_000))
    const skewed = await startApiProcess(server, { ...trustedProxies, NODE_OPTIONS: `--import=${script}` })
    try {
      const [sid, address] = [crypto.randomUUID(), addressOf((viewers += 1))]
      const lines = linesOf({ sid, startupMs: 500, playedSeconds: 24, rebuffers: 2 })
      for (const [url, part] of [
        [skewed.url, lines.slice(0, 2)],
        [server.url, lines.slice(2, 4)],
        [skewed.url, lines.slice(4)],
      ] as const) {
        expect((await sendLines(`${url}${file.path}/cmcd`, part, { address })).status).toBe(204)
        await delay(2_200)
        await untilAdded()
      }
      expect(await figuresOf(file)).toMatchObject({ Views: 1, WatchSeconds: 24, Rebuffers: 2 })
      const hourAgo = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
      const to = encodeURIComponent(new Date().toISOString())
      const query = `projectId=${file.projectId}&from=${hourAgo}&to=${to}&interval=hour`
      expect((await server.call('GET', `/analytics/watchtime?${query}`)).body.Total).toBe(24)
      const list = `/analytics/sessions?fileId=${file.id}`
      expect((await server.call('GET', list)).body.Views).toEqual([])
      const quit = `e=ps,sid="${sid}",sn=99,sta=q,ts=${Date.now()}`
      await sendLines(`${skewed.url}${file.path}/cmcd`, [quit], { address })
      const { body } = await waitFor(
        () => server.call('GET', list),
        ({ body: { Views } }) => Views.length > 0,
      )
      expect(body.Views).toHaveLength(1)
      expect(Math.abs(Date.now() - Date.parse(body.Views[0].EndedAt))).toBeLessThan(30_000)
    } finally {
      await skewed.remove()
    }
  },
)

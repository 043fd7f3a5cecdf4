import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../test/support/test-server.ts'
import type { ViewMeasures } from '../platform/db/tables/analytics.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import { expectProblem } from '../platform/http/test-support/expect-problem.ts'
import { makeLiveStream } from '../playback/test-support/live-stream.ts'
import { makePlayableFile, type PlayableFile } from '../playback/test-support/playable-file.ts'
import { metrics, type MetricName } from './ask/metrics.ts'
import { addUpReports } from './store/add-up-reports.ts'
import { measureNames } from './store/measures.ts'
import {
  addressOf,
  linesOf,
  rebufferedMs,
  sendLines,
  type SimulatedView,
} from './test-support/simulated-viewer.ts'

let server: TestServer
let file: PlayableFile

const lengthSeconds = 20

/** Known viewers, the same in each run: startups from 100 ms to 20 s, three bit rates, and a few that fail. */
const fleet: readonly SimulatedView[] = Array.from({ length: 240 }, (_, index) => ({
  startupMs: Math.round(100 * 200 ** (((index * 89) % 240) / 239)),
  // Thirds of it are whole milliseconds.
  playedSeconds: (42 + 3 * ((index * 7) % 53)) / 10,
  rebuffers: index % 6 === 0 ? 2 : 0,
  // Every fourth player reports neither its bit rate nor the size of its picture.
  ...(index % 4 !== 0 && {
    bitRateKbps: [900, 2_500, 6_000][index % 3] ?? 0,
    scalePercent: [80, 100, 175][index % 3] ?? 0,
  }),
  end:
    index % 24 === 5
      ? 'failure'
      : index % 40 === 7
        ? 'exit'
        : index % 30 === 11
          ? 'error'
          : ('quit' as const),
}))

const played = fleet.filter(({ end }) => end !== 'failure' && end !== 'exit')
const playedMsOf = (views: readonly SimulatedView[]): number =>
  views.reduce((sum, { playedSeconds }) => sum + playedSeconds * 1_000, 0)
const rated = played.filter(({ bitRateKbps }) => bitRateKbps !== undefined)
const upscaled = played.filter(({ scalePercent = 0 }) => scalePercent > 100)
const countEnds = (end: string): number => fleet.filter((view) => view.end === end).length

/** What the sums must be, from the script alone. */
const truth: ViewMeasures = {
  ...(Object.fromEntries(measureNames.map((name) => [name, 0])) as unknown as ViewMeasures),
  views: played.length,
  starts: played.length,
  watch_ms: playedMsOf(played),
  startups: played.length,
  startup_ms: played.reduce((sum, { startupMs }) => sum + startupMs, 0),
  rebuffers: played.reduce((sum, { rebuffers = 0 }) => sum + rebuffers, 0),
  rebuffer_ms: played.reduce((sum, view) => sum + rebufferedMs(view), 0),
  failures: countEnds('failure'),
  errors: countEnds('error'),
  exits: countEnds('exit'),
  complete_views: played.filter(({ playedSeconds }) => playedSeconds >= 0.9 * lengthSeconds).length,
  rated_ms: playedMsOf(rated),
  rated_bits: rated.reduce(
    (sum, { playedSeconds, bitRateKbps = 0 }) => sum + playedSeconds * 1_000 * bitRateKbps,
    0,
  ),
  scaled_ms: playedMsOf(rated),
  upscaled_ms: playedMsOf(upscaled),
  upscale_ms: playedMsOf(upscaled) * 0.75,
}

const read = async (path: string): Promise<Answer['body']> => {
  const { status, body } = await server.call('GET', path)
  expect(status, path).toBe(200)
  return body
}

/** Repeats the run that an api process makes every three seconds, until the metric has this value. */
const settle = (path: string, expected: number) =>
  waitFor(
    async () => {
      await addUpReports(server.services.database, { held: 0 })
      return (await read(path)).Total
    },
    (total) => total === expected,
  )

const setLength = (id: number) =>
  server.services.database.kysely
    .updateTable('media_files')
    .set({ properties: JSON.stringify({ Length: lengthSeconds }) })
    .where('id', '=', id)
    .execute()

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_TRUST_PROXY: '127.0.0.0/8,::1/128' } })
  file = await makePlayableFile(server)
  await setLength(file.id)
  for (const [index, view] of fleet.entries()) {
    const lines = linesOf(view)
    const { status } = await sendLines(`${server.url}${file.path}/cmcd`, lines, { address: addressOf(index) })
    expect(status).toBe(204)
  }
  await settle(`/analytics/views?projectId=${file.projectId}`, played.length)
  await settle(`/analytics/exits?projectId=${file.projectId}`, truth.exits)
})
afterAll(() => server.stop())

/** The smallest value that this share of the values does not exceed. */
const percentileOf = (values: readonly number[], percentile: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil((percentile / 100) * values.length) - 1] ??
  Number.NaN

const startups = played.map(({ startupMs }) => startupMs)

describe('a fleet of viewers with known behaviour', () => {
  test.each([
    ...(['completeviews', 'rebuffercount', 'averagebitrate', 'upscaling', 'startuptime'] as const),
    ...(['failurerate', 'errorrate', 'exitrate', 'rebuffering'] as const),
    ...(['viewerexperiencescore', 'playbacksuccessscore', 'startuptimescore'] as const),
    ...(['smoothnessscore', 'videoqualityscore'] as const),
  ] satisfies MetricName[])('%s is what the script says, by project and by file', async (name) => {
    const expected = metrics[name].valueOf(truth)
    expect(expected).toBeGreaterThan(0)
    for (const filter of [`projectId=${file.projectId}`, `fileId=${file.id}`]) {
      const { Total, Percentile } = await read(`/analytics/${name}?${filter}`)
      expect(Total, filter).toBeCloseTo(expected ?? 0, 6)
      expect(Percentile).toBeNull()
    }
  })

  test.each([50, 75, 95, 99])(
    'the percentile %i of the startup time is accurate to a tenth',
    async (percentile) => {
      const expected = percentileOf(startups, percentile)
      for (const query of [
        `projectId=${file.projectId}`,
        `projectId=${file.projectId}&interval=hour&from=${encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString())}`,
        `projectId=${file.projectId}&interval=month`,
        `projectId=${file.projectId}&groupBy=project`,
        `fileId=${file.id}`,
        `fileId=${file.id}&groupBy=file`,
      ]) {
        const { Total, Buckets, Percentile, Unit } = await read(
          `/analytics/startuptime?percentile=${percentile}&${query}`,
        )
        expect([Percentile, Unit], query).toEqual([percentile, 'milliseconds'])
        expect(Math.abs(Total - expected) / expected, query).toBeLessThan(0.1)
        const values = Buckets.map(({ Value }: { Value: number | null }) => Value).filter(
          (value: number | null) => value !== null,
        )
        // The fleet may play across midnight or the end of an hour.
        expect(values.length, query).toBeGreaterThanOrEqual(1)
        if (values.length === 1) expect(values, query).toEqual([Total])
      }
    },
  )

  test('is measured in the figures of the file', async () => {
    const figures = await read(`/projects/${file.projectId}/files/${file.id}/analytics`)
    expect(figures).toMatchObject({
      Views: truth.views,
      CompleteViews: truth.complete_views,
      Failures: truth.failures,
      Errors: truth.errors,
      Exits: truth.exits,
    })
    expect(figures.BitRate).toBeCloseTo(metrics.averagebitrate.valueOf(truth) ?? 0, 3)
    expect(figures.UpscaledRatio).toBeCloseTo(metrics.upscaling.valueOf(truth) ?? 0, 9)
    for (const [name, percentile] of [
      ['StartupP50Ms', 50],
      ['StartupP95Ms', 95],
    ] as const) {
      const expected = percentileOf(startups, percentile)
      expect(Math.abs(figures[name] - expected) / expected).toBeLessThan(0.1)
    }
    expect(figures.Scores.ViewerExperience).toBeCloseTo(metrics.viewerexperiencescore.valueOf(truth) ?? 0, 6)
    expect(Object.keys(figures.Scores)).toEqual([
      ...['ViewerExperience', 'PlaybackSuccess', 'StartupTime', 'Smoothness', 'VideoQuality'],
    ])
  })

  test('each view has its quality', async () => {
    const { Views } = await read(`/analytics/sessions?fileId=${file.id}&limit=500`)
    const ended = Views.filter(({ HasStarted }: { HasStarted: boolean }) => HasStarted)
    // Views with an error have not ended yet.
    expect(ended).toHaveLength(truth.views - truth.errors)
    const complete = ended.filter(({ IsComplete }: { IsComplete: boolean }) => IsComplete)
    expect(complete.every(({ WatchSeconds }: { WatchSeconds: number }) => WatchSeconds >= 18)).toBe(true)
    expect(complete.length).toBeGreaterThan(10)
    const rates = new Set(ended.map(({ BitRate }: { BitRate: number | null }) => BitRate))
    expect(rates).toEqual(new Set([900_000, 2_500_000, 6_000_000, null]))
    const fast = ended.find(({ BitRate }: { BitRate: number | null }) => BitRate === 6_000_000)
    expect(fast.UpscaledSeconds).toBe(fast.WatchSeconds)
    const slow = ended.find(({ BitRate }: { BitRate: number | null }) => BitRate === 900_000)
    expect(slow.UpscaledSeconds).toBe(0)
  })
})

test('percentiles of the live latency are accurate to a tenth', async () => {
  const stream = await makeLiveStream(server)
  const latencies = Array.from({ length: 40 }, (_, index) => 1_000 + index * 250)
  for (const [index, latencyMs] of latencies.entries()) {
    const view = { startupMs: 300, playedSeconds: 5, latencyMs, end: 'pause' as const }
    await sendLines(`${server.url}/l/${stream.playoutId}/cmcd`, linesOf(view), { address: addressOf(index) })
  }
  const query = `projectId=${stream.projectId}`
  await settle(`/analytics/views?${query}`, 40)
  for (const percentile of [50, 95]) {
    const expected = percentileOf(latencies, percentile)
    const { Total } = await read(`/analytics/livelatency?percentile=${percentile}&${query}`)
    expect(Math.abs(Total - expected) / expected).toBeLessThan(0.1)
  }
})

test('without a view, percentiles and scores are null', async () => {
  const empty = await makePlayableFile(server)
  for (const metric of [
    'startuptime?percentile=95',
    'viewerexperiencescore?',
    'failurerate?',
    'averagebitrate?',
  ])
    expect(await read(`/analytics/${metric}&projectId=${empty.projectId}`)).toMatchObject({ Total: null })
  expect(await read(`/projects/${empty.projectId}/files/${empty.id}/analytics`)).toMatchObject({
    ...{ StartupP50Ms: null, StartupP95Ms: null, BitRate: null, UpscaledRatio: null },
    Scores: { ViewerExperience: null, VideoQuality: null },
  })
})

test.each([
  ...['startuptime?percentile=0', 'startuptime?percentile=100', 'startuptime?percentile=9.5'],
  ...['startuptime?percentile=p95', 'views?percentile=50', 'startuptime?percentile=50&groupBy=site'],
])('GET /analytics/%s answers 400', async (path) => {
  expectProblem(await server.call('GET', `/analytics/${path}`), 'invalid')
})

test('sums of an older api process, which knows no quality, and those of a newer one add up', async () => {
  const mixed = await makePlayableFile(server)
  await setLength(mixed.id)
  const { kysely, sql } = server.services.database
  const { account_id: accountId } = await kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', mixed.projectId)
    .executeTakeFirstOrThrow()
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  const addAsBefore = async (): Promise<void> => {
    await sql`
      insert into view_hours (account_id, project_id, hour, views, watch_ms, startups, startup_ms, rebuffers, rebuffer_ms, failures,
        errors, exits, latencies, latency_ms, bytes, bot_views, preview_views)
      values (${accountId}, ${mixed.projectId}, ${hour}, 1, 10000, 1, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      on conflict (account_id, project_id, hour)
        do update set views = view_hours.views + 1, startups = view_hours.startups + 1`
  }
  const total = async (metric: string): Promise<number | null> =>
    (await read(`/analytics/${metric}&projectId=${mixed.projectId}`)).Total
  await addAsBefore()
  expect(await total('startuptime?percentile=50')).toBeNull()
  expect(await total('failurerate?')).toBe(0)
  await sendLines(
    `${server.url}${mixed.path}/cmcd`,
    linesOf({ startupMs: 800, playedSeconds: 20, bitRateKbps: 1_000, end: 'quit' }),
  )
  await settle(`/analytics/views?projectId=${mixed.projectId}`, 2)
  await addAsBefore()
  expect(await total('views?')).toBe(3)
  expect(await total('completeviews?')).toBe(1)
  expect(await total('averagebitrate?')).toBe(1_000_000)
  expect(Math.abs(((await total('startuptime?percentile=50')) ?? 0) - 800)).toBeLessThan(80)
})

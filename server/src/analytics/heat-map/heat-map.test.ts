import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Stores a day on which the second half of the file was played twice as often as the first. */
const addViews = async (file: PlayableFile, views: number): Promise<void> => {
  const { kysely } = server.services.database
  const { account_id } = await kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', file.projectId)
    .executeTakeFirstOrThrow()
  const day = new Date().toISOString().slice(0, 10)
  const row = { account_id, file_id: file.id, day }
  const none = { startups: 0, startup_ms: 0, rebuffers: 0, rebuffer_ms: 0, failures: 0, errors: 0, exits: 0 }
  await kysely
    .insertInto('file_view_days')
    .values({
      ...{ ...row, ...none, project_id: file.projectId, views, watch_ms: 90_000 },
      ...{ latencies: 0, latency_ms: 0, bytes: 0, bot_views: 0, preview_views: 0 },
    })
    .execute()
  const half = (ms: number): number[] => Array.from({ length: 50 }, () => ms)
  await kysely
    .insertInto('file_heat_days')
    .values({ ...row, played_ms: [...half(4_000), ...half(8_000)], reached: [...half(4), ...half(8)], views })
    .execute()
}

const newFile = (views: number, project: object = {}) =>
  makePlayableFile(server, { project }).then(async (file) => {
    await addViews(file, views)
    return file
  })
const isShown = { PlayerTheme: { HasHeatMap: true } }
const ask = (path: string, headers: Record<string, string> = {}) =>
  request(`${server.url}${path}/heatmap.json`, 'GET', { headers })

test('the heat map has a share for each of 100 parts, and no counts', async () => {
  const file = await newFile(10, isShown)
  const { status, body, headers } = await ask(file.path)
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['Parts'])
  expect(body.Parts).toHaveLength(100)
  expect([body.Parts[0], body.Parts[49], body.Parts[50], body.Parts[99]]).toEqual([0.5, 0.5, 1, 1])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const again = await ask(file.path, { 'if-none-match': headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test('the heat map of fewer than ten views is empty', async () => {
  const file = await newFile(9, isShown)
  expect((await ask(file.path)).body).toEqual({ Parts: [] })
})

test('a project has no heat map unless it is switched on', async () => {
  const file = await newFile(50)
  expectProblem(await ask(file.path), 'not_found')
  const page = await (await fetch(`${server.url}/embed/${file.playoutId}`)).text()
  expect(page).not.toContain('data-heatmap')
  const shown = await newFile(50, isShown)
  expect(await (await fetch(`${server.url}/embed/${shown.playoutId}`)).text()).toContain(' data-heatmap')
})

test('the heat map follows the rules of the playout', async () => {
  const file = await newFile(10, { ...isShown, TokenSecurity: true })
  expectProblem(await ask(file.path), 'forbidden')
  const token = server.services.tokens.issueViewer(file.playoutId, new Date(Date.now() + 60_000))
  expect((await ask(`/s/${token}${file.path}`)).body.Parts).toHaveLength(100)
  const other = await newFile(10, { ...isShown, TokenSecurity: true })
  expectProblem(await ask(`/s/${token}${other.path}`), 'forbidden')
  const limited = await newFile(10, { ...isShown, AllowedDomains: ['good.example'] })
  expectProblem(await ask(limited.path, { origin: 'https://evil.example' }), 'forbidden')
  expectProblem(await ask(`/v/${crypto.randomUUID()}`), 'not_found')
})

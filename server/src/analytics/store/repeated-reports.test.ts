import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'
import { linesOf, sendLines } from '../test-support/simulated-viewer.ts'
import { addUpReports } from './add-up-reports.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const send = async (file: PlayableFile, lines: readonly string[]): Promise<void> => {
  expect((await sendLines(`${server.url}${file.path}/cmcd`, lines)).status).toBe(204)
}

const read = async (path: string) => (await server.call('GET', path)).body
const sessionsOf = (file: PlayableFile) => read(`/analytics/sessions?fileId=${file.id}`)
const viewsOf = async (file: PlayableFile): Promise<number> =>
  (await read(`/projects/${file.projectId}/files/${file.id}/analytics`)).Views

const waitForEnded = (file: PlayableFile, count: number) =>
  expect
    .poll(async () => {
      await addUpReports(server.services.database, { held: 0 })
      return (await sessionsOf(file)).TotalCount
    })
    .toBe(count)

const openViewsOf = (file: PlayableFile) =>
  server.services.database.kysely
    .selectFrom('open_views')
    .select('is_playing')
    .where('project_id', '=', file.projectId)
    .execute()

test('a last report that arrives again after the end of its view changes nothing', async () => {
  const [file, marker] = [await makePlayableFile(server), await makePlayableFile(server)]
  const whole = linesOf({ startupMs: 500, playedSeconds: 10, end: 'quit' })
  await send(file, whole)
  await waitForEnded(file, 1)
  await send(file, whole)
  await send(file, whole.slice(1))
  // Reports are added up in the order in which they arrive.
  await send(marker, linesOf({ startupMs: 500, playedSeconds: 10, end: 'quit' }))
  await waitForEnded(marker, 1)
  expect(await viewsOf(file)).toBe(1)
  expect((await sessionsOf(file)).TotalCount).toBe(1)
  expect(await openViewsOf(file)).toEqual([{ is_playing: false }])
})

test('a session that continues after its end is another view', async () => {
  const file = await makePlayableFile(server)
  const lines = linesOf({ startupMs: 500, playedSeconds: 20, rebuffers: 1, end: 'quit' })
  // It ended after ten seconds, and continued with the wait for media.
  const end = (lines[2] ?? '').replace('sta=r', 'sta=q')
  await send(file, [...lines.slice(0, 2), end])
  await waitForEnded(file, 1)
  await send(file, [end, ...lines.slice(3)])
  await waitForEnded(file, 2)
  expect(await viewsOf(file)).toBe(2)
})

test('a view that is over is forgotten after a minute, and does not end twice', async () => {
  const file = await makePlayableFile(server)
  await send(file, linesOf({ startupMs: 500, playedSeconds: 10, end: 'quit' }))
  await waitForEnded(file, 1)
  const { database } = server.services
  await sql`update open_views set seen_at = now() - interval '50 seconds'
    where project_id = ${file.projectId}`.execute(database.kysely)
  await addUpReports(database)
  expect(await openViewsOf(file)).toHaveLength(1)
  await sql`update open_views set seen_at = now() - interval '11 minutes'
    where project_id = ${file.projectId}`.execute(database.kysely)
  await expect
    .poll(async () => {
      await addUpReports(database)
      return openViewsOf(file)
    })
    .toEqual([])
  expect((await sessionsOf(file)).TotalCount).toBe(1)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile } from '../../playback/test-support/playable-file.ts'
import { addUpReports } from './add-up-reports.ts'
import { analyticsHousekeeping } from './housekeeping.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const dayMs = 86_400_000

const makeFile = async () => {
  const file = await makePlayableFile(server)
  const row = await server.services.database.kysely
    .selectFrom('media_files')
    .select(['account_id', 'playout_id'])
    .where('id', '=', file.id)
    .executeTakeFirstOrThrow()
  return { ...file, accountId: row.account_id, playoutId: row.playout_id }
}

test('reports that are added up after the end of their day add their viewers to it', async () => {
  const { database } = server.services
  const file = await makeFile()
  const midnightMs = Math.floor(Date.now() / dayMs) * dayMs
  const atMs = midnightMs - 1_000
  const line = (sn: number, ts: number, sta: string) => ({
    ...{ sn, ts, sta, playheadMs: null, startupMs: null, latencyMs: null, errorCode: null },
    ...{ bitRateKbps: null, rendition: null, scalePercent: null },
  })
  const addViewer = async (viewer: string): Promise<void> => {
    const report = {
      ...{
        playoutId: file.playoutId,
        sessionId: crypto.randomUUID(),
        arrivedAtMs: atMs,
        kind: 'viewer',
        viewer,
      },
      ...{ lengthMs: null, dimensions: { country: 'DE' }, loads: [] },
      lines: [line(0, atMs - 20_000, 'p'), line(1, atMs, 'a')],
    }
    await sql`
      insert into view_reports (account_id, project_id, file_id, stored_at, report)
      values (${file.accountId}, ${file.projectId}, ${file.id}, ${new Date(atMs)}, ${JSON.stringify({ report, clockMs: atMs })}::jsonb)`.execute(
      database.kysely,
    )
    await addUpReports(database)
  }
  const viewers = async (): Promise<number> => {
    const period = `from=${new Date(midnightMs - dayMs).toISOString()}&to=${new Date(midnightMs).toISOString()}`
    const { body } = await server.call(
      'GET',
      `/analytics/uniqueviewers?projectId=${file.projectId}&${period}`,
    )
    return body.Total
  }
  for (const viewer of ['01', '02', '03']) await addViewer(viewer.padStart(16, '0'))
  expect(await viewers()).toBe(3)
  // As housekeeping leaves them ten minutes after the end of the day.
  for (const table of ['viewer_days', 'file_viewer_days'] as const)
    await sql`update ${sql.table(table)} set sketch = null`.execute(database.kysely)
  await addViewer('ff'.padStart(16, '0'))
  expect(await viewers()).toBe(4)
})

test('with analytics off, the viewers of the last moment before are forgotten after a day', async () => {
  const off = await startTestServer({ environment: { ZOETROPE_ANALYTICS: 'off' } })
  try {
    const { database } = off.services
    const [project] = await database.sql<{ id: number; accountId: number }[]>`
      insert into projects (account_id, name) select id, 'Watched' from accounts limit 1
      returning id, account_id as "accountId"`
    for (const [session, age] of [
      ['old', '25 hours'],
      ['new', '1 minute'],
    ]) {
      await database.sql`
        insert into open_views (playout_id, session_id, account_id, project_id, kind, is_playing, seen_at, state)
        values (gen_random_uuid(), ${session}, ${project?.accountId}, ${project?.id}, 'viewer', true,
          now() - ${age}::interval, '{}')`
      await database.sql`
        insert into view_reports (account_id, project_id, stored_at, report)
        values (${project?.accountId}, ${project?.id}, now() - ${age}::interval, ${JSON.stringify({ session })}::jsonb)`
    }
    for (const task of analyticsHousekeeping(off.workerDatabase, { analyticsViewDays: 30 })) await task()
    const sessions = await database.sql<{ session: string }[]>`
      select session_id as session from open_views union all select report ->> 'session' from view_reports`
    expect(sessions.map(({ session }) => session)).toEqual(['new', 'new'])
  } finally {
    await off.stop()
  }
})

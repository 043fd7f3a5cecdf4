import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'
import { linesOf, sendLines } from '../test-support/simulated-viewer.ts'
import { addUpReports } from './add-up-reports.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_ANALYTICS_SMALLEST_GROUP: '1' } })
})
afterAll(() => server.stop())

const read = async (path: string) => (await server.call('GET', path)).body
const dayText = (daysAgo: number): string =>
  `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`

const send = async (file: PlayableFile, lines: readonly string[]): Promise<void> => {
  expect((await sendLines(`${server.url}${file.path}/cmcd`, lines)).status).toBe(204)
}

/** Adds up the reports that the file has now as if they had arrived a day ago, and keeps their views open. */
const addUpYesterday = async (file: PlayableFile, count: number): Promise<void> => {
  const { database } = server.services
  await expect
    .poll(() =>
      database.kysely.selectFrom('view_reports').select('id').where('file_id', '=', file.id).execute(),
    )
    .toHaveLength(count)
  await expect
    .poll(() =>
      addUpReports(
        {
          transaction: (run) =>
            database.transaction(async (tx) => {
              await sql`update view_reports set stored_at = stored_at - interval '1 day'`.execute(tx)
              const result = await run(tx)
              // Another process was adding up. Undo the update and try again.
              if (result === 0) throw new Error('not added up')
              await sql`update open_views set seen_at = now()`.execute(tx)
              return result
            }),
        },
        { held: 0 },
      ).catch(() => 0),
    )
    .toBeGreaterThan(0)
}

test('a view that lasts beyond midnight counts with its error on the day on which it began', async () => {
  const file = await makePlayableFile(server)
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ properties: JSON.stringify({ Length: 20 }) })
    .where('id', '=', file.id)
    .execute()
  const failing = [0, 1].map(() =>
    linesOf({ startupMs: 500, playedSeconds: 10, rebuffers: 1, end: 'error', errorCode: 'decode' }),
  )
  for (const lines of failing) await send(file, lines.slice(0, 3))
  await addUpYesterday(file, 2)
  for (const lines of failing) await send(file, lines.slice(3))
  await send(file, linesOf({ startupMs: 500, playedSeconds: 10, end: 'quit' }))
  await expect
    .poll(async () => {
      await addUpReports(server.services.database, { held: 0 })
      return (await read(`/analytics/watchtime?projectId=${file.projectId}`)).Total
    })
    .toBe(30)

  const period = `projectId=${file.projectId}&from=${dayText(1)}&interval=day`
  const daysOf = async (metric: string, filter: string): Promise<(number | null)[]> =>
    (await read(`/analytics/${metric}?${period}&${filter}`)).Buckets.map(
      ({ Value }: { Value: number | null }) => Value,
    )
  for (const filter of ['', `fileId=${file.id}`, 'device=desktop']) {
    expect(await daysOf('errorrate', filter), filter).toEqual([1, 0])
    expect(await daysOf('rebuffercount', filter), filter).toEqual([1, 0])
  }
  expect(await daysOf('watchtime', '')).toEqual([10, 20])
  expect(await daysOf('uniqueviewers', '')).toEqual([1, 1])
  const { Views, Parts } = await read(
    `/projects/${file.projectId}/files/${file.id}/analytics/retention?from=${dayText(0)}`,
  )
  expect([Views, Parts[10].Share, Parts[40].Share]).toEqual([1, 1, 1])
})

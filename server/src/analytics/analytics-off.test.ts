import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { makeLiveStream } from '../playback/test-support/live-stream.ts'
import { makePlayableFile } from '../playback/test-support/playable-file.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_ANALYTICS: 'off' } })
})
afterAll(() => server.stop())

test('ZOETROPE_ANALYTICS=off answers 410 to reports, so that players stop, and keeps nothing', async () => {
  const file = await makePlayableFile(server)
  const answer = await request(`${server.url}${file.path}/cmcd`, 'POST', { body: 'sid="a",sta=p,ts=1' })
  expect([answer.status, answer.body.error.reason]).toEqual([410, 'analytics_off'])
  await request(
    `${server.url}${file.path}/${file.renditionId}/0.m4s?CMCD=d%3D4000%2Cot%3Dv%2Csid%3D%22a%22`,
    'GET',
  )
  const { count } = await server.services.database.kysely
    .selectFrom('view_reports')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
  expect((await server.call('GET', '/analytics/views')).body).toMatchObject({ IsCollecting: false, Total: 0 })
  expect((await server.call('GET', '/analytics/realtime')).body.IsCollecting).toBe(false)
  const ofFile = `/projects/${file.projectId}/files/${file.id}/analytics`
  expect((await server.call('GET', ofFile)).body.IsCollecting).toBe(false)
})

test('with ZOETROPE_ANALYTICS=off, pages of files and playlists send no reports, and live pages do', async () => {
  const { id, playoutId, projectId } = await makePlayableFile(server)
  const list = await server.call('POST', '/modules/playlists', {
    body: {
      ...{ Name: 'List', ProjectId: projectId, ReleaseStatus: 'published' },
      Elements: [{ FileId: id }],
    },
  })
  const pageOf = async (playout: string): Promise<string> =>
    (await request(`${server.url}/embed/${playout}`, 'GET')).body
  for (const playout of [playoutId, list.body.Playouts[0].Id])
    expect(await pageOf(playout)).toContain(' data-analytics-off')
  expect(await pageOf((await makeLiveStream(server)).playoutId)).not.toContain('data-analytics-off')
})

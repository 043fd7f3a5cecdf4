import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_RETENTION_DAYS: '3' } })
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Kept' } })).body.Id
})

afterAll(() => server.stop())

test.each([
  {
    kind: 'file',
    path: () => `/projects/${projectId}/files`,
    body: { FileName: 'a.mp4' },
    key: 'Files',
  },
  { kind: 'project', path: () => '/projects', body: { Name: 'Gone' }, key: 'Projects' },
  { kind: 'playlist', path: () => '/modules/playlists', body: { Name: 'Gone' }, key: 'Playlists' },
])(
  'a deleted $kind shows DeletedAt and PurgeAt in the response and in lists until it is restored',
  async ({ kind, path, body, key }) => {
    const { body: created } = await server.call('POST', path(), { body })
    expect(created).toMatchObject({ DeletedAt: null, PurgeAt: null })
    const { body: deleted } = await server.call('DELETE', `${path()}/${created.Id}`)
    const keptMs = Date.parse(deleted.PurgeAt) - Date.parse(deleted.DeletedAt)
    expect(keptMs).toBe(3 * 86_400_000)
    expect(Math.abs(Date.now() - Date.parse(deleted.DeletedAt))).toBeLessThan(60_000)
    const { body: list } = await server.call('GET', `${path()}?includeDeleted=true`)
    const listed = list[key].find(({ Id }: { Id: number }) => Id === created.Id)
    expect(listed).toMatchObject({
      IsEnabled: false,
      DeletedAt: deleted.DeletedAt,
      PurgeAt: deleted.PurgeAt,
    })
    const { body: restored } = await server.call('POST', `${path()}/${created.Id}/restore`)
    expect(restored).toMatchObject({ IsEnabled: true, DeletedAt: null, PurgeAt: null })
    const events = await server.services.database.kysely
      .selectFrom('events')
      .select(['name', 'sequence'])
      .where('name', 'like', `${kind}.%`)
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    // The event of a project follows when its files are restored.
    if (kind !== 'project') expect(events[0]?.name).toBe(`${kind}.restored`)
    expect(events[0]?.sequence).toBe((events[1]?.sequence ?? 0) + 1)
  },
)

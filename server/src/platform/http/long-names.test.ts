import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Long names' } })).body.Id
})

afterAll(() => server.stop())

interface NamedList {
  readonly path: () => string
  readonly key: string
  readonly orderBy: string
  readonly maxLength: number
  readonly write: (name: string, index: number) => object
}

const lists: readonly NamedList[] = [
  { path: () => '/projects', key: 'Projects', orderBy: 'name', maxLength: 255, write: (Name) => ({ Name }) },
  {
    path: () => `/projects/${projectId}/files`,
    key: 'Files',
    orderBy: 'title',
    maxLength: 255,
    write: (Title) => ({ FileName: 'a.mp4', Metadata: { Title } }),
  },
  {
    path: () => '/modules/playlists',
    key: 'Playlists',
    orderBy: 'name',
    maxLength: 255,
    write: (Name) => ({ Name, ProjectId: projectId, Type: 'manual' }),
  },
  {
    path: () => '/modules/notifications',
    key: 'Webhooks',
    orderBy: 'name',
    maxLength: 255,
    write: (Label) => ({ Label, TargetURL: server.url, EventTypes: ['webhook.*'] }),
  },
  {
    path: () => '/modules/categories',
    key: 'Categories',
    orderBy: 'name',
    maxLength: 255,
    write: (Label) => ({ Label }),
  },
  { path: () => '/apikeys', key: 'ApiKeys', orderBy: 'name', maxLength: 200, write: (Label) => ({ Label }) },
  {
    path: () => '/users',
    key: 'Users',
    orderBy: 'name',
    maxLength: 200,
    write: (Name, index) => ({ Name, Email: `${index}-${crypto.randomUUID()}@example.com`, Role: 'Reader' }),
  },
  {
    path: () => '/users',
    key: 'Users',
    orderBy: 'email',
    maxLength: 200,
    write: (Name, index) => ({
      Name,
      Email: `${index}${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`,
      Role: 'Reader',
    }),
  },
]

/** The character with the longest JSON encoding, and the one with the longest case folding. */
const characters = ['\u0001', '\ufdfa', '😀']

test.each(lists)(
  'the list of $key by $orderBy continues after any name',
  async ({ path, key, orderBy, maxLength, write }) => {
    const made = new Set<number | string>()
    for (const [index, character] of characters.entries())
      for (const twin of [1, 2]) {
        // Catalog labels are unique: the last character distinguishes them.
        const name = `a${character.repeat(maxLength - 2)}${made.size}`
        const answer = await server.call('POST', path(), { body: write(name, index * 2 + twin) })
        expect(answer.status).toBe(201)
        made.add(answer.body.Id)
      }
    for (const sort of ['asc', 'desc']) {
      const seen: (number | string)[] = []
      let query = `limit=1&orderBy=${orderBy}&sort=${sort}`
      for (;;) {
        const { status, body } = await server.call('GET', `${path()}?${query}`)
        expect(status).toBe(200)
        seen.push(...body[key].map(({ Id }: { Id: number | string }) => Id))
        if (body.NextCursor === null) break
        query = `limit=1&cursor=${body.NextCursor}`
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toEqual(expect.arrayContaining([...made]))
    }
  },
)

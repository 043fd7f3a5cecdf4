import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'

let server: TestServer
const ids: Record<string, number> = {}

beforeAll(async () => {
  server = await startTestServer()
  for (const [name, body] of Object.entries({
    spring: { Name: 'Spring Campaign 2026', Description: 'Films for the café' },
    autumn: { Name: 'Autumn', Description: 'Campaign of the year' },
    crème: { Name: 'Crème brûlée', Description: '' },
    gone: { Name: 'Gone campaign' },
    odd: { Name: `O'Neil & Söhne \\ "quoted" :* 🎬`, Description: '100 % 50_50' },
  }))
    ids[name] = (await server.call('POST', '/projects', { body })).body.Id
  await server.call('DELETE', `/projects/${ids['gone']}`)
  await server.services.database.kysely
    .updateTable('projects')
    .set({ is_live: true })
    .where('id', '=', ids['autumn'] ?? 0)
    .execute()
})

afterAll(() => server.stop())

const list = (query: string) => server.call('GET', `/projects?sort=asc&${query}`)

const found = async (query: string): Promise<string[]> => {
  const { status, body, headers } = await list(query)
  expect(status).toBe(200)
  expect(headers.get('x-ignored-parameters')).toBeNull()
  expect(body.TotalCount).toBe(body.Projects.length)
  return body.Projects.map(({ Id }: { Id: number }) => Object.keys(ids).find((name) => ids[name] === Id))
}

test.each<[string, string[]]>([
  ['campaign', ['spring', 'autumn']],
  ['CAMP', ['spring', 'autumn']],
  ['spring camp', ['spring']],
  ['camp spring 20', ['spring']],
  ['cafe', ['spring']],
  ['creme BRULEE', ['crème']],
  ['paign', []],
  ['campaign winter', []],
  ["o'neil", ['odd']],
  ['& sohne', ['odd']],
  ['\\', []],
  [':*', []],
  ['%', []],
  ['50_', ['odd']],
  ['🎬', ['odd']],
  ['  ', ['spring', 'autumn', 'crème', 'odd']],
  ['', ['spring', 'autumn', 'crème', 'odd']],
])('the search for "%s" finds %j', async (search, expected) => {
  expect(await found(`search=${encodeURIComponent(search)}`)).toEqual(expected)
})

test('deleted projects are listed on request and marked as deleted', async () => {
  expect(await found('includeDeleted=false')).not.toContain('gone')
  expect(await found('includeDeleted=true')).toContain('gone')
  expect(await found('includeDeleted=true&search=gone')).toEqual(['gone'])
  const { body } = await list(`includeDeleted=true&ids=${ids['gone']}`)
  expect(body.Projects[0]).toMatchObject({ Name: 'Gone campaign', IsEnabled: false })
})

test('filters narrow the list, alone and combined', async () => {
  expect(await found('isLive=true')).toEqual(['autumn'])
  expect(await found('isLive=false')).toEqual(['spring', 'crème', 'odd'])
  expect(await found(`ids=${ids['spring']},${ids['odd']},999999`)).toEqual(['spring', 'odd'])
  expect(await found(`ids=${ids['spring']},${ids['autumn']}&isLive=true&search=camp`)).toEqual(['autumn'])
  expect(await found(`IDS=${ids['spring']}`)).toEqual(['spring'])
})

test('time filters are inclusive at the precision of the record', async () => {
  const { body } = await server.call('GET', `/projects/${ids['crème']}`)
  for (const [field, name] of [
    ['CreatedAt', 'created'],
    ['LastUpdateAt', 'updated'],
  ] as const) {
    const at = encodeURIComponent(body[field])
    expect(await found(`${name}From=${at}&${name}To=${at}`)).toContain('crème')
    const before = encodeURIComponent(new Date(Date.parse(body[field]) - 1).toISOString())
    expect(await found(`${name}To=${before}`)).not.toContain('crème')
    const after = encodeURIComponent(new Date(Date.parse(body[field]) + 1).toISOString())
    expect(await found(`${name}From=${after}`)).not.toContain('crème')
  }
})

test.each([
  'isLive=yes',
  'isLive=',
  'includeDeleted=1',
  'ids=',
  'ids=1,',
  'ids=0',
  'ids=-1',
  'ids=1e3',
  'ids=9223372036854775808',
  'createdFrom=yesterday',
  'updatedTo=2026-02-30T99:00:00Z',
  'search=%00',
])('%s answers 400 and names the parameter', async (query) => {
  const answer = await list(query)
  expectProblem(answer, 'invalid')
  expect(answer.body.error.message).toContain(query.split('=', 1)[0] ?? '')
})

test.each(['name', 'title'])('the order %s is that of a person, with accents', async (orderBy) => {
  const apiKey = await server.newKey({ inNewAccount: true })
  for (const Name of ['Zebra', 'Äpfel', 'banana'])
    await server.call('POST', '/projects', { apiKey, body: { Name } })
  const { body } = await server.call('GET', `/projects?sort=asc&orderBy=${orderBy}`, { apiKey })
  expect(body.Projects.map(({ Name }: { Name: string }) => Name)).toEqual(['Äpfel', 'banana', 'Zebra'])
})

test('pages of a filtered list neither skip nor repeat projects', async () => {
  for (const orderBy of ['created', 'updated', 'name', 'title']) {
    const seen: number[] = []
    let cursor = ''
    do {
      const { body } = await list(`includeDeleted=true&limit=2&orderBy=${orderBy}${cursor}`)
      expect(body.TotalCount).toBe(5)
      seen.push(...body.Projects.map(({ Id }: { Id: number }) => Id))
      cursor = body.NextCursor === null ? '' : `&cursor=${body.NextCursor}`
    } while (cursor !== '')
    expect(seen.toSorted((one, other) => one - other)).toEqual(
      Object.values(ids).toSorted((one, other) => one - other),
    )
  }
})

test('a key restricted to projects lists only these, including deleted ones', async () => {
  const apiKey = await server.newKey({ projectIds: [ids['gone'] ?? 0, ids['odd'] ?? 0] })
  const answer = await server.call('GET', '/projects?includeDeleted=true', { apiKey })
  expect(answer.body.TotalCount).toBe(2)
})

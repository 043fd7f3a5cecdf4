import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

let server: TestServer

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
const paths: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Lists' } })
  for (let index = 0; index < 6; index += 1) {
    await server.call('POST', '/projects', { body: { Name: `Project ${index}` } })
    await server.call('POST', `/projects/${project.Id}/files`, { body: { FileName: `${index}.mp4` } })
    await server.call('POST', '/modules/notifications', {
      body: { TargetURL: `${server.url}/${index}`, EventTypes: ['webhook.*'] },
    })
  }
  paths['Projects'] = '/projects'
  paths['Files'] = `/projects/${project.Id}/files`
  paths['Webhooks'] = '/modules/notifications'
})

afterAll(() => server.stop())

describe.each(['Projects', 'Files', 'Webhooks'])('the list of %s', (key) => {
  const list = (query = '') => server.call('GET', `${paths[key]}${query}`)
  const idsOf = (body: Record<string, { Id: number }[]>) => (body[key] ?? []).map(({ Id }) => Id)

  test('without parameters returns 50 records from 0, newest first', async () => {
    const { body } = await list()
    expect(Object.keys(body)).toEqual([key, 'TotalCount', 'Limit', 'Offset', 'NextCursor'])
    expect(body).toMatchObject({ TotalCount: body[key].length, Limit: 50, Offset: 0, NextCursor: null })
    expect(idsOf(body)).toEqual(idsOf(body).sort((a, b) => b - a))
  })

  test('by limit and offset returns every record once', async () => {
    const all = idsOf((await list()).body)
    const pages: number[] = []
    for (let offset = 0; offset < all.length; offset += 2) {
      const { body } = await list(`?limit=2&offset=${offset}`)
      expect(body).toMatchObject({ TotalCount: all.length, Limit: 2, Offset: offset })
      pages.push(...idsOf(body))
    }
    expect(pages).toEqual(all)
    expect((await list('?limit=99999999999999999999')).body).toMatchObject({ Limit: 500 })
    expect((await list(`?offset=${all.length}`)).body).toMatchObject({
      [key]: [],
      TotalCount: all.length,
      NextCursor: null,
    })
    expect((await list('?offset=9007199254740991')).body[key]).toEqual([])
  })

  test('by cursor returns every record once and ends with null', async () => {
    const all = idsOf((await list()).body)
    const pages: number[] = []
    let query = '?limit=3'
    while (query !== '') {
      const { body } = await list(query)
      expect(body.TotalCount).toBe(all.length)
      pages.push(...idsOf(body))
      query = body.NextCursor === null ? '' : `?limit=3&cursor=${body.NextCursor}`
    }
    expect(pages).toEqual(all)
  })

  test.each([
    ['500', 500],
    ['501', 500],
    ['1000000', 500],
    ['9007199254740991', 500],
    ['007', 7],
  ])('accepts limit=%s as %i and reports it', async (limit, effective) => {
    expect((await list(`?limit=${limit}`)).body.Limit).toBe(effective)
  })

  test.each([
    ...[
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=1e3',
      'limit=',
      'limit=abc',
      'limit=%2B5',
      'limit=0x10',
      'limit=5&limit=6',
    ],
    ...['offset=-1', 'offset=1.5', 'offset=1e3', 'offset=', 'offset=NaN', 'offset=99999999999999999999'],
    ...[
      'cursor=',
      'cursor=abc',
      'cursor=%00',
      `cursor=${cursorOf('created', 'desc', 0, null)}`,
      `cursor=${cursorOf('created', 'down', 5, null)}`,
      `cursor=${cursorOf('colour', 'desc', 5, null)}`,
      `cursor=${cursorOf('created', 'desc', '1 or 1=1', null)}`,
      `cursor=${cursorOf('created', 'desc', 5, {})}`,
      `cursor=${cursorOf('created', 'desc', 5, 'a\0')}`,
      `cursor=${'a'.repeat(1_000)}`,
    ],
    ...[
      `cursor=${cursorOf('created', 'desc', 5, null)}&offset=0`,
      `Cursor=${cursorOf('created', 'desc', 5, null)}&OFFSET=1`,
      `cursor=${cursorOf('created', 'desc', 5, null)}&sort=asc`,
      'orderBy=colour',
      'orderBy=',
      'sort=up',
    ],
  ])('with %s answers 400 and names the parameter', async (query) => {
    const answer = await list(`?${query}`)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message.toLowerCase()).toContain(query.split('=')[0]?.toLowerCase())
    expect(answer.body.error.details[0].field.toLowerCase()).toBe(query.split('=')[0]?.toLowerCase())
  })

  test('accepts parameter names in any case', async () => {
    expect((await list('?LIMIT=2&oFFset=1')).body).toMatchObject({ Limit: 2, Offset: 1 })
  })

  test('lists the parameters that it ignores', async () => {
    const answer = await list('?limit=1&colour=blue&Size=5')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ignored-parameters')).toBe('colour, Size')
    expect((await list('?limit=1')).headers.get('x-ignored-parameters')).toBeNull()
    expect((await list('?a%0d%0aSet-Cookie:x=1&__proto__=2')).headers.get('x-ignored-parameters')).toMatch(
      /^[\w?, -]+$/,
    )
  })

  test('answers 304 to a client with the current version', async () => {
    const first = await list('?limit=3')
    const again = await server.call('GET', `${paths[key]}?limit=3`, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    })
    expect(again).toMatchObject({ status: 304, body: '' })
    const other = await server.call('GET', `${paths[key]}?limit=2`, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    })
    expect(other.status).toBe(200)
  })
})

test('paging by cursor through a growing list neither skips nor repeats, and counts exactly', async () => {
  const before: number = (await server.call('GET', '/projects')).body.TotalCount
  const seen: number[] = []
  let cursor: string | null = null
  let added = 0
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await server.call('GET', `/projects?limit=2${query}`)
    expect(body.TotalCount).toBe(before + added)
    seen.push(...body.Projects.map(({ Id }: { Id: number }) => Id))
    cursor = body.NextCursor
    await server.call('POST', '/projects', { body: { Name: 'Meanwhile' } })
    added += 1
  } while (cursor !== null)
  expect(seen).toHaveLength(before)
  expect(new Set(seen).size).toBe(before)
  expect(seen).toEqual([...seen].sort((a, b) => b - a))
})

test('counts files created concurrently exactly', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Counted' } })
  const path = `/projects/${project.Id}/files`
  const created = await Promise.all(
    Array.from({ length: 20 }, () => server.call('POST', path, { body: { FileName: 'a.mp4' } })),
  )
  await Promise.all(created.slice(0, 5).map(({ body }) => server.call('DELETE', `${path}/${body.Id}`)))
  expect((await server.call('GET', path)).body).toMatchObject({ TotalCount: 15 })
  expect((await server.call('GET', `/projects/${project.Id}`)).body.FileCount).toBe(15)
})

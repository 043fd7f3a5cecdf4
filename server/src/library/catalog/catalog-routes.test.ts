import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { encodeCursor } from '../../platform/http/responses/paging.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { catalogVocabularies } from './catalog-kinds.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const unique = (text: string): string => `${text} ${crypto.randomUUID()}`
const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/

describe.each(catalogVocabularies)('$plural', ({ path, listKey, singular }) => {
  const create = (body: unknown, apiKey?: string) =>
    server.call('POST', path, { body, ...(apiKey === undefined ? {} : { apiKey }) })
  const put = (id: number, body: unknown, headers: Record<string, string> = {}) =>
    server.call('PUT', `${path}/${id}`, { body, headers })
  const get = (id: number) => server.call('GET', `${path}/${id}`)
  const list = (query: string, apiKey?: string) =>
    server.call('GET', `${path}?${query}`, apiKey === undefined ? {} : { apiKey })
  const newEntry = async (body: object = {}) => (await create({ Label: unique('Entry'), ...body })).body

  test('an entry needs only a label and has all its fields', async () => {
    const Label = unique('Ünïcode 🎬')
    const answer = await create({ Label: `  ${Label} ` })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${server.url}/v3${path}/${answer.body.Id}`)
    expect(answer.body).toEqual({
      Id: expect.any(Number),
      Label,
      CustomId: '',
      IsEnabled: true,
      CreatedAt: expect.stringMatching(timestamp),
      LastUpdateAt: expect.stringMatching(timestamp),
    })
    const read = await get(answer.body.Id)
    expect(read.body).toEqual(answer.body)
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
  })

  test.each<[string, unknown]>([
    ['no label', {}],
    ['a label of null', { Label: null }],
    ['an empty label', { Label: '' }],
    ['a blank label', { Label: ' \t ' }],
    ['a label of 256 characters', { Label: 'a'.repeat(256) }],
    ['a label that is a number', { Label: 5 }],
    ['a label with a NUL', { Label: 'a\0b' }],
    ['a custom id of 256 characters', { Label: 'a', CustomId: 'a'.repeat(256) }],
    ['a custom id that is a number', { Label: 'a', CustomId: 5 }],
    ['an array', []],
  ])('%s answers 400', async (_what, body) => {
    expectProblem(await create(body), 'invalid')
    const before = await newEntry()
    if (JSON.stringify(body) !== '{}') expectProblem(await put(before.Id, body), 'invalid')
    expect((await get(before.Id)).body).toEqual(before)
  })

  test('a label of 255 characters is accepted for any characters', async () => {
    for (const char of ['a', '🎬', '\u{1d160}', '\ufdfa', 'İ', '\u0390'])
      expect((await create({ Label: char.repeat(255) })).body.Label).toBe(char.repeat(255))
  })

  test('unknown and read-only fields are ignored', async () => {
    const forbidden = {
      Id: 999_999,
      AccountId: 9,
      Kind: 'share',
      IsEnabled: false,
      LastUpdateAt: 'x',
      Colour: 1,
    }
    const { status, body } = await create({ Label: unique('a'), ...forbidden })
    expect(status).toBe(201)
    expect(body).toMatchObject({ IsEnabled: true })
    expect(body.Id).not.toBe(999_999)
    const changed = await put(body.Id, { ...forbidden, CustomId: null })
    expect(changed).toMatchObject({ status: 200, body: { Id: body.Id, Label: body.Label, IsEnabled: true } })
  })

  test('a duplicate label answers 409 regardless of case and Unicode form, also for concurrent requests', async () => {
    const Label = unique('Ägypten')
    expect((await create({ Label })).status).toBe(201)
    for (const same of [
      Label,
      Label.toUpperCase(),
      Label.toLowerCase(),
      Label.normalize('NFD'),
      ` ${Label}`,
    ]) {
      const answer = await create({ Label: same })
      expectProblem(answer, 'conflict')
      expect(answer.body.error.details).toMatchObject([{ field: 'Label' }])
    }
    const other = await newEntry()
    expectProblem(await put(other.Id, { Label: Label.toUpperCase() }), 'conflict')
    expect((await get(other.Id)).body).toEqual(other)
    const contested = unique('Contested')
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ Label: contested })))
    expect(countOf(answers, 201)).toBe(1)
    expect(countOf(answers, 409)).toBe(7)
  })

  test('a label may change its case, and a freed label may be used again', async () => {
    const { Id, Label } = await newEntry()
    expect((await put(Id, { Label: Label.toUpperCase() })).body.Label).toBe(Label.toUpperCase())
    await put(Id, { Label: unique('Renamed') })
    expect((await create({ Label })).status).toBe(201)
  })

  test('a custom id is unique when it is set', async () => {
    const CustomId = unique('cms')
    const first = await newEntry({ CustomId })
    expect(first.CustomId).toBe(CustomId)
    const answer = await create({ Label: unique('a'), CustomId })
    expectProblem(answer, 'conflict')
    expect(answer.body.error.details).toMatchObject([{ field: 'CustomId' }])
    const second = await newEntry({ CustomId: null })
    const third = await newEntry({ CustomId: '' })
    expect([second.CustomId, third.CustomId]).toEqual(['', ''])
    expectProblem(await put(second.Id, { CustomId }), 'conflict')
    expect((await put(first.Id, { CustomId: null })).body.CustomId).toBe('')
    expect((await put(second.Id, { CustomId })).body.CustomId).toBe(CustomId)
  })

  test('PUT keeps absent fields and accepts a record as read', async () => {
    const before = await newEntry({ CustomId: unique('cms') })
    const empty = await put(before.Id, {})
    expect(empty.body).toEqual({ ...before, LastUpdateAt: empty.body.LastUpdateAt })
    const Label = unique('Renamed')
    const { status, body } = await put(before.Id, { ...before, Label })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, Label, LastUpdateAt: body.LastUpdateAt })
    expect((await get(before.Id)).body).toEqual(body)
  })

  test('If-Match with an old version answers 412 and changes nothing', async () => {
    const before = await newEntry()
    const etag = (await get(before.Id)).headers.get('etag') ?? ''
    expect((await put(before.Id, { Label: unique('New') }, { 'If-Match': etag })).status).toBe(200)
    expectProblem(await put(before.Id, { Label: unique('Lost') }, { 'If-Match': etag }), 'stale')
    const headers = { 'If-Match': etag }
    expectProblem(await server.call('DELETE', `${path}/${before.Id}`, { headers }), 'stale')
    const unread = await server.call('GET', `${path}/${before.Id}`, { headers: { 'If-None-Match': etag } })
    expect(unread.status).toBe(200)
    const current = unread.headers.get('etag') ?? ''
    const read = await server.call('GET', `${path}/${before.Id}`, { headers: { 'If-None-Match': current } })
    expect(read.status).toBe(304)
  })

  test('DELETE returns the deleted entry, which is gone for good and frees its label', async () => {
    const { Id, Label } = await newEntry()
    const answer = await server.call('DELETE', `${path}/${Id}`)
    expect(answer).toMatchObject({ status: 200, body: { Id, IsEnabled: false } })
    expect(Object.keys(answer.body)).toEqual(['Id', 'IsEnabled', 'DeletedAt'])
    expect(answer.body.DeletedAt).toMatch(timestamp)
    const again = await get(Id)
    expectProblem(again, 'not_found')
    expect(again.body.error.message.toLowerCase()).toBe(`${singular} ${Id} does not exist.`)
    expectProblem(await put(Id, { Label: unique('a') }), 'not_found')
    expectProblem(await server.call('DELETE', `${path}/${Id}`), 'not_found')
    expect((await create({ Label })).status).toBe(201)
  })

  test('one of several concurrent deletions succeeds and the others get 404', async () => {
    const { Id } = await newEntry()
    const answers = await Promise.all(Array.from({ length: 6 }, () => server.call('DELETE', `${path}/${Id}`)))
    expect(countOf(answers, 200)).toBe(1)
    expect(countOf(answers, 404)).toBe(5)
  })

  test('an id of another kind answers 404', async () => {
    const { Id } = await newEntry()
    for (const other of catalogVocabularies.filter((one) => one.path !== path))
      expectProblem(await server.call('GET', `${other.path}/${Id}`), 'not_found')
  })

  test('another account cannot see the entry and may use the same label', async () => {
    const mine = await newEntry({ CustomId: unique('cms') })
    const stranger = await server.newKey({ inNewAccount: true })
    expect((await list('', stranger)).body).toMatchObject({ [listKey]: [], TotalCount: 0 })
    const theirs = await create({ Label: mine.Label, CustomId: mine.CustomId }, stranger)
    expect(theirs.status).toBe(201)
    expectProblem(await get(theirs.body.Id), 'not_found')
  })

  test('a key restricted to projects can read but change nothing', async () => {
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'a' } })
    const apiKey = await server.newKey({ projectIds: [project.Id] })
    const { Id } = await newEntry()
    expect((await server.call('GET', `${path}/${Id}`, { apiKey })).status).toBe(200)
    expectProblem(await create({ Label: unique('a') }, apiKey), 'forbidden')
    expectProblem(await server.call('PUT', `${path}/${Id}`, { apiKey, body: {} }), 'forbidden')
    expectProblem(await server.call('DELETE', `${path}/${Id}`, { apiKey }), 'forbidden')
  })

  describe('the list', () => {
    let apiKey: string
    const labels = ['banana', 'Apple', 'cherry PIE', 'Éclair', 'apple pie', 'zabaione']

    beforeAll(async () => {
      apiKey = await server.newKey({ inNewAccount: true })
      for (const [index, Label] of labels.entries())
        expect((await create({ Label, CustomId: `cms-Ä${index}` }, apiKey)).status).toBe(201)
    })

    const labelsOf = (body: Record<string, { Label: string }[]>): string[] =>
      (body[listKey] ?? []).map(({ Label }) => Label)

    test('is sorted newest first with an exact count', async () => {
      const { body, headers } = await list('', apiKey)
      expect(labelsOf(body)).toEqual(labels.toReversed())
      expect(body).toMatchObject({ TotalCount: 6, Limit: 50, Offset: 0, NextCursor: null })
      expect(headers.get('etag')).toMatch(/^".+"$/)
    })

    test.each([
      ['orderBy=name&sort=asc', ['Apple', 'apple pie', 'banana', 'cherry PIE', 'Éclair', 'zabaione']],
      ['orderBy=label&sort=asc', ['Apple', 'apple pie', 'banana', 'cherry PIE', 'Éclair', 'zabaione']],
      ['orderBy=name', ['zabaione', 'Éclair', 'cherry PIE', 'banana', 'apple pie', 'Apple']],
      ['orderBy=created&sort=asc', labels],
      ['orderBy=updated&sort=asc', labels],
    ])('with %s has the same order in one page and in several', async (query, expected) => {
      expect(labelsOf((await list(query, apiKey)).body)).toEqual(expected)
      const paged: string[] = []
      let next: string | null = ''
      while (next !== null) {
        const { body } = await list(next === '' ? `${query}&limit=2` : `cursor=${next}&limit=2`, apiKey)
        paged.push(...labelsOf(body))
        next = body.NextCursor
      }
      expect(paged).toEqual(expected)
    })

    test.each([
      ['apple', ['apple pie', 'Apple']],
      ['PIE apple', ['apple pie']],
      ['É', ['Éclair']],
      ['é', ['Éclair']],
      ['CMS-ä2', ['cherry PIE']],
      ['cms pie', ['apple pie', 'cherry PIE']],
      ['%', []],
      ['_', []],
      ["'", []],
      ['\\', []],
      ['  ', labels.toReversed()],
      ['nothing', []],
    ])('search=%s finds entries that contain all words', async (search, expected) => {
      const { body } = await list(`search=${encodeURIComponent(search)}`, apiKey)
      expect(labelsOf(body)).toEqual(expected)
      expect(body.TotalCount).toBe(expected.length)
    })

    test.each([
      { orderBy: 'updated', key: 'nonsense' },
      { orderBy: 'updated', key: '2026-13-45 00:00:00+00' },
      { orderBy: 'updated', key: '' },
    ])('a forged cursor ($key) answers 400', async ({ orderBy, key }) => {
      const cursor = encodeCursor({ orderBy, sort: 'asc' }, { id: 1, key })
      expectProblem(await list(`cursor=${cursor}`, apiKey), 'invalid')
    })

    test.each(['search=%00', `search=${'a'.repeat(501)}`, 'orderBy=colour', 'limit=0', 'sort=up'])(
      '%s answers 400',
      async (query) => {
        expectProblem(await list(query, apiKey), 'invalid')
      },
    )
  })
})

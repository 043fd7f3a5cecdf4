import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number
const ids: Record<string, number> = {}

const file = async (title: string, metadata: object, seconds?: number) => {
  const { body } = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: `${title} file.mp4`, Metadata: { Title: title, ...metadata } },
  })
  ids[title] = body.Id
  if (seconds === undefined) return
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ properties: JSON.stringify({ Length: seconds, Size: seconds * 1_000 }) })
    .where('id', '=', body.Id)
    .execute()
}

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Rules' } })).body.Id
  const category = await server.call('POST', '/modules/categories', {
    body: { Label: 'Sport Événement', CustomId: 'cms-17' },
  })
  const videotype = await server.call('POST', '/modules/videotypes', {
    body: { Label: 'Trailer', CustomId: 'T-1' },
  })
  ids['category'] = category.body.Id
  await file(
    'Alpha',
    {
      Tags: ['Sport', 'Ünïcode'],
      Description: "It's 100% \\ fine_",
      Genre: 'Drama',
      Category: [category.body.Id],
      Videotype: [videotype.body.Id],
      ReleaseStatus: 'published',
      CustomMetadata: { season: 2, isLive: true, host: 'Ada' },
    },
    10,
  )
  await file('Beta', { Tags: ['news'], Genre: 'Comedy', CustomMetadata: { season: '2', host: 'Bob' } }, 20)
  await file('Gamma', { NativeLanguage: 'de-CH', Series: 'S1' })
})

afterAll(() => server.stop())

const create = (Rules: object, more: object = {}) =>
  server.call('POST', '/modules/playlists', {
    body: { Name: 'Automatic', Type: 'automatic', ProjectId: projectId, Rules, ...more },
  })

const matching = async (...Conditions: object[]): Promise<string> => {
  const answer = await create({ Conditions, OrderBy: 'title', Sort: 'asc' })
  expect(answer.status).toBe(201)
  expect(answer.body.ElementCount).toBe(answer.body.Elements.length)
  return answer.body.Elements.map(({ Title }: { Title: string }) => Title[0]).join('')
}

test('empty rules match every file, newest first, and show all defaults', async () => {
  const { body } = await create({})
  expect(body.Elements.map(({ Title }: { Title: string }) => Title)).toEqual(['Gamma', 'Beta', 'Alpha'])
  expect(body.Rules).toEqual({ Match: 'all', Conditions: [], OrderBy: 'created', Sort: 'desc', Limit: 1000 })
  expect(Object.keys(body.Rules)).toEqual(['Match', 'Conditions', 'OrderBy', 'Sort', 'Limit'])
  expect(body.TotalLength).toBe(30)
})

test.each<[string, string, unknown, string]>([
  ['Title', 'equals', 'ALPHA', 'A'],
  ['Title', 'notEquals', 'alpha', 'BG'],
  ['Title', 'contains', 'a', 'ABG'],
  ['Title', 'contains', 'et', 'B'],
  ['Title', 'notContains', 'et', 'AG'],
  ['Title', 'startsWith', 'ga', 'G'],
  ['Title', 'in', ['beta', 'gamma', 'delta'], 'BG'],
  ['Description', 'isEmpty', undefined, 'BG'],
  ['Description', 'isNotEmpty', undefined, 'A'],
  ['Description', 'contains', "it's 100% \\ fine_", 'A'],
  ['Description', 'contains', '%', 'A'],
  ['Tags', 'contains', 'sport', 'A'],
  ['Tags', 'equals', 'UNICODE', 'A'],
  ['Tags', 'contains', 'spor', ''],
  ['Tags', 'startsWith', 'spor', 'A'],
  ['Tags', 'notContains', 'sport', 'BG'],
  ['Tags', 'in', ['sport', 'news'], 'AB'],
  ['Tags', 'isEmpty', undefined, 'G'],
  ['Tags', 'isNotEmpty', undefined, 'AB'],
  ['Category', 'equals', 'sport evenement', 'A'],
  ['Category', 'isEmpty', undefined, 'BG'],
  ['Category', 'notEquals', 'sport evenement', 'BG'],
  ['Category', 'equals', 'cms-17', 'A'],
  ['Category', 'equals', 'CMS-17', ''],
  ['Category', 'contains', 'cms-1', ''],
  ['Category', 'in', ['cms-17', 'unknown'], 'A'],
  ['Category', 'notEquals', 'cms-17', 'BG'],
  ['Videotype', 'equals', 'T-1', 'A'],
  ['Category', 'equals', 'T-1', ''],
  ['Videotype', 'isEmpty', undefined, 'BG'],
  ['Status', 'equals', 'created', 'ABG'],
  ['Status', 'notEquals', 'created', ''],
  ['ReleaseStatus', 'equals', 'published', 'A'],
  ['ReleaseStatus', 'in', ['published', 'unpublished'], 'ABG'],
  ['Length', 'greaterThan', 10, 'B'],
  ['Length', 'lessThan', 10.5, 'A'],
  ['Length', 'equals', 20, 'B'],
  ['Length', 'notEquals', 20, 'AG'],
  ['Length', 'isEmpty', undefined, 'G'],
  ['Size', 'in', [10_000, 20_000.5], 'A'],
  ['CreatedAt', 'withinDays', 1, 'ABG'],
  ['CreatedAt', 'before', '2020-01-01T00:00:00+02:00', ''],
  ['LastUpdateAt', 'after', '2020-01-01T00:00:00+00:00', 'ABG'],
  ['Genre', 'in', ['drama', 'comedy'], 'AB'],
  ['Series', 'equals', 's1', 'G'],
  ['NativeLanguage', 'startsWith', 'DE', 'G'],
  ['OriginalFileName', 'contains', 'beta file', 'B'],
  ['CustomMetadata.season', 'equals', 2, 'A'],
  ['CustomMetadata.season', 'equals', '2', 'B'],
  ['CustomMetadata.season', 'in', ['2', 2], 'AB'],
  ['CustomMetadata.season', 'greaterThan', 1, 'A'],
  ['CustomMetadata.season', 'isEmpty', undefined, 'G'],
  ['CustomMetadata.isLive', 'equals', true, 'A'],
  ['CustomMetadata.isLive', 'notEquals', true, 'BG'],
  ['CustomMetadata.host', 'startsWith', 'a', 'A'],
  ['CustomMetadata.host', 'notContains', 'o', 'AG'],
  ["CustomMetadata.'; drop table playlists; --", 'isEmpty', undefined, 'ABG'],
])('the rule %s %s %j selects the expected files', async (Field, Operator, Value, expected) => {
  expect(await matching({ Field, Operator, ...(Value === undefined ? {} : { Value }) })).toBe(expected)
})

test('rules reference categories and projects by id', async () => {
  expect(await matching({ Field: 'Category', Operator: 'contains', Value: ids['category'] })).toBe('A')
  expect(await matching({ Field: 'Category', Operator: 'in', Value: [999_999, 'no such'] })).toBe('')
  expect(await matching({ Field: 'ProjectId', Operator: 'equals', Value: projectId })).toBe('ABG')
  expect(await matching({ Field: 'ProjectId', Operator: 'notEquals', Value: projectId })).toBe('')
})

test('rules combine conditions by all or any', async () => {
  const Conditions = [
    { Field: 'Genre', Operator: 'equals', Value: 'Drama' },
    { Field: 'Length', Operator: 'equals', Value: 20 },
  ]
  expect((await create({ Conditions, Match: 'all' })).body.ElementCount).toBe(0)
  expect((await create({ Conditions, Match: 'any' })).body.ElementCount).toBe(2)
})

test.each<[object, string]>([
  [{ OrderBy: 'title', Sort: 'desc' }, 'GBA'],
  [{ OrderBy: 'length', Sort: 'asc' }, 'ABG'],
  [{ OrderBy: 'size', Sort: 'desc' }, 'BAG'],
  [{ OrderBy: 'created', Sort: 'asc', Limit: 2 }, 'AB'],
  [{ OrderBy: 'updated', Limit: 1 }, 'G'],
])('rules sort and limit the files: %j', async (rules, expected) => {
  const { body } = await create(rules)
  expect(body.Elements.map(({ Title }: { Title: string }) => Title[0]).join('')).toBe(expected)
})

test('rules are evaluated on each read', async () => {
  const { body } = await create({ Conditions: [{ Field: 'Genre', Operator: 'equals', Value: 'Western' }] })
  expect(body.ElementCount).toBe(0)
  const gamma = `/projects/${projectId}/files/${ids['Gamma']}`
  await server.call('PUT', gamma, { body: { Metadata: { Genre: 'western' } } })
  const read = await server.call('GET', `/modules/playlists/${body.Id}`)
  expect(read.body.Elements).toMatchObject([{ FileId: ids['Gamma'], Position: 1 }])
})

test('the rules preview returns matching files and stores nothing', async () => {
  const preview = (body: object, apiKey?: string) =>
    server.call('POST', '/modules/playlists/rules/preview', {
      body,
      ...(apiKey === undefined ? {} : { apiKey }),
    })
  const Rules = { Conditions: [{ Field: 'Length', Operator: 'greaterThan', Value: 5 }], Sort: 'asc' }
  const before = await server.call('GET', '/modules/playlists')
  const made = await create(Rules)
  const { status, body } = await preview({ ProjectId: projectId, Rules })
  expect(status).toBe(200)
  expect(body).toEqual({
    ElementCount: 2,
    TotalLength: 30,
    Elements: made.body.Elements,
  })
  expect((await preview({})).body.ElementCount).toBeGreaterThanOrEqual(3)
  const after = await server.call('GET', '/modules/playlists')
  expect(after.body.TotalCount).toBe(before.body.TotalCount + 1)

  const wrong = await preview({ Rules: { Conditions: [{ Field: 'Colour', Operator: 'equals', Value: 1 }] } })
  expectProblem(wrong, 'invalid')
  expect(wrong.body.error.details[0].field).toBe('Rules.Conditions[0].Field')
  const restricted = await server.newKey({ projectIds: [projectId] })
  expect((await preview({ ProjectId: projectId }, restricted)).body.ElementCount).toBe(3)
  expectProblem(await preview({}, restricted), 'invalid')
  const reader = await server.newKey({ role: 'Reader' })
  expectProblem(await preview({ ProjectId: projectId }, reader), 'forbidden')
})

test('a partial write of rules leaves other rules unchanged', async () => {
  const { body } = await create({ Match: 'any', Limit: 7, OrderBy: 'title' })
  const changed = await server.call('PUT', `/modules/playlists/${body.Id}`, {
    body: { Rules: { Sort: 'asc' } },
  })
  expect(changed.body.Rules).toEqual({
    Match: 'any',
    Conditions: [],
    OrderBy: 'title',
    Sort: 'asc',
    Limit: 7,
  })
})

test('null restores the default of a rule, in a PUT and in a POST', async () => {
  const nulls = { Match: null, Conditions: null, OrderBy: null, Sort: null, Limit: null }
  const defaults = { Match: 'all', Conditions: [], OrderBy: 'created', Sort: 'desc', Limit: 1000 }
  const own = {
    Match: 'any',
    Conditions: [{ Field: 'Title', Operator: 'equals', Value: 'Alpha' }],
    OrderBy: 'title',
    Sort: 'asc',
    Limit: 7,
  } as const
  const { body } = await create(own)
  const put = (Rules: object) => server.call('PUT', `/modules/playlists/${body.Id}`, { body: { Rules } })
  expect((await put({ Limit: null })).body.Rules).toEqual({ ...own, Limit: 1000 })
  expect((await put(nulls)).body.Rules).toEqual(defaults)
  expect((await create(nulls)).body.Rules).toEqual(defaults)
  expectProblem(await put({ Sort: 'up' }), 'invalid')
})

describe('invalid rules answer 400 with the field and the expected value', () => {
  const refused = async (rules: object) => {
    const answer = await create(rules)
    expectProblem(answer, 'invalid')
    return answer.body.error.message as string
  }

  test.each<[string, object, RegExp]>([
    [
      'an unknown field',
      { Field: 'Colour', Operator: 'equals', Value: 'a' },
      /Conditions\[0\]\.Field must be one of Title, /,
    ],
    ['toString', { Field: 'toString', Operator: 'equals', Value: 'a' }, /Field must be one of/],
    [
      'CustomMetadata without a name',
      { Field: 'CustomMetadata.', Operator: 'isEmpty' },
      /Field must be one of/,
    ],
    [
      'an operator of another kind',
      { Field: 'Title', Operator: 'greaterThan', Value: 1 },
      /Operator must be one of equals, .* for Title/,
    ],
    ['a number for a text', { Field: 'Title', Operator: 'equals', Value: 1 }, /Value must be a text/],
    ['a text for a number', { Field: 'Length', Operator: 'lessThan', Value: '10' }, /Value must be a number/],
    ['no value', { Field: 'Title', Operator: 'equals' }, /Value must be a text/],
    ['an empty text', { Field: 'Title', Operator: 'contains', Value: '' }, /not empty/],
    ['a value with isEmpty', { Field: 'Title', Operator: 'isEmpty', Value: 'a' }, /must be omitted/],
    ['an unknown state', { Field: 'Status', Operator: 'equals', Value: 'ready' }, /one of created, uploaded/],
    [
      'a state in a list that is none',
      { Field: 'Status', Operator: 'in', Value: ['ready'] },
      /each item one of created/,
    ],
    ['in without a list', { Field: 'Title', Operator: 'in', Value: 'a' }, /must be a list/],
    ['in with an empty list', { Field: 'Title', Operator: 'in', Value: [] }, /must be a list/],
    ['a day that is none', { Field: 'CreatedAt', Operator: 'after', Value: 'yesterday' }, /point in time/],
    [
      'the 40th of May',
      { Field: 'CreatedAt', Operator: 'after', Value: '2026-05-40T00:00:00Z' },
      /point in time/,
    ],
    ['no days', { Field: 'CreatedAt', Operator: 'withinDays', Value: 0 }, /number of days/],
    ['a project of 1.5', { Field: 'ProjectId', Operator: 'equals', Value: 1.5 }, /Id of a project/],
    [
      'a list for a custom text',
      { Field: 'CustomMetadata.a', Operator: 'contains', Value: 1 },
      /must be a text/,
    ],
    ['an unknown operator', { Field: 'Title', Operator: 'like', Value: 'a' }, /Operator/],
    ['1e300', { Field: 'Length', Operator: 'equals', Value: 1e300 }, /Value/],
  ])('%s', async (_what, condition, message) => {
    expect(await refused({ Conditions: [condition] })).toMatch(message)
  })

  test('for limits, orders and counts out of range', async () => {
    for (const rules of [
      { Limit: 0 },
      { Limit: 1001 },
      { OrderBy: 'name' },
      { Sort: 'up' },
      { Match: 'none' },
      { Conditions: Array.from({ length: 21 }, () => ({ Field: 'Title', Operator: 'isEmpty' })) },
      { Conditions: [{ Field: 'Title', Operator: 'in', Value: Array.from({ length: 101 }, () => 'a') }] },
    ])
      await refused(rules)
    const Value = Array.from({ length: 100 }, () => 'a'.repeat(200))
    expect(await refused({ Conditions: [{ Field: 'Title', Operator: 'in', Value }] })).toMatch(/16384 bytes/)
  })
})

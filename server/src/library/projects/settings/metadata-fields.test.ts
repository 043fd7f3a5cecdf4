import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const create = (MetadataFields: unknown) =>
  server.call('POST', '/projects', { body: { Name: 'Project', MetadataFields } })

const everyType = [
  { Name: 'headline', Type: 'string', Default: '' },
  { Name: 'rating', Type: 'number', Default: -1.5 },
  { Name: 'episode', Type: 'integer', IsRequired: true },
  { Name: 'isLive', Type: 'boolean', IsRequired: false, Default: false },
  { Name: 'recordedOn', Type: 'date', Default: '2026-02-28' },
  { Name: 'airsAt', Type: 'datetime', Default: '2026-03-01T12:00:00.5+02:00' },
  { Name: 'people', Type: 'list', Default: [] },
  { Name: 'department', Type: 'string', Values: ['News', 'Sports'], Default: 'News' },
  { Name: 'regions', Type: 'list', Values: ['North', 'South'], Default: ['South', 'North'] },
]

test('fields of every type are stored as written, also when the record is sent back', async () => {
  const { status, body } = await create(everyType)
  expect(status).toBe(201)
  expect(body.MetadataFields).toEqual(everyType)
  const again = await server.call('PUT', `/projects/${body.Id}`, { body })
  expect(again.body.MetadataFields).toEqual(everyType)
})

test.each<[string, unknown, string]>([
  ['an unknown type', [{ Name: 'a', Type: 'colour' }], 'MetadataFields[0].Type'],
  ['no type', [{ Name: 'a' }], 'MetadataFields[0].Type'],
  ['no name', [{ Type: 'string' }], 'MetadataFields[0].Name'],
  ['an empty name', [{ Name: '', Type: 'string' }], 'MetadataFields[0].Name'],
  ['a name of 101 characters', [{ Name: 'a'.repeat(101), Type: 'string' }], 'MetadataFields[0].Name'],
  ['the name adsDisabled', [{ Name: 'adsDisabled', Type: 'boolean' }], 'MetadataFields[0].Name'],
  ['the name __proto__', [{ Name: '__proto__', Type: 'string' }], 'MetadataFields[0].Name'],
  ['the name constructor', [{ Name: 'constructor', Type: 'string' }], 'MetadataFields[0].Name'],
  [
    'a name twice',
    [
      { Name: 'a', Type: 'string' },
      { Name: 'a', Type: 'number' },
    ],
    'MetadataFields[1].Name',
  ],
  ['values of a number', [{ Name: 'a', Type: 'number', Values: ['1'] }], 'MetadataFields[0].Values'],
  ['no values', [{ Name: 'a', Type: 'string', Values: [] }], 'MetadataFields[0].Values'],
  ['a default of another type', [{ Name: 'a', Type: 'number', Default: '1' }], 'MetadataFields[0].Default'],
  ['a default of 1.5', [{ Name: 'a', Type: 'integer', Default: 1.5 }], 'MetadataFields[0].Default'],
  [
    'a default that is no day',
    [{ Name: 'a', Type: 'date', Default: '2026-02-30' }],
    'MetadataFields[0].Default',
  ],
  [
    'a default that is none of the values',
    [{ Name: 'a', Type: 'string', Values: ['b'], Default: 'c' }],
    'MetadataFields[0].Default',
  ],
  [
    'a default list with what is none of the values',
    [{ Name: 'a', Type: 'list', Values: ['b'], Default: ['b', 'c'] }],
    'MetadataFields[0].Default',
  ],
  [
    '101 fields',
    Array.from({ length: 101 }, (_none, index) => ({ Name: `a${index}`, Type: 'string' })),
    'MetadataFields',
  ],
])('%s answers 400 and names the field', async (_what, fields, field) => {
  const answer = await create(fields)
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details[0].field).toBe(field)
})

test('null means absent', async () => {
  const nulls = { IsRequired: null, Values: null, Default: null }
  const { status, body } = await create([{ Name: 'a', Type: 'number', ...nulls }])
  expect(status).toBe(201)
  expect(body.MetadataFields).toEqual([{ Name: 'a', Type: 'number', ...nulls }])
})

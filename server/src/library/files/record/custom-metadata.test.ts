import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number

const newProject = async (MetadataFields: object[]): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name: 'Project', MetadataFields } })).body.Id

beforeAll(async () => {
  server = await startTestServer()
  projectId = await newProject([
    { Name: 'headline', Type: 'string' },
    { Name: 'rating', Type: 'number' },
    { Name: 'episode', Type: 'integer' },
    { Name: 'isLive', Type: 'boolean' },
    { Name: 'recordedOn', Type: 'date' },
    { Name: 'airsAt', Type: 'datetime' },
    { Name: 'people', Type: 'list' },
    { Name: 'department', Type: 'string', Values: ['News', 'Sports'] },
    { Name: 'regions', Type: 'list', Values: ['North', 'South'] },
    { Name: 'toString', Type: 'string' },
  ])
})

afterAll(() => server.stop())

const createFile = (CustomMetadata?: unknown, project = projectId) =>
  server.call('POST', `/projects/${project}/files`, {
    body: { FileName: 'a.mp4', Metadata: CustomMetadata === undefined ? {} : { CustomMetadata } },
  })

const put = (fileId: number, CustomMetadata: unknown, project = projectId) =>
  server.call('PUT', `/projects/${project}/files/${fileId}/metadata`, { body: { CustomMetadata } })

test.each<[string, unknown]>([
  ['headline', ''],
  ['headline', 'Ünïcode 🎬'],
  ['rating', -1.5],
  ['rating', 0],
  ['episode', Number.MAX_SAFE_INTEGER],
  ['isLive', false],
  ['recordedOn', '2024-02-29'],
  ['airsAt', '2026-03-01T12:00:00+00:00'],
  ['airsAt', '2026-03-01T12:00:00.123Z'],
  ['people', []],
  ['people', ['Ada', 'Ada', '']],
  ['department', 'Sports'],
  ['regions', ['South', 'North']],
  ['unknown', { anything: [1, null, { goes: true }] }],
  ['toString', 'a'],
])('accepts the field %s with the value %j', async (name, value) => {
  const created = await createFile({ [name]: value })
  expect(created.status).toBe(201)
  expect(created.body.Metadata.CustomMetadata).toEqual({ adsDisabled: false, [name]: value })
  const { body: other } = await createFile()
  expect((await put(other.Id, { [name]: value })).body.Metadata.CustomMetadata[name]).toEqual(value)
})

test.each<[string, unknown, string]>([
  ['headline', 5, 'a text'],
  ['rating', '5', 'a number'],
  ['rating', true, 'a number'],
  ['episode', 1.5, 'a whole number'],
  ['episode', 2 ** 53, 'a whole number'],
  ['episode', 1e300, 'a whole number'],
  ['isLive', 'true', 'true or false'],
  ['isLive', 0, 'true or false'],
  ['recordedOn', '2026-02-29', 'a day'],
  ['recordedOn', '2026-13-01', 'a day'],
  ['recordedOn', '1.3.2026', 'a day'],
  ['recordedOn', '2026-03-01T12:00:00+00:00', 'a day'],
  ['airsAt', '2026-03-01', 'a point in time'],
  ['airsAt', '2026-03-01T12:00:00', 'a point in time'],
  ['airsAt', '2026-02-30T12:00:00Z', 'a point in time'],
  ['airsAt', '2026-03-01T25:00:00Z', 'a point in time'],
  ['people', 'Ada', 'a list of texts'],
  ['people', ['Ada', 1], 'a list of texts'],
  ['people', {}, 'a list of texts'],
  ['department', 'news', 'one of News, Sports'],
  ['department', ['News'], 'a text'],
  ['regions', ['North', 'West'], 'one or more of North, South'],
  ['toString', {}, 'a text'],
])('rejects the field %s with the value %j and names what is valid', async (name, value, right) => {
  const { body: file } = await createFile({ unknown: 1 })
  for (const [answer, field] of [
    [await createFile({ [name]: value }), `Metadata.CustomMetadata.${name}`],
    [await put(file.Id, { [name]: value }), `CustomMetadata.${name}`],
  ] as const) {
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toContain(`${field} must be `)
    expect(answer.body.error.message).toContain(right)
    expect(answer.body.error.details[0].field).toBe(field)
  }
  const read = await server.call('GET', `/projects/${projectId}/files/${file.Id}`)
  expect(read.body.Metadata.CustomMetadata).toEqual({ adsDisabled: false, unknown: 1 })
})

test('omits null fields in a new file', async () => {
  const { status, body } = await createFile({ adsDisabled: null, rating: null, unknown: null })
  expect(status).toBe(201)
  expect(body.Metadata.CustomMetadata).toEqual({ adsDisabled: false })
})

describe('a partial write', () => {
  const customOf = async (fileId: number, write: unknown) =>
    (await put(fileId, write)).body.Metadata.CustomMetadata

  test('keeps fields that it does not name, including adsDisabled', async () => {
    const { body: file } = await createFile({ adsDisabled: true, rating: 2, other: { deep: 1 } })
    expect(await customOf(file.Id, { dept: 'News' })).toEqual({
      adsDisabled: true,
      rating: 2,
      other: { deep: 1 },
      dept: 'News',
    })
  })

  test('replaces a field value as a whole', async () => {
    const { body: file } = await createFile({ other: { deep: 1, kept: null } })
    expect(await customOf(file.Id, { other: { flat: 2 } })).toEqual({
      adsDisabled: false,
      other: { flat: 2 },
    })
  })

  test('removes a field with null, and resets adsDisabled to false', async () => {
    const { body: file } = await createFile({ adsDisabled: true, rating: 2, other: 'x' })
    expect(await customOf(file.Id, { rating: null, other: null, unknown: null })).toEqual({
      adsDisabled: true,
    })
    expect(await customOf(file.Id, { adsDisabled: null })).toEqual({ adsDisabled: false })
  })

  test('keeps the record version when nothing changes', async () => {
    const { body: file } = await createFile({ other: 'x' })
    const { body } = await put(file.Id, { other: 'x' })
    expect(body.LastUpdateAt).toBe(file.LastUpdateAt)
  })

  test('answers 400 when the result has more than 200 fields or 32 KiB', async () => {
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 150 }, (_none, index) => [`a${from + index}`, 1]))
    const { body: file } = await createFile(many(0))
    expectProblem(await put(file.Id, many(150)), 'invalid')
    const { body: large } = await createFile({ text: 'a'.repeat(20 * 1024) })
    expectProblem(await put(large.Id, { more: 'a'.repeat(20 * 1024) }), 'invalid')
    expect((await put(large.Id, { text: null, more: 'a'.repeat(20 * 1024) })).status).toBe(200)
  })
})

describe('defaults', () => {
  let project: number

  beforeAll(async () => {
    project = await newProject([
      { Name: 'department', Type: 'string', Default: 'News' },
      { Name: 'rating', Type: 'number', Default: 0, IsRequired: true },
      { Name: 'episode', Type: 'integer' },
    ])
  })

  const defaults = { adsDisabled: false, department: 'News', rating: 0 }

  test('apply to new files from every kind of upload', async () => {
    expect((await createFile(undefined, project)).body.Metadata.CustomMetadata).toEqual(defaults)
    expect((await createFile({ episode: 1 }, project)).body.Metadata.CustomMetadata).toEqual({
      ...defaults,
      episode: 1,
    })
    const raw = await server.call('POST', `/projects/${project}/files?fileName=a.mp4`, {
      body: new Uint8Array([1]),
      headers: { 'Content-Type': 'video/mp4' },
    })
    expect(raw.body.Metadata.CustomMetadata).toEqual(defaults)
  })

  test('are restored when one value or all values are cleared', async () => {
    const { body: file } = await createFile({ department: 'Sports', rating: 5, adsDisabled: true }, project)
    const one = await put(file.Id, { department: null }, project)
    expect(one.body.Metadata.CustomMetadata).toEqual({ ...defaults, adsDisabled: true, rating: 5 })
    const all = await put(file.Id, null, project)
    expect(all.body.Metadata.CustomMetadata).toEqual(defaults)
  })
})

describe('a required field', () => {
  let project: number

  beforeAll(async () => {
    project = await newProject([{ Name: 'episode', Type: 'integer', IsRequired: true }])
  })

  test('cannot be omitted or removed', async () => {
    const { body: file } = await createFile({ episode: 1 }, project)
    const { body: without } = await createFile(undefined, project)
    for (const answer of [
      await createFile({}, project),
      await createFile({ episode: null }, project),
      await put(file.Id, { episode: null }, project),
      await put(without.Id, { other: 1 }, project),
    ]) {
      expectProblem(answer, 'invalid')
      expect(answer.body.error.message).toContain('CustomMetadata.episode is required')
    }
    expect((await put(file.Id, { other: 1 }, project)).status).toBe(200)
  })

  test('does not block files without CustomMetadata', async () => {
    const { status, body } = await createFile(undefined, project)
    expect(status).toBe(201)
    expect((await put(body.Id, { episode: 2 }, project)).status).toBe(200)
  })
})

test('accepts an unchanged record after the fields of the project have changed', async () => {
  const project = await newProject([])
  const { body: file } = await createFile({ rating: 'high' }, project)
  await server.call('PUT', `/projects/${project}`, {
    body: {
      MetadataFields: [
        { Name: 'rating', Type: 'number' },
        { Name: 'episode', Type: 'integer', IsRequired: true },
      ],
    },
  })
  const answer = await server.call('PUT', `/projects/${project}/files/${file.Id}`, {
    body: { ...file, Metadata: { ...file.Metadata, Title: 'New' } },
  })
  expect(answer).toMatchObject({
    status: 200,
    body: { Metadata: { Title: 'New', CustomMetadata: { rating: 'high' } } },
  })
  expectProblem(await put(file.Id, { rating: 'higher' }, project), 'invalid')
})

test.each<[string, unknown]>([
  ['32 KiB', { text: 'a'.repeat(32 * 1024) }],
  ['32 KiB of characters of several bytes', { text: '🎬'.repeat(9 * 1024) }],
  ['201 fields', Object.fromEntries(Array.from({ length: 201 }, (_none, index) => [`a${index}`, 1]))],
  ['a list', []],
  ['a text', 'a'],
  ['adsDisabled as text', { adsDisabled: 'true' }],
  ['a NUL', { a: 'b\0c' }],
])('rejects %s with 400', async (_what, value) => {
  expectProblem(await createFile(value), 'invalid')
  const { body: file } = await createFile()
  expectProblem(await put(file.Id, value), 'invalid')
})

test('accepts almost 32 KiB, and other metadata only up to the limit for a webhook body', async () => {
  const text = 'a'.repeat(32 * 1024 - 100)
  const { body: file } = await createFile({ text })
  expect(file.Metadata.CustomMetadata.text).toBe(text)
  const path = `/projects/${projectId}/files/${file.Id}/metadata`
  const putDescription = (Description: string) => server.call('PUT', path, { body: { Description } })
  expect((await putDescription('b'.repeat(10_000))).status).toBe(200)
  const refused = await putDescription('ü'.repeat(10_000))
  expectProblem(refused, 'invalid')
  expect(refused.body.error.message).toContain('49152 bytes')
})

test.each([
  '{"FileName":"a.mp4","Metadata":{"CustomMetadata":{"__proto__":{"adsDisabled":true}}}}',
  '{"FileName":"a.mp4","Metadata":{"CustomMetadata":{"a":{"__proto__":1}}}}',
  '{"FileName":"a.mp4","Metadata":{"CustomMetadata":{"constructor":{"prototype":{}}}}}',
  `{"FileName":"a.mp4","Metadata":{"CustomMetadata":{"a":${'['.repeat(40)}${']'.repeat(40)}}}}`,
])('rejects %s with 400', async (body) => {
  const answer = await server.call('POST', `/projects/${projectId}/files`, {
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  expectProblem(answer, 'invalid')
})

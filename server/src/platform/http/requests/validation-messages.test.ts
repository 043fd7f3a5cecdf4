import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Messages' } })).body.Id
})

afterAll(() => server.stop())

const refusal = async (method: string, path: string, body?: object) => {
  const answer = await server.call(method, path, body === undefined ? {} : { body })
  expectProblem(answer, 'invalid')
  const { message, details } = answer.body.error
  return { message, details }
}

describe('an invalid body is answered with the accepted values:', () => {
  const cases: [string, string, object, string, string][] = [
    ['a choice', '/projects', { Name: 'a', MetadataFields: [{ Name: 'a', Type: 'text' }] }, 'MetadataFields[0].Type', 'must be one of string, number, integer, boolean, date, datetime, list'],
    ['a choice that may be null', '/modules/playlists', { Name: 'a', ReleaseStatus: 'public' }, 'ReleaseStatus', 'must be one of draft, unpublished, published'],
    ['a blank name', '/projects', { Name: '  ' }, 'Name', 'must be a text that is not blank'],
    ['an empty name', '/projects', { Name: '' }, 'Name', 'must not be empty'],
    ['a long name', '/projects', { Name: 'a'.repeat(256) }, 'Name', 'must have 255 characters at most'],
    ['a number for a text', '/projects', { Name: 5 }, 'Name', 'must be a text that is not blank'],
    ['a text for a boolean', '/projects', { Name: 'a', TokenSecurity: 'yes' }, 'TokenSecurity', 'must be true or false'],
    ['a nullable number out of range', '/projects', { Name: 'a', StorageQuotaBytes: -1 }, 'StorageQuotaBytes', 'must be a whole number of at least 0'],
    ['a nullable number that is too large', '/projects', { Name: 'a', StorageQuotaBytes: 2 ** 53 }, 'StorageQuotaBytes', 'must be a whole number of at most 9007199254740991'],
    ['an item of a list', '/projects', { Name: 'a', AllowedDomains: ['a.example', 5] }, 'AllowedDomains[1]', 'must be a text such as www.example.com'],
    ['a field of an item', '/projects', { Name: 'a', EncoderSettings: { Renditions: [{ Height: 'x' }] } }, 'EncoderSettings.Renditions[0].Height', 'must be a whole number from 64 to 4320'],
    ['a missing field of an item', '/projects', { Name: 'a', MetadataFields: [{ Type: 'string' }] }, 'MetadataFields[0].Name', 'is required'],
    ['an element of no known form', '/modules/playlists', { Name: 'a', Elements: [{ FileId: 1 }, 'x'] }, 'Elements[1]', 'must be an object with FileId or a whole number of at least 1'],
    ['a field of such an element', '/modules/playlists', { Name: 'a', Elements: [{ FileId: 'x' }] }, 'Elements[0].FileId', 'must be a whole number of at least 1'],
    ['an e-mail address', '/users', { Email: 'kim', Role: 'Reader' }, 'Email', 'must be an e-mail address such as kim.lee@example.com'],
    ['a point in time', '/apikeys', { Label: 'a', ExpiresAt: 'tomorrow' }, 'ExpiresAt', 'must be a point in time such as 2026-03-01T12:00:00+00:00'],
    ['an empty list', '/apikeys', { Label: 'a', Scopes: [] }, 'Scopes', 'must not be empty'],
    ['an unknown event', '/modules/notifications', { TargetURL: 'https://example.com/', EventTypes: ['nothing'] }, 'EventTypes[0]', ''],
  ] // prettier-ignore

  test.each(cases)('%s', async (_what, path, body, field, issue) => {
    const { message, details } = await refusal('POST', path, body)
    expect(details).toMatchObject([{ field, issue: issue === '' ? expect.any(String) : issue }])
    expect(message).toBe(`${field} ${details[0].issue}.`)
    expect(details[0].issue).not.toMatch(/\.$/)
  })
})

test('the response lists all errors of a body', async () => {
  const { message, details } = await refusal('POST', `/projects/${projectId}/files`, {
    FileName: 5,
    FileSize: 0,
    Metadata: { Category: ['x', { CustomId: 5 }], Latitude: 91, Tags: [''] },
    EncodingPriority: 101,
  })
  expect(details).toMatchObject([
    { field: 'FileName', issue: 'must be a text' },
    { field: 'FileSize', issue: 'must be a whole number of at least 1' },
    {
      field: 'Metadata.Category[0]',
      issue: 'must be a whole number of at least 1, an object with Id or an object with CustomId',
    },
    { field: 'Metadata.Category[1].CustomId', issue: 'must be a text' },
    { field: 'Metadata.Tags[0]', issue: 'must not be empty' },
    { field: 'Metadata.Latitude', issue: 'must be a number from -90 to 90' },
    { field: 'EncodingPriority', issue: 'must be a whole number from 0 to 100' },
  ])
  expect(message).toBe('FileName must be a text. In total, 7 fields are not valid: see details.')
})

describe('the paths in details are relative to the request body', () => {
  const wrongMetadata: [string, object, string][] = [
    ['an unknown id', { Category: [999_999] }, 'Category[0]'],
    ['an unknown id in an object', { Share: [{ Label: 'x', Id: 999_999 }] }, 'Share[0].Id'],
    ['an unknown CustomId', { Videotype: [{ CustomId: 'nothing' }] }, 'Videotype[0].CustomId'],
    ['an unknown IABId', { IABCategory: [1744, { IABId: 'IAB0' }] }, 'IABCategory[1].IABId'],
    [
      'an impossible window',
      { IsPublicAt: '2026-03-02T00:00:00Z', IsPublicUntil: '2026-03-01T00:00:00Z' },
      'IsPublicUntil',
    ],
    ['an instant that no calendar has', { IsPublicAt: '2026-12-31T23:59:60Z' }, 'IsPublicAt'],
    ['custom fields that are too large', { CustomMetadata: { a: 'x'.repeat(40_000) } }, 'CustomMetadata'],
  ]

  test.each(wrongMetadata)('for %s in the metadata of a file', async (_what, metadata, field) => {
    const files = `/projects/${projectId}/files`
    const { Id } = (await server.call('POST', files, { body: { FileName: 'a.mp4' } })).body
    const fieldsOf = async (method: string, path: string, body: object) =>
      (await refusal(method, path, body)).details.map((detail: { field: string }) => detail.field)
    expect(await fieldsOf('PUT', `${files}/${Id}/metadata`, metadata)).toEqual([field])
    expect(await fieldsOf('PUT', `${files}/${Id}`, { Metadata: metadata })).toEqual([`Metadata.${field}`])
    expect(await fieldsOf('POST', files, { FileName: 'a.mp4', Metadata: metadata })).toEqual([
      `Metadata.${field}`,
    ])
  })

  const cases: [string, string, object, string][] = [
    ['an unknown scope', '/apikeys', { Label: 'a', Scopes: ['files:read', 'x:y'] }, 'Scopes[1]'],
    ['an unknown project of a key', '/apikeys', { Label: 'a', ProjectIds: [999_999] }, 'ProjectIds[0]'],
    [
      'an unknown project of a role',
      '/users',
      { Email: 'path@example.com', Role: 'Reader', ProjectRoles: [{ ProjectId: 999_999, Role: 'Reader' }] },
      'ProjectRoles[0].ProjectId',
    ],
    ['an unknown file', '/modules/playlists', { Name: 'a', Elements: [999_999] }, 'Elements[0]'],
    [
      'an unknown file in an object',
      '/modules/playlists',
      { Name: 'a', Elements: [{ FileId: 999_999 }] },
      'Elements[0].FileId',
    ],
  ]

  test.each(cases)('for %s', async (_what, path, body, field) => {
    const { details } = await refusal('POST', path, body)
    expect(details.map((detail: { field: string }) => detail.field)).toEqual([field])
  })
})

test('a body with many errors is answered quickly and lists at most 20 of them', async () => {
  const list = (count: number) => ({ Name: 'a', Elements: Array.from({ length: count }, () => 'x') })
  expect((await refusal('POST', '/modules/playlists', list(200))).details).toHaveLength(20)
  const before = process.cpuUsage()
  expect((await refusal('POST', '/modules/playlists', list(19_000))).details).toHaveLength(1)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(5_000)
})

describe('an invalid query is answered with the accepted values:', () => {
  const cases: [string, string, string][] = [
    ['limit=abc', 'limit', 'must be a whole number such as 50'],
    ['limit=5&limit=6', 'limit', 'must be one text, given once'],
    ['limit=5&LIMIT=6', 'limit', 'must be one text, given once'],
    ['LIMIT=5&Limit=6', 'limit', 'must be one text, given once'],
    ['sort=up', 'sort', 'must be one of desc, asc'],
  ]
  test.each(cases)('%s', async (query, field, issue) => {
    expect(await refusal('GET', `/projects?${query}`)).toMatchObject({
      message: `${field} ${issue}.`,
      details: [{ field, issue }],
    })
  })
})

describe('without a body', () => {
  test('a request whose fields are all optional works', async () => {
    const label = await server.call('POST', '/apikeys', { body: { Label: 'To rotate' } })
    expect((await server.call('POST', `/apikeys/${label.body.Id}/rotate`)).status).toBe(201)
    expect((await server.call('PUT', `/projects/${projectId}`)).status).toBe(200)
    const headers = { 'Content-Type': 'application/json' }
    expect((await server.call('PUT', `/projects/${projectId}`, { headers })).status).toBe(200)
  })

  test('a request with required fields lists them', async () => {
    expect(await refusal('POST', '/projects')).toMatchObject({
      message: 'The body is empty. Send a JSON object such as {"Name":"Spring campaign"}.',
      details: [{ field: 'Name', issue: 'is required' }],
    })
  })
})

test('null selects the default when a record is created', async () => {
  const project = await server.call('POST', '/projects', {
    body: {
      Name: 'Nulls',
      DefaultReleaseStatus: null,
      TokenSecurity: null,
      EncoderSettings: { UseEncoding: null },
    },
  })
  expect(project).toMatchObject({
    status: 201,
    body: {
      DefaultReleaseStatus: 'unpublished',
      TokenSecurity: false,
      EncoderSettings: { UseEncoding: true },
    },
  })
  const file = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', UseEncoding: null, EncodingPriority: null, FileSize: null, Metadata: null },
  })
  expect(file).toMatchObject({ status: 201, body: { UseEncoding: true } })
  expect(await refusal('POST', '/projects', { Name: null })).toMatchObject({ details: [{ field: 'Name' }] })
})

test('null resets a field to its default in an update', async () => {
  const { Id } = (
    await server.call('POST', '/projects', {
      body: {
        Name: 'Cleared',
        DefaultReleaseStatus: 'published',
        TokenSecurity: true,
        EncoderSettings: { UseEncoding: false, EncodingPriority: 80 },
      },
    })
  ).body
  const answer = await server.call('PUT', `/projects/${Id}`, {
    body: { DefaultReleaseStatus: null, TokenSecurity: null, EncoderSettings: { EncodingPriority: null } },
  })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      DefaultReleaseStatus: 'unpublished',
      TokenSecurity: false,
      EncoderSettings: { UseEncoding: false, EncodingPriority: 50 },
    },
  })
})

test('an unsupported Content-Type is answered with the supported ones', async () => {
  const wrong = (path: string) =>
    server.call('POST', path, { body: 'a', headers: { 'Content-Type': 'application/xml' } })
  const file = await wrong(`/projects/${projectId}/files`)
  expectProblem(file, 'unsupported_media_type')
  expect(file.body.error.message).toBe(
    'This Content-Type is not accepted here. Send application/json, multipart/form-data, application/octet-stream, video/* or audio/*.',
  )
  expect((await wrong('/projects')).body.error.message).toMatch(/Send application\/json\.$/)
})

test.each(['/projects/', '/apikeys/', '/modules/playlists/'])(
  '%s with a trailing slash is not a path',
  async (path) => {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE'])
      expectProblem(await server.call(method, path), 'not_found')
  },
)

test("a project's /files/ with a trailing slash is not a path, and unauthenticated callers get 401", async () => {
  expectProblem(await server.call('GET', `/projects/${projectId}/files/`), 'not_found')
  expectProblem(await server.call('GET', '/projects/', { apiKey: null }), 'unauthorized')
})

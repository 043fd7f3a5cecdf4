import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { expectProblem } from '../http/test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const create = (body: object, apiKey = server.apiKey) =>
  server.call('POST', '/apikeys', { body: { Label: 'Key', ...body }, apiKey })
const tomorrow = () => new Date(Date.now() + 86_400_000)

test('a new key is an EdDSA token of the calling user, and works', async () => {
  const answer = await create({
    Label: '  Newsroom ',
    Scopes: ['files:read', 'projects:*'],
    ExpiresAt: tomorrow().toISOString(),
  })
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    Label: 'Newsroom',
    Scopes: ['files:read', 'projects:*'],
    ProjectIds: null,
    RevokedAt: null,
  })
  expect(answer.body.CreatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
  expect(answer.headers.get('location')).toBe(`${server.url}/v3/apikeys/${answer.body.Id}`)
  const token: string = answer.body.Token
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) })
  expect(decodeJwt(token)).toMatchObject({ jti: answer.body.Id, sub: String(answer.body.UserId), aud: 'api' })
  expect((await server.call('GET', '/projects', { apiKey: token })).status).toBe(200)
})

test.each<[string, object]>([
  ['no label', { Label: undefined }],
  ['an empty label', { Label: '' }],
  ['a blank label', { Label: ' ' }],
  ['a label that is no text', { Label: 5 }],
  ['a label of 201 characters', { Label: 'a'.repeat(201) }],
  ['no scope at all', { Scopes: [] }],
  ['an unknown scope', { Scopes: ['files:fly'] }],
  ['an unknown family', { Scopes: ['cats:*'] }],
  ['a scope that is no text', { Scopes: [5] }],
  ['an unknown project', { ProjectIds: [999_999] }],
  ['no project at all', { ProjectIds: [] }],
  ['project 0', { ProjectIds: [0] }],
  ['a project beyond every integer', { ProjectIds: [1e300] }],
  ['a project of 2^63', { ProjectIds: [2 ** 63] }],
  ['a project as text', { ProjectIds: ['1'] }],
  ['an expiry in the past', { ExpiresAt: '2020-01-01T00:00:00+00:00' }],
  ['an expiry without a time zone', { ExpiresAt: '2099-01-01T00:00:00' }],
  ['an expiry on the 30th of February', { ExpiresAt: '2099-02-30T00:00:00Z' }],
  ['an expiry in a leap second', { ExpiresAt: '2098-12-31T23:59:60Z' }],
  ['an expiry beyond year 9999', { ExpiresAt: '9999-12-31T23:59:59-23:59' }],
  ['an expiry with an offset of hours only', { ExpiresAt: '2099-01-01T00:00:00+01' }],
  ['an expiry that is a number', { ExpiresAt: 4_102_444_800 }],
])('%s answers 400', async (_what, body) => {
  expectProblem(await create(body), 'invalid')
})

test('a key cannot grant what it does not have', async () => {
  const apiKey = await server.newKey({ scopes: ['keys:write', 'files:read'] })
  expect((await create({ Scopes: ['files:read'] }, apiKey)).status).toBe(201)
  for (const Scopes of [['*'], ['files:*'], ['files:write'], ['keys:*']])
    expectProblem(await create({ Scopes }, apiKey), 'forbidden')
  expectProblem(await create({}, apiKey), 'forbidden')
})

test('read-only fields of a body are ignored', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const { status, body } = await create({
    Id: id,
    UserId: 999,
    AccountId: 999,
    LastFour: 'aaaa',
    Token: 'a',
    RevokedAt: 'now',
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ Id: expect.not.stringContaining(id), RevokedAt: null })
  expect(body.UserId).not.toBe(999)
})

test('a revoked key stays in the list as revoked, and cannot be revoked twice', async () => {
  const { body } = await create({})
  const deleted = await server.call('DELETE', `/apikeys/${body.Id}`)
  expect(deleted).toMatchObject({ status: 200, body: { Id: body.Id, IsEnabled: false } })
  const { ApiKeys } = (await server.call('GET', '/apikeys')).body
  expect(ApiKeys).toContainEqual(expect.objectContaining({ Id: body.Id, RevokedAt: expect.any(String) }))
  expectProblem(await server.call('DELETE', `/apikeys/${body.Id}`), 'not_found')
})

test.each(['1', 'abc', '00000000', '%00', "'"])('the key id %s is no UUID: 400', async (id) => {
  expectProblem(await server.call('DELETE', `/apikeys/${id}`), 'invalid')
})

test('the last use of a key is listed', async () => {
  const { body } = await create({})
  expect(body.LastUsedAt).toBeNull()
  await server.call('GET', '/projects', { apiKey: body.Token })
  const { ApiKeys } = (await server.call('GET', '/apikeys')).body
  expect(ApiKeys.find(({ Id }: { Id: string }) => Id === body.Id).LastUsedAt).toMatch(/\+00:00$/)
})

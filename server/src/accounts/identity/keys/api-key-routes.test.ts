import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  // Tests of the networks of a key send the address of the client as a proxy does.
  server = await startTestServer({ environment: { ZOETROPE_TRUST_PROXY: '127.0.0.1/32' } })
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

test('an opaque key is short, works like a JWT, keeps its form when rotated, and is stored as a hash', async () => {
  const { body: key } = await create({ Scopes: ['projects:read'], Format: 'opaque' })
  expect(key.Token).toMatch(/^zk_[0-9a-z]{32}$/)
  expect(key).toMatchObject({ Format: 'opaque', LastFour: key.Token.slice(-4) })
  const read = (apiKey: string) => server.call('GET', '/projects', { apiKey })
  expect((await read(key.Token)).status).toBe(200)
  expectProblem(
    await server.call('POST', '/projects', { apiKey: key.Token, body: { Name: 'a' } }),
    'forbidden',
  )
  const stored = await server.services.database.kysely.selectFrom('api_keys').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(key.Token.slice(3, 30))
  for (const wrong of [
    `${key.Token.slice(0, -1)}${key.Token.endsWith('0') ? '1' : '0'}`,
    `${key.Token}0`,
    'zk_',
  ])
    expectProblem(await read(wrong), 'unauthorized')
  const { body: next } = await rotate(key.Id, { OverlapSeconds: 0 })
  expect(next.Token).toMatch(/^zk_/)
  expectProblem(await read(key.Token), 'unauthorized')
  expect((await read(next.Token)).status).toBe(200)
  await server.call('DELETE', `/apikeys/${next.Id}`)
  expectProblem(await read(next.Token), 'unauthorized')
  expect((await create({ Format: 'jwt' })).body.Format).toBe('jwt')
  expectProblem(await create({ Format: 'short' }), 'invalid')
})

test('an opaque key expires', async () => {
  const { body: key } = await create({ Format: 'opaque', ExpiresAt: tomorrow().toISOString() })
  await server.services.database.kysely
    .updateTable('api_keys')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('jti', '=', key.Id)
    .execute()
  expectProblem(await server.call('GET', '/projects', { apiKey: key.Token }), 'key_expired')
})

test.each<[string, object]>([
  ['no label', { Label: undefined }],
  ['an empty label', { Label: '' }],
  ['a blank label', { Label: ' ' }],
  ['a label that is not a string', { Label: 5 }],
  ['a label of 201 characters', { Label: 'a'.repeat(201) }],
  ['no scope at all', { Scopes: [] }],
  ['an unknown scope', { Scopes: ['files:fly'] }],
  ['an unknown family', { Scopes: ['cats:*'] }],
  ['a scope that is not a string', { Scopes: [5] }],
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
  ['a network that is a name', { AllowedNetworks: ['example.com'] }],
  ['a network of 33 bits', { AllowedNetworks: ['203.0.113.0/33'] }],
  ['a network in octal', { AllowedNetworks: ['0313.0.113.0/24'] }],
  ['a network of three parts', { AllowedNetworks: ['203.0.113/24'] }],
  ['an IPv4 network written as IPv6', { AllowedNetworks: ['::ffff:203.0.113.0/120'] }],
  ['51 networks', { AllowedNetworks: Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`) }],
  ['an unknown user', { UserId: 999_999 }],
  ['a user beyond every integer', { UserId: 2 ** 63 }],
  ['a user as text', { UserId: '1' }],
])('%s answers 400', async (_what, body) => {
  expectProblem(await create(body), 'invalid')
})

test('a key cannot grant permissions that it does not have', async () => {
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
    AccountId: 999,
    LastFour: 'aaaa',
    Token: 'a',
    RevokedAt: 'now',
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ Id: expect.not.stringContaining(id), RevokedAt: null })
  expect((await server.call('GET', '/me', { apiKey: body.Token })).body.ApiKey.Id).toBe(body.Id)
})

test('a revoked key stays in the list as revoked, and cannot be revoked twice', async () => {
  const { body } = await create({})
  const deleted = await server.call('DELETE', `/apikeys/${body.Id}`)
  expect(deleted).toMatchObject({ status: 200, body: { Id: body.Id, IsEnabled: false } })
  const { ApiKeys } = (await server.call('GET', '/apikeys')).body
  expect(ApiKeys).toContainEqual(expect.objectContaining({ Id: body.Id, RevokedAt: expect.any(String) }))
  expectProblem(await server.call('DELETE', `/apikeys/${body.Id}`), 'not_found')
})

test.each(['1', 'abc', '00000000', '%00', "'"])('the key id %s is not a UUID and answers 400', async (id) => {
  expectProblem(await server.call('DELETE', `/apikeys/${id}`), 'invalid')
})

test('the list shows the last use of a key', async () => {
  const { body } = await create({})
  expect(body.LastUsedAt).toBeNull()
  await server.call('GET', '/projects', { apiKey: body.Token })
  const listed = async (): Promise<{ LastUsedAt: string | null } | undefined> =>
    (await server.call('GET', '/apikeys')).body.ApiKeys.find(({ Id }: { Id: string }) => Id === body.Id)
  const used = await waitFor(listed, (one) => one?.LastUsedAt !== null)
  expect(used?.LastUsedAt).toMatch(/\+00:00$/)
})

const key = (id: string) => server.call('GET', `/apikeys/${id}`)
const update = (id: string, body: object, apiKey = server.apiKey) =>
  server.call('PUT', `/apikeys/${id}`, { body, apiKey })
const rotate = (id: string, body: object = {}, apiKey = server.apiKey) =>
  server.call('POST', `/apikeys/${id}/rotate`, { body, apiKey })
const statusWith = async (token: string) => (await server.call('GET', '/me', { apiKey: token })).status
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * 86_400_000)

test('a key expires at the same whole second in the record and in the token', async () => {
  const { body } = await create({ ExpiresAt: '2099-01-01T10:00:00.999+02:00' })
  expect(body.ExpiresAt).toBe('2099-01-01T08:00:00.000+00:00')
  expect((decodeJwt(body.Token).exp ?? 0) * 1_000).toBe(Date.parse(body.ExpiresAt))
  expect((await key(body.Id)).body.ExpiresAt).toBe(body.ExpiresAt)
})

test('reading one key returns the record of the list, with an ETag', async () => {
  const { body, headers } = await create({})
  const one = await key(body.Id)
  expect(one.status).toBe(200)
  const { Token, ...rest } = body
  expect(one.body).toEqual(rest)
  expect(JSON.stringify(one.body)).not.toContain(Token.split('.')[2])
  expect(one.headers.get('etag')).toBe(headers.get('etag'))
  const again = await server.call('GET', `/apikeys/${body.Id}`, {
    headers: { 'If-None-Match': one.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

describe('PUT', () => {
  test('changes the label, and accepts a whole record that was read before', async () => {
    const { body } = await create({ ExpiresAt: inDays(1).toISOString(), Scopes: ['files:read'] })
    const changed = await update(body.Id, { Label: ' Renamed ' })
    expect(changed.body).toMatchObject({ Id: body.Id, Label: 'Renamed', Scopes: ['files:read'] })
    expect((await update(body.Id, changed.body)).body).toEqual(changed.body)
    expect((await update(body.Id, {})).body).toEqual(changed.body)
    for (const wrong of [{ Label: null }, { Label: ' ' }, { Scopes: null }, { Scopes: ['a'] }])
      expectProblem(await update(body.Id, wrong), 'invalid')
  })

  test('narrows scopes and projects at once, and never widens them', async () => {
    const projects = await Promise.all(
      ['a', 'b'].map(async (Name) => (await server.call('POST', '/projects', { body: { Name } })).body.Id),
    )
    const { body } = await create({ Scopes: ['files:*', 'projects:read'] })
    const read = (id: number) => server.call('GET', `/projects/${id}`, { apiKey: body.Token })
    expect((await read(projects[1])).status).toBe(200)
    expect((await update(body.Id, { ProjectIds: projects })).status).toBe(200)
    expect((await update(body.Id, { ProjectIds: [projects[0]] })).body.ProjectIds).toEqual([projects[0]])
    expectProblem(await read(projects[1]), 'not_found')
    for (const ProjectIds of [projects, null, [999_999]])
      expectProblem(await update(body.Id, { ProjectIds }), 'invalid')
    expect((await update(body.Id, { Scopes: ['files:read'] })).body.Scopes).toEqual(['files:read'])
    expectProblem(await read(projects[0]), 'forbidden')
    for (const Scopes of [['files:*'], ['files:read', 'keys:read'], ['*']])
      expectProblem(await update(body.Id, { Scopes }), 'invalid')
  })

  test('keeps a project deleted since, so that the whole record can be sent back', async () => {
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Short' } })
    const { body } = await create({ ProjectIds: [project.Id] })
    await server.call('DELETE', `/projects/${project.Id}`)
    expect((await update(body.Id, { ProjectIds: [project.Id] })).status).toBe(200)
    const { body: other } = await create({})
    expectProblem(await update(other.Id, { ProjectIds: [project.Id] }), 'invalid')
  })

  test('moves the expiry earlier, and later again up to that of the token', async () => {
    const { body } = await create({ ExpiresAt: inDays(10).toISOString() })
    const to = (days: number) => update(body.Id, { ExpiresAt: inDays(days).toISOString() })
    expect(Date.parse((await to(5)).body.ExpiresAt)).toBe(inDays(5).getTime())
    expect((await to(9)).status).toBe(200)
    const beyond = await to(11)
    expectProblem(beyond, 'invalid')
    expect(beyond.body.error.message).toMatch(/rotate the key/)
    expectProblem(await update(body.Id, { ExpiresAt: null }), 'invalid')
    expectProblem(await to(-1), 'invalid')
  })

  test('sets an expiry for a key without one, and removes it again', async () => {
    const { body } = await create({})
    expect((await update(body.Id, { ExpiresAt: inDays(1).toISOString() })).status).toBe(200)
    expect((await update(body.Id, { ExpiresAt: null })).body.ExpiresAt).toBeNull()
    expect(await statusWith(body.Token)).toBe(200)
  })

  test('lets a narrow key shorten the life of a more powerful one, but not extend it', async () => {
    const narrow = await server.newKey({ scopes: ['keys:write', 'files:read'] })
    const { body } = await create({})
    const ExpiresAt = inDays(1).toISOString()
    expect((await update(body.Id, { ExpiresAt, Label: 'Soon gone' }, narrow)).status).toBe(200)
    expectProblem(await update(body.Id, { ExpiresAt: null }, narrow), 'forbidden')
  })
})

describe('rotation', () => {
  test('returns a key with the same rights, and keeps the old one valid for a day', async () => {
    const { body: old } = await create({ Label: 'Rotated', Scopes: ['files:read'] })
    const answer = await rotate(old.Id)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${server.url}/v3/apikeys/${answer.body.Id}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { Id, Token, ...rights } = answer.body
    expect(rights).toMatchObject({
      Label: 'Rotated',
      UserId: old.UserId,
      Scopes: ['files:read'],
      ExpiresAt: null,
      LastFour: Token.slice(-4),
    })
    expect(Id).not.toBe(old.Id)
    expect([await statusWith(old.Token), await statusWith(Token)]).toEqual([200, 200])
    const end = Date.parse((await key(old.Id)).body.ExpiresAt)
    expect(Math.abs(end - inDays(1).getTime())).toBeLessThan(10_000)
  })

  test('refuses the old key at once without an overlap', async () => {
    const { body: old } = await create({})
    const { body } = await rotate(old.Id, { OverlapSeconds: 0 })
    expect([await statusWith(old.Token), await statusWith(body.Token)]).toEqual([401, 200])
    expectProblem(await key(old.Id), 'not_found')
    expectProblem(await rotate(old.Id), 'not_found')
  })

  test('gives the new key the lifetime of the old one, or the requested one', async () => {
    const { body: old } = await create({ ExpiresAt: inDays(3).toISOString() })
    const { body: same } = await rotate(old.Id, { OverlapSeconds: 604_800 })
    expect(Math.abs(Date.parse(same.ExpiresAt) - inDays(3).getTime())).toBeLessThan(10_000)
    // The old key expires before the overlap ends.
    expect((await key(old.Id)).body.ExpiresAt).toBe(old.ExpiresAt)
    expect((await rotate(old.Id, { ExpiresAt: null })).body.ExpiresAt).toBeNull()
    const end = inDays(30)
    const { body: later } = await rotate(old.Id, { ExpiresAt: end.toISOString() })
    expect(Date.parse(later.ExpiresAt)).toBe(end.getTime())
  })

  test.each<[string, object]>([
    ['a negative overlap', { OverlapSeconds: -1 }],
    ['an overlap of more than a week', { OverlapSeconds: 604_801 }],
    ['an overlap of half a second', { OverlapSeconds: 0.5 }],
    ['an overlap as text', { OverlapSeconds: '60' }],
    ['an end in the past', { ExpiresAt: '2020-01-01T00:00:00+00:00' }],
  ])('%s answers 400 and changes nothing', async (_what, body) => {
    const { body: old } = await create({})
    expectProblem(await rotate(old.Id, body), 'invalid')
    expect((await key(old.Id)).body.ExpiresAt).toBeNull()
  })

  test('by a narrow key does not issue a more powerful one', async () => {
    const narrow = await server.newKey({ scopes: ['keys:write'] })
    const { body: mighty } = await create({})
    expectProblem(await rotate(mighty.Id, {}, narrow), 'forbidden')
    expect((await key(mighty.Id)).body.ExpiresAt).toBeNull()
  })
})

describe('a key with an expiry', () => {
  test('issues no key that outlives it, and by default one with its expiry', async () => {
    const { body: own } = await create({ ExpiresAt: inDays(1).toISOString() })
    expect((await create({}, own.Token)).body.ExpiresAt).toBe(own.ExpiresAt)
    expect((await create({ ExpiresAt: own.ExpiresAt }, own.Token)).body.ExpiresAt).toBe(own.ExpiresAt)
    for (const ExpiresAt of [null, inDays(2).toISOString()])
      expectProblem(await create({ ExpiresAt }, own.Token), 'forbidden')
  })

  test('cannot extend its life by rotating itself, nor rotate another key to extend that one', async () => {
    const { body: own } = await create({ ExpiresAt: inDays(10).toISOString() })
    // Simulates a key issued for ten days, nine of which have passed.
    await update(own.Id, { ExpiresAt: inDays(1).toISOString() })
    const end = (await key(own.Id)).body.ExpiresAt
    const { body: eternal } = await create({})
    for (const { Id } of [own, eternal]) {
      for (const ExpiresAt of [null, inDays(2).toISOString()])
        expectProblem(await rotate(Id, { ExpiresAt }, own.Token), 'forbidden')
      expect((await rotate(Id, {}, own.Token)).body.ExpiresAt).toBe(end)
    }
  })

  test('extends neither itself nor another key beyond its expiry', async () => {
    const { body: own } = await create({ ExpiresAt: inDays(10).toISOString() })
    await update(own.Id, { ExpiresAt: inDays(5).toISOString() })
    const { body: another } = await create({ ExpiresAt: inDays(10).toISOString() })
    await update(another.Id, { ExpiresAt: inDays(1).toISOString() })
    const to = (id: string, days: number) => update(id, { ExpiresAt: inDays(days).toISOString() }, own.Token)
    expect((await to(another.Id, 4)).status).toBe(200)
    expectProblem(await to(another.Id, 6), 'forbidden')
    expectProblem(await to(own.Id, 6), 'forbidden')
    expect((await to(own.Id, 4)).status).toBe(200)
  })
})

test('a key changes itself with the version that it has just read', async () => {
  const { body, headers } = await create({})
  const path = `/apikeys/${body.Id}`
  const read = await server.call('GET', path, { apiKey: body.Token })
  const used = await waitFor(
    () => key(body.Id),
    (one) => one.body.LastUsedAt !== null,
  )
  const etags = [headers, read.headers, used.headers].map((one) => one.get('etag'))
  expect(new Set(etags).size).toBe(1)
  const condition = { 'If-Match': etags[0] ?? '' }
  const changed = await server.call('PUT', path, {
    apiKey: body.Token,
    body: { Label: 'Renamed' },
    headers: condition,
  })
  expect(changed.status).toBe(200)
  expectProblem(await server.call('PUT', path, { body: {}, headers: condition }), 'stale')
})

test('a stale If-Match prevents every change', async () => {
  const { body, headers } = await create({})
  const stale = { 'If-Match': headers.get('etag') ?? '' }
  await update(body.Id, { Label: 'Newer' })
  const path = `/apikeys/${body.Id}`
  expectProblem(await server.call('PUT', path, { body: {}, headers: stale }), 'stale')
  expectProblem(await server.call('POST', `${path}/rotate`, { body: {}, headers: stale }), 'stale')
  expectProblem(await server.call('DELETE', path, { headers: stale }), 'stale')
  expect(await statusWith(body.Token)).toBe(200)
})

test('a key of some projects sees and changes only keys restricted to these', async () => {
  const [one, two] = await Promise.all(
    ['a', 'b'].map(async (Name) => (await server.call('POST', '/projects', { body: { Name } })).body.Id),
  )
  const apiKey = await server.newKey({ projectIds: [one] })
  const { body: within } = await create({ ProjectIds: [one] })
  const hidden = await Promise.all([create({}), create({ ProjectIds: [one, two] })])
  const { ApiKeys } = (await server.call('GET', '/apikeys', { apiKey })).body
  const listed = ApiKeys.map(({ Id }: { Id: string }) => Id)
  expect(listed).toContain(within.Id)
  expect((await rotate(within.Id, {}, apiKey)).body.ProjectIds).toEqual([one])
  for (const { body } of hidden) {
    expect(listed).not.toContain(body.Id)
    const answers: Answer[] = [
      await server.call('GET', `/apikeys/${body.Id}`, { apiKey }),
      await update(body.Id, {}, apiKey),
      await rotate(body.Id, {}, apiKey),
      await server.call('DELETE', `/apikeys/${body.Id}`, { apiKey }),
    ]
    for (const answer of answers) expectProblem(answer, 'not_found')
  }
})

describe('the networks of a key', () => {
  const from = (address: string, path: string, apiKey: string, options: object = {}) =>
    server.call('GET', path, { apiKey, headers: { 'X-Forwarded-For': address }, ...options })
  const networks = ['203.0.113.0/24', '2001:db8::/32']

  test('a key works in its networks only', async () => {
    const { body } = await create({ AllowedNetworks: ['203.0.113.9/24', '2001:db8::1/32', '203.0.113.0/24'] })
    expect(body.AllowedNetworks).toEqual(networks)
    for (const address of ['203.0.113.200', '::ffff:203.0.113.7', '2001:db8:ffff::1'])
      expect((await from(address, '/me', body.Token)).status).toBe(200)
    for (const address of ['203.0.114.1', '2001:db9::1', '::ffff:203.0.114.1', '127.0.0.1']) {
      const refused = await from(address, '/me', body.Token)
      expectProblem(refused, 'forbidden')
      expect(refused.body.error.reason).toBe('address_not_allowed')
    }
    expectProblem(await server.call('GET', '/me', { apiKey: body.Token }), 'forbidden')
  })

  test('a refused use is not the last use', async () => {
    const { body } = await create({ AllowedNetworks: ['203.0.113.7'] })
    expect(body).toMatchObject({ AllowedNetworks: ['203.0.113.7/32'], LastUsedAddress: null })
    await from('203.0.113.8', '/me', body.Token)
    await from('203.0.113.7', '/me', body.Token)
    const used = await waitFor(
      () => key(body.Id),
      (one) => one.body.LastUsedAt !== null,
    )
    expect(used.body.LastUsedAddress).toBe('203.0.113.7')
  })

  test('the address of the last use is written at most once a minute', async () => {
    const { body } = await create({})
    await from('203.0.113.1', '/me', body.Token)
    const first = await waitFor(
      () => key(body.Id),
      (one) => one.body.LastUsedAt !== null,
    )
    // Evicts the cached token, so that the next request could write again.
    await update(body.Id, { Label: 'Evicted' })
    await from('203.0.113.2', '/me', body.Token)
    await server.services.database.kysely.selectFrom('api_keys').select('jti').execute()
    expect((await key(body.Id)).body).toMatchObject({
      LastUsedAt: first.body.LastUsedAt,
      LastUsedAddress: '203.0.113.1',
    })
  })

  test('they can be changed and removed, at once on this node', async () => {
    const { body } = await create({ AllowedNetworks: networks })
    expect((await update(body.Id, { AllowedNetworks: ['198.51.100.1'] })).body.AllowedNetworks).toEqual([
      '198.51.100.1/32',
    ])
    expect((await from('198.51.100.1', '/me', body.Token)).status).toBe(200)
    expectProblem(await from('203.0.113.1', '/me', body.Token), 'forbidden')
    expect((await update(body.Id, { AllowedNetworks: [] })).body.AllowedNetworks).toBeNull()
    expect((await from('203.0.113.1', '/me', body.Token)).status).toBe(200)
  })

  test('a limited key opens no key to other networks', async () => {
    const { body: limited } = await create({ AllowedNetworks: networks })
    const { body: open } = await create({})
    const send = (method: string, path: string, body: object) =>
      server.call(method, path, {
        body,
        apiKey: limited.Token,
        headers: { 'X-Forwarded-For': '203.0.113.1' },
      })
    expect((await send('POST', '/apikeys', { Label: 'a' })).body.AllowedNetworks).toEqual(networks)
    expect(
      (await send('POST', '/apikeys', { Label: 'a', AllowedNetworks: ['203.0.113.128/25'] })).status,
    ).toBe(201)
    const refused: Answer[] = [
      await send('POST', '/apikeys', { Label: 'a', AllowedNetworks: null }),
      await send('POST', '/apikeys', { Label: 'a', AllowedNetworks: ['203.0.112.0/23'] }),
      await send('PUT', `/apikeys/${limited.Id}`, { AllowedNetworks: ['0.0.0.0/0'] }),
      await send('PUT', `/apikeys/${limited.Id}`, { AllowedNetworks: null }),
      await send('POST', `/apikeys/${open.Id}/rotate`, {}),
    ]
    for (const answer of refused) {
      expectProblem(answer, 'forbidden')
      expect(answer.body.error.reason).toBe('networks_exceed_caller')
    }
    expect((await send('PUT', `/apikeys/${open.Id}`, { AllowedNetworks: ['192.0.2.1'] })).status).toBe(200)
    const invited = await send('POST', '/invitations', { Email: 'new@example.com', Role: 'Reader' })
    expectProblem(invited, 'forbidden')
    expect(invited.body.error.reason).toBe('limited_key_grants_access')
  })
})

describe('the key policy of an account', () => {
  let apiKey: string
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const setPolicy = (MaxLifetimeDays: unknown, by = apiKey) =>
    server.call('PUT', '/apikeypolicy', { body: { MaxLifetimeDays }, apiKey: by })

  beforeAll(async () => {
    apiKey = await server.newKey({ inNewAccount: true })
  })

  test('limits new keys, and leaves existing ones alone', async () => {
    const { body: old } = await create({}, apiKey)
    expect((await server.call('GET', '/apikeypolicy', { apiKey })).body).toEqual({ MaxLifetimeDays: null })
    expect((await setPolicy(30)).body).toEqual({ MaxLifetimeDays: 30 })
    for (const ExpiresAt of [null, days(31)]) {
      const refused = await create({ ExpiresAt }, apiKey)
      expectProblem(refused, 'invalid')
      expect(refused.body.error.details[0]).toMatchObject({
        field: 'ExpiresAt',
        reason: 'exceeds_key_policy',
        params: { days: 30 },
      })
    }
    expect((await create({ ExpiresAt: days(29) }, apiKey)).status).toBe(201)
    const { body: byDefault } = await create({}, apiKey)
    const lifetimeMs = Date.parse(byDefault.ExpiresAt) - Date.parse(byDefault.CreatedAt)
    expect(Math.abs(lifetimeMs - 30 * 86_400_000)).toBeLessThan(2_000)
    expect((await server.call('GET', '/me', { apiKey: old.Token })).body.ApiKey.ExpiresAt).toBeNull()
    const rotated = await rotate(old.Id, {}, apiKey)
    expect(Date.parse(rotated.body.ExpiresAt)).toBeLessThanOrEqual(Date.parse(days(30)))
    expectProblem(await rotate(rotated.body.Id, { ExpiresAt: null }, apiKey), 'invalid')
    const other = await create({ ExpiresAt: null })
    expect(other.status).toBe(201)
  })

  test('prevents extending a key beyond it', async () => {
    await setPolicy(null)
    const { body } = await create({ ExpiresAt: days(100) }, apiKey)
    await update(body.Id, { ExpiresAt: days(5) }, apiKey)
    await setPolicy(30)
    expectProblem(await update(body.Id, { ExpiresAt: days(60) }, apiKey), 'invalid')
    expect((await update(body.Id, { ExpiresAt: days(20) }, apiKey)).status).toBe(200)
  })

  test('is audited, and changed only by a session or an unlimited key', async () => {
    await setPolicy(null)
    await setPolicy(90)
    const { body } = await server.call('GET', '/audit?action=apikey.policy-updated&limit=1', { apiKey })
    expect(body.AuditEntries[0].Changes).toEqual([{ Field: 'MaxLifetimeDays', Before: null, After: 90 }])
    const { body: expiring } = await create({}, apiKey)
    expectProblem(await setPolicy(null, expiring.Token), 'forbidden')
    for (const wrong of [0, -1, 3_651, 1.5, '90']) expectProblem(await setPolicy(wrong), 'invalid')
    const stale = await server.call('PUT', '/apikeypolicy', {
      body: { MaxLifetimeDays: 1 },
      apiKey,
      headers: { 'If-Match': '"stale"' },
    })
    expectProblem(stale, 'stale')
  })
})

describe('the list of keys', () => {
  let apiKey: string
  let readerId: number
  const list = async (query: string): Promise<string[]> => {
    const { status, body } = await server.call('GET', `/apikeys?${query}`, { apiKey })
    expect(status).toBe(200)
    expect(body.TotalCount).toBe(body.ApiKeys.length)
    return body.ApiKeys.map(({ Label }: { Label: string }) => Label)
  }

  beforeAll(async () => {
    apiKey = await server.newKey({ inNewAccount: true })
    const body = { Email: 'keys@example.com', Role: 'Reader' }
    readerId = (await server.call('POST', '/users', { body, apiKey })).body.Id
    const { body: used } = await create({ Label: 'Zebra', UserId: readerId }, apiKey)
    await create({ Label: 'Übertragung Studio 1' }, apiKey)
    const { body: revoked } = await create({ Label: 'alpha' }, apiKey)
    await server.call('GET', '/me', { apiKey: used.Token })
    await waitFor(
      () => server.call('GET', `/apikeys/${used.Id}`, { apiKey }),
      (one) => one.body.LastUsedAt !== null,
    )
    await server.call('DELETE', `/apikeys/${revoked.Id}`, { apiKey })
  })

  test('is sorted by creation, newest first, or in two other orders', async () => {
    expect(await list('')).toEqual(['alpha', 'Übertragung Studio 1', 'Zebra', 'test'])
    expect(await list('orderBy=name&sort=asc')).toEqual(['alpha', 'test', 'Übertragung Studio 1', 'Zebra'])
    expect((await list('orderBy=lastUsed&sort=asc')).slice(0, 2)).toEqual(['Übertragung Studio 1', 'alpha'])
  })

  test.each(['created', 'name', 'lastUsed'])('pages by cursor in the order %s', async (orderBy) => {
    for (const sort of ['asc', 'desc']) {
      const found: string[] = []
      for (let cursor = ''; ;) {
        const { body } = await server.call(
          'GET',
          `/apikeys?orderBy=${orderBy}&sort=${sort}&limit=1${cursor}`,
          { apiKey },
        )
        found.push(body.ApiKeys[0].Label)
        if (body.NextCursor === null) break
        cursor = `&cursor=${body.NextCursor}`
      }
      expect(found).toEqual(await list(`orderBy=${orderBy}&sort=${sort}`))
    }
  })

  test('can be searched and filtered', async () => {
    expect(await list('search=studio%20uber')).toEqual(['Übertragung Studio 1'])
    expect(await list(`userId=${readerId}`)).toEqual(['Zebra'])
    expect(await list('isRevoked=true')).toEqual(['alpha'])
    expect(await list('isRevoked=false')).toHaveLength(3)
    expect(await list('isEnabled=false')).toEqual(['alpha'])
    expect(await list('isEnabled=true&search=zebra')).toEqual(['Zebra'])
  })

  test.each([
    'userId=0',
    'userId=1e3',
    'userId=a',
    'isRevoked=maybe',
    'isEnabled=',
    'search=%00',
    'orderBy=size',
  ])('%s answers 400 and names the parameter', async (query) => {
    const answer = await server.call('GET', `/apikeys?${query}`, { apiKey })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(new RegExp(query.split('=')[0] ?? ''))
  })
})

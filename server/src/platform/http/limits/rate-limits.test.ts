import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSecondNode, type SecondNode } from '../../../../test/support/second-node.ts'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { keepHouse } from '../../jobs/housekeeping.ts'
import { httpHousekeeping } from '../housekeeping.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

const limits = { reads: 40, writes: 15, signatures: 5, refusals: 20 }

let server: TestServer
let peer: SecondNode
let apiKey: string

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ZOETROPE_READS_PER_MINUTE: String(limits.reads),
      ZOETROPE_WRITES_PER_MINUTE: String(limits.writes),
      ZOETROPE_SIGNATURES_PER_MINUTE: String(limits.signatures),
      ZOETROPE_REFUSALS_PER_MINUTE: String(limits.refusals),
      ZOETROPE_TRUST_PROXY: '127.0.0.1/32',
    },
  })
  peer = await startSecondNode(server)
})

afterAll(async () => {
  await peer.stop()
  await server.stop()
})

beforeEach(async () => {
  apiKey = await server.newKey()
})

const minuteOf = (): number => Math.floor(Date.now() / 60_000)

const withinOneMinute = async (work: () => Promise<void>): Promise<void> => {
  const minute = minuteOf()
  try {
    await work()
  } catch (error) {
    if (minuteOf() === minute) throw error
  }
  if (minuteOf() === minute) return
  apiKey = await server.newKey()
  await work()
}

const get = (url = server.url): Promise<Answer> => request(`${url}/v3/projects`, 'GET', { apiKey })
const post = (): Promise<Answer> =>
  request(`${server.url}/v3/projects`, 'POST', { apiKey, body: { Name: 'Limited' } })

const statusesOf = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('every response reports the limit, the rest and the reset time', () =>
  withinOneMinute(async () => {
    const first = await get()
    expect(first.headers.get('ratelimit-limit')).toBe('40')
    expect(first.headers.get('ratelimit-remaining')).toBe('39')
    expect(first.headers.get('ratelimit-policy')).toBe('40;w=60')
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    expect(Number(first.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
    expect((await get()).headers.get('ratelimit-remaining')).toBe('38')
    expect((await post()).headers.get('ratelimit-remaining')).toBe('14')
    const others: [string, string][] = [
      ['GET', '/projects/999999'],
      ['GET', '/projects/0'],
      ['GET', '/nothing'],
      ['GET', '/projects/%zz'],
      ['PATCH', '/projects'],
    ]
    for (const [method, path] of others) {
      const { headers } = await request(`${server.url}/v3${path}`, method, { apiKey })
      expect(headers.get('ratelimit-remaining')).not.toBeNull()
    }
  }))

test('a request above the limit answers 429 with Retry-After and changes nothing', () =>
  withinOneMinute(async () => {
    const answers: Answer[] = []
    for (let index = 0; index < limits.writes + 3; index += 1) answers.push(await post())
    expect(statusesOf(answers)).toEqual({ 201: limits.writes, 429: 3 })
    const last = answers.at(-1) as Answer
    expectProblem(last, 'rate_limited')
    expect(last.body.error.message).toMatch(/15 writes .* Try again in \d+ s/)
    expect(last.headers.get('retry-after')).toBe(last.headers.get('ratelimit-reset'))
    expect(last.headers.get('ratelimit-remaining')).toBe('0')
    const { body } = await get()
    expect(body.Projects.filter(({ Name }: { Name: string }) => Name === 'Limited').length).toBeGreaterThan(0)
    expect((await get()).status).toBe(200)
  }))

test('signing playout links has a separate limit, shared by files, playlists and live streams', () =>
  withinOneMinute(async () => {
    const project = await server.call('POST', '/projects', { body: { Name: 'Signed' } })
    const file = await server.call('POST', `/projects/${project.body.Id}/files`, {
      body: { FileName: 'a.mp4' },
    })
    const playlist = await server.call('POST', '/modules/playlists', { body: { Name: 'Signed' } })
    apiKey = await server.newKey()
    const sign = (path: string) => request(`${server.url}/v3${path}/sign`, 'POST', { apiKey, body: {} })
    const paths = [
      `/projects/${project.body.Id}/files/${file.body.Id}/playouts`,
      `/modules/playlists/${playlist.body.Id}/playouts`,
      `/projects/${project.body.Id}/live/output`,
    ]
    const remaining: (string | null)[] = []
    for (const path of [...paths, ...paths]) {
      const answer = await sign(path)
      remaining.push(answer.headers.get('ratelimit-remaining'))
      expect(answer.status).toBe(remaining.length <= limits.signatures ? 200 : 429)
    }
    expect(remaining).toEqual(['4', '3', '2', '1', '0', '0'])
    expect((await post()).headers.get('ratelimit-remaining')).toBe('14')
  }))

test('each key has its own limit', () =>
  withinOneMinute(async () => {
    const other = await server.newKey()
    for (let index = 0; index < limits.reads; index += 1) await get()
    expect((await get()).status).toBe(429)
    expect((await request(`${server.url}/v3/projects`, 'GET', { apiKey: other })).status).toBe(200)
  }))

test('no other spelling of a request bypasses the limit', () =>
  withinOneMinute(async () => {
    for (let index = 0; index < limits.reads; index += 1) await get()
    const spellings: [method: string, path: string, headers?: Record<string, string>][] = [
      ['HEAD', '/v3/projects'],
      ['GET', '/v3/projects?'],
      ['GET', '/v3/projects?limit=1&_=2'],
      ['GET', '/v3/%70rojects'],
      ['GET', '/v3/projects/'],
      ['GET', '/v3//projects'],
      ['GET', '/v3/users'],
      ['GET', '/v3/nothing'],
      ['GET', '/v3/projects', { Authorization: `bearer ${apiKey}` }],
      ['GET', '/v3/projects', { Authorization: `BEARER  ${apiKey} ` }],
      ['GET', '/v3/projects', { 'X-Forwarded-For': '203.0.113.9' }],
      ['GET', '/v3/projects', { Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' }],
      ['GET', '/v3/projects', { 'X-HTTP-Method-Override': 'POST', 'X-Request-Id': 'another' }],
    ]
    for (const [method, path, headers] of spellings) {
      const { status } = await request(server.url + path, method, { apiKey, headers: { ...headers } })
      // A path that does not start with a literal /v3 matches no route.
      expect([429, ...(path === '/v3//projects' ? [404] : [])]).toContain(status)
    }
  }))

test('concurrent requests are counted exactly', () =>
  withinOneMinute(async () => {
    const answers = await Promise.all(Array.from({ length: limits.reads + 20 }, () => get()))
    expect(statusesOf(answers)).toEqual({ 200: limits.reads, 429: 20 })
  }))

describe('two nodes on one database', () => {
  test('serve exactly the limit together under load on both', () =>
    withinOneMinute(async () => {
      const answers: Answer[] = []
      for (let index = 0; index < limits.reads; index += 1)
        answers.push(...(await Promise.all([get(server.url), get(peer.url)])))
      expect(statusesOf(answers)).toEqual({ 200: limits.reads, 429: limits.reads })
    }))

  test('leave at most a tenth unused when one of them is idle', () =>
    withinOneMinute(async () => {
      await get(peer.url)
      const answers = await Promise.all(Array.from({ length: limits.reads }, () => get(server.url)))
      const served = statusesOf(answers)['200'] ?? 0
      expect(served).toBeLessThan(limits.reads)
      expect(served).toBeGreaterThanOrEqual(limits.reads * 0.9)
    }))
})

describe('refused API keys', () => {
  const knock = (address: string, token = `wrong-${Math.random()}`) =>
    request(`${server.url}/v3/projects`, 'GET', { apiKey: token, headers: { 'X-Forwarded-For': address } })

  test('are counted by address: after too many, unknown keys answer 429 and known ones still work', () =>
    withinOneMinute(async () => {
      await get()
      const address = `192.0.2.${1 + (minuteOf() % 250)}`
      for (let index = 0; index < limits.refusals; index += 1)
        expectProblem(await knock(address), 'unauthorized')
      const refused = await knock(address)
      expectProblem(refused, 'rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expectProblem(await knock(address, await server.newKey()), 'rate_limited')
      expect((await knock(address, apiKey)).status).toBe(200)
      expectProblem(await knock('198.51.100.7'), 'unauthorized')
    }))

  test('are counted by the address that the trusted proxy reports, whatever precedes it', () =>
    withinOneMinute(async () => {
      const address = `192.0.2.${1 + ((minuteOf() + 100) % 250)}`
      for (let index = 0; index < limits.refusals; index += 1)
        expectProblem(await knock(`198.51.100.${index}, ${address}`), 'unauthorized')
      expectProblem(await knock(`203.0.113.1, ${address}`), 'rate_limited')
      expectProblem(await knock(address), 'rate_limited')
    }))

  test('of one IPv6 network count together', () =>
    withinOneMinute(async () => {
      const network = `2001:db8:${(minuteOf() % 65_000).toString(16)}:5`
      for (let index = 0; index < limits.refusals; index += 1) await knock(`${network}::${index + 1}`)
      expectProblem(await knock(`${network}:a:b:c:d`), 'rate_limited')
      expectProblem(await knock('2001:db8:ffff:6::1'), 'unauthorized')
    }))
})

test('housekeeping removes past windows and keeps the current one', async () => {
  const { database } = server.services
  const { id } = await database.kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const minute = minuteOf()
  const row = { account_id: id, caller: 'a', kind: 'reads', taken: 1 } as const
  await database.kysely
    .insertInto('rate_limit_windows')
    .values([
      { ...row, minute: minute - 5 },
      { ...row, minute },
    ])
    .execute()
  await keepHouse(httpHousekeeping(database, { idempotencyHours: 24 }))
  const left = await database.kysely
    .selectFrom('rate_limit_windows')
    .select('minute')
    .where('caller', '=', 'a')
    .execute()
  expect(left).toEqual([{ minute }])
})

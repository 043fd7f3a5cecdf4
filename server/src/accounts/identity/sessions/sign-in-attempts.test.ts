import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { newPerson, trySignIn } from '../test-support/people.ts'
import { Problem } from '../../../platform/base/problem.ts'
import {
  bucketsOfAddress,
  bucketsOfDevice,
  bucketsOfSession,
  bucketsOfStranger,
  giveBackAttempt,
  takeAttempt,
  type AttemptBuckets,
} from './sign-in-attempts.ts'
import { unlessBusy } from './require-attempt.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

let clockMs = Date.parse('2026-03-01T12:00:00Z')
const take = (buckets: AttemptBuckets) => takeAttempt(server.services.database, buckets, new Date(clockMs))

/** Omits the limit of the address. */
const stranger = (email: string, address = '192.0.2.7') => bucketsOfStranger(email, address, 0)

const passing = async (attempts: number, bucketsOf: (index: number) => AttemptBuckets): Promise<number> => {
  let count = 0
  for (let index = 0; index < attempts; index += 1) if ((await take(bucketsOf(index))) === 0) count += 1
  return count
}

test('five attempts have no delay, then it doubles up to a minute', async () => {
  const buckets = bucketsOfSession('a')
  expect(await passing(5, () => buckets)).toBe(5)
  const waits: number[] = []
  for (let attempt = 0; attempt < 9; attempt += 1) {
    const wait = await take(buckets)
    waits.push(wait)
    clockMs += wait * 1_000
    expect(await take(buckets)).toBe(0)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})

test('concurrent attempts that arrive slightly out of order do not wait for each other', async () => {
  const buckets = bucketsOfSession('late')
  expect(await take(buckets)).toBe(0)
  clockMs -= 3
  expect(await passing(5, () => buckets)).toBe(4)
  clockMs += 3
})

test('attempts during a delay do not extend it', async () => {
  const buckets = bucketsOfSession('b')
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    clockMs += 60_000
    await take(buckets)
  }
  const wait = await take(buckets)
  expect(wait).toBe(8)
  for (let again = 0; again < 5; again += 1) expect(await take(buckets)).toBe(wait)
  clockMs += 8_000
  expect(await take(buckets)).toBe(0)
})

test('a quarter of an hour without an attempt, or a success, resets the count', async () => {
  const person = stranger('c@example.com')
  const fill = async () => expect(await passing(6, () => person)).toBe(5)
  await fill()
  clockMs += 901_000
  await fill()
  await server.services.database.transaction((tx) => giveBackAttempt(tx, person))
  await fill()
})

test('an attacker never locks out the owner in a browser elsewhere, however long the attack lasts', async () => {
  const from = (address: string) => stranger('d@example.com', address)
  for (let minute = 0; minute < 120; minute += 1) {
    await take(from('198.51.100.7'))
    clockMs += 60_000
  }
  expect(await take(from('192.0.2.7'))).toBe(0)
})

test('unknown browsers in many networks share fifty attempts per user, then wait for a minute at most', async () => {
  expect(await passing(60, (index) => stranger('e@example.com', `192.0.2.${index}`))).toBe(50)
  expect(await take(stranger('e@example.com', '198.51.100.7'))).toBe(1)
})

test('an address has a number of attempts a minute across all users, and successes do not count', async () => {
  const from = (email: string) => bucketsOfStranger(email, '192.0.2.99', 3)
  const { database } = server.services
  for (const name of ['f', 'g', 'h']) expect(await take(from(name))).toBe(0)
  expect(await take(from('i'))).toBe(60)
  await database.transaction((tx) => giveBackAttempt(tx, from('h')))
  expect(await take(from('i'))).toBe(0)
  expect(await take(from('i'))).toBe(60)
  // The limit resets even under continuous attempts.
  for (let second = 0; second < 60; second += 20) {
    clockMs += 20_000
    await take(from('i'))
  }
  expect(await passing(2, () => from('j'))).toBe(2)
})

test('an attempt refused by its own delay does not count for others at the same address', async () => {
  const from = (email: string) => bucketsOfStranger(email, '192.0.2.100', 10)
  expect(await passing(30, () => from('k'))).toBe(5)
  expect(await passing(10, (index) => from(`l${index}`))).toBe(5)
})

test('an IPv6 /64 counts as one address, and a /48 as five', async () => {
  const alone = (address: string) => ({ shared: bucketsOfAddress(address, 2), own: null })
  expect(await passing(4, (index) => alone(`2001:db8:1:1::${index + 1}`))).toBe(2)
  expect(await passing(20, (index) => alone(`2001:db8:1:${index + 2}::1`))).toBe(8)
  expect(await take(alone('2001:db8:2::1'))).toBe(0)
})

test('an attacker with a /48 of IPv6 has five attempts per user, and does not lock out the owner', async () => {
  expect(await passing(60, (index) => stranger('n@example.com', `2001:db8:3:${index}::1`))).toBe(5)
  expect(await take(stranger('n@example.com', '2001:db8:4::1'))).toBe(0)
})

test('responses of an identity provider are counted separately from passwords', async () => {
  const back = { shared: bucketsOfAddress('192.0.2.101', 3, 'sso address'), own: null }
  expect(await passing(9, () => back)).toBe(3)
  expect(await take({ shared: bucketsOfAddress('192.0.2.101', 3), own: null })).toBe(0)
})

test('an attempt refused because of a full queue does not count, a failed one does', async () => {
  const { database } = server.services
  const person = bucketsOfStranger('o@example.com', '192.0.2.102', 10)
  const fail = (reason: 'too_many_sign_ins' | 'internal_error') =>
    unlessBusy(database, person, () => Promise.reject(new Problem(reason)))
  expect(await passing(3, () => person)).toBe(3)
  await expect(fail('too_many_sign_ins')).rejects.toThrow('Too many people')
  await expect(fail('internal_error')).rejects.toThrow('Internal server error')
  expect(await passing(9, () => person)).toBe(3)
})

test('a known browser has its own buckets, and all known browsers of a user share others', async () => {
  await passing(60, (index) => stranger('m@example.com', `192.0.2.${index}`))
  expect(await take(bucketsOfDevice('mark', 'm@example.com'))).toBe(0)
  expect(await passing(60, (index) => bucketsOfDevice(`mark ${index}`, 'M@example.com'))).toBe(49)
})

test('refused requests to all sign-in routes count like wrong passwords of their address, but do not delay a known browser', async () => {
  const known = await newPerson(server)
  const refused = [
    ['/session', { Email: 5 }],
    ['/session/link', { Token: 'unknown' }],
    ['/session/invitation', { Token: 'unknown', Password: 'a ferry on the ninth wave' }],
    ['/session', 'no JSON'],
    ['/session', 'a'.repeat(5_000)],
  ] as const
  const post = (index: number, headers: Record<string, string> = {}) => {
    const [path, body] = refused[index % refused.length] ?? refused[0]
    return server.call('POST', path, {
      apiKey: null,
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  }
  const statuses: number[] = []
  for (let index = 0; index < 10; index += 1) statuses.push((await post(index)).status)
  expect(statuses).toEqual([400, 404, 404, 400, 413, 400, 404, 404, 400, 413])
  for (let index = 0; index < 5; index += 1) {
    const answer = await post(index)
    expect({ index, status: answer.status }).toEqual({ index, status: 429 })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await trySignIn(server, known)).status).toBe(429)
  expect((await trySignIn(server, known, { Cookie: known.cookie })).status).toBe(201)
  // Pages of another site cannot lock out the network of their visitors.
  expect((await post(0, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(400)
})

test('a second step without a genuine cookie counts like a wrong password of the address', async () => {
  const { kysely } = server.services.database
  await kysely.deleteFrom('sign_in_attempts').execute()
  const finish = async (Cookie?: string) => {
    const headers = Cookie === undefined ? {} : { Cookie: `zoetrope-pending=${Cookie}` }
    const answer = await server.call('POST', '/session/factor', {
      apiKey: null,
      headers,
      body: { Code: '123456' },
    })
    return answer.status
  }
  const { id, account_id } = await kysely
    .selectFrom('users')
    .select(['id', 'account_id'])
    .executeTakeFirstOrThrow()
  const forged = `${account_id}.${id}.${Math.floor(Date.now() / 1_000)}.${'A'.repeat(43)}`
  for (let index = 0; index < 10; index += 1)
    expect(await finish([forged, '0.0.0.x', undefined][index % 3])).toBe(401)
  expect(await finish(forged)).toBe(429)
})

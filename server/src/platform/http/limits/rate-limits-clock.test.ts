import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import { createBudgetStore, type TakeFromBudget } from './budget-store.ts'
import { createRateLimits } from './rate-limits.ts'
import { createRefusals } from './refusals.ts'

let testDatabase: TestDatabase
let take: TakeFromBudget
let questions: number
let request: FastifyRequest

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(() => testDatabase.drop())

beforeEach(async () => {
  const { database } = testDatabase
  const { id } = await database.kysely
    .insertInto('accounts')
    .values({ name: 'Any' })
    .returning('id')
    .executeTakeFirstOrThrow()
  request = {
    method: 'GET',
    principal: { accountId: id, apiKeyId: 'key' },
    routeOptions: { config: {} },
  } as unknown as FastifyRequest
  questions = 0
  const ask = createBudgetStore(database)
  take = (key, amount) => {
    questions += 1
    return ask(key, amount)
  }
})

const createReply = () => {
  const headers: Record<string, unknown> = {}
  const reply = {
    header: (name: string, value: unknown) => {
      headers[name] = value
      return reply
    },
  }
  return { reply: reply as unknown as FastifyReply, headers }
}

const limits = { reads: 600, writes: 0, signatures: 0 }

test('resets the budget every minute', async () => {
  let nowMs = 60_000_000
  const limitRate = createRateLimits({ take, limits, now: () => nowMs })
  const { reply, headers } = createReply()
  for (let index = 0; index < 600; index += 1) await limitRate(request, reply)
  await expect((async () => limitRate(request, reply))()).rejects.toThrow(/600 reads/)
  expect(headers).toMatchObject({ 'ratelimit-remaining': 0, 'ratelimit-reset': 60 })
  nowMs += 59_999
  await expect((async () => limitRate(request, reply))()).rejects.toThrow(/Try again in 1 s/)
  nowMs += 1
  await limitRate(request, reply)
  expect(headers).toMatchObject({ 'ratelimit-remaining': 599, 'ratelimit-reset': 60 })
})

test('starts again when the clock is set back by an hour', async () => {
  let nowMs = 60_000_000
  const limitRate = createRateLimits({ take, limits, now: () => nowMs })
  const { reply, headers } = createReply()
  for (let index = 0; index < 600; index += 1) await limitRate(request, reply)
  nowMs -= 3_600_000
  await limitRate(request, reply)
  expect(headers).toMatchObject({ 'ratelimit-remaining': 599, 'ratelimit-reset': 60 })
})

test('addresses with refused keys may try again when the clock is set back by an hour', () => {
  let nowMs = 60_000_000
  const refusals = createRefusals(1, () => nowMs)
  refusals.count('192.0.2.1')
  expect(() => refusals.check('192.0.2.1')).toThrow(/60 s/)
  nowMs -= 3_600_000
  expect(() => refusals.check('192.0.2.1')).not.toThrow()
})

test('gives a busy process the whole limit with few database queries', async () => {
  const limitRate = createRateLimits({ take, limits, now: () => 60_000_000 })
  const { reply } = createReply()
  for (let index = 0; index < 600; index += 1) await limitRate(request, reply)
  expect(questions).toBeLessThan(60)
})

test.each([2, 5])('%i processes together serve the whole limit and never more', async (count) => {
  const nodes = Array.from({ length: count }, () => createRateLimits({ take, limits, now: () => 60_000_000 }))
  const { reply } = createReply()
  let served = 0
  for (let round = 0; round < 600; round += 1)
    for (const limitRate of nodes)
      await (async () => limitRate(request, reply))().then(
        () => (served += 1),
        () => {},
      )
  expect(served).toBe(600)
})

test('a limit of 0 disables limiting and its headers', async () => {
  const limitRate = createRateLimits({ take, limits, now: () => 60_000_000 })
  const { reply, headers } = createReply()
  for (let index = 0; index < 1_000; index += 1) await limitRate({ ...request, method: 'POST' }, reply)
  expect(headers).toEqual({})
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import { request, type Answer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createLog } from '../../log/log.ts'
import { createSecrets } from '../../base/secrets.ts'
import { protectRoutes, type Principal } from '../requests/authenticate.ts'
import type { HttpServer } from '../http-server.ts'
import { createHttpServer } from '../server.ts'
import { expectProblem } from '../test-support/expect-problem.ts'
import { createIdempotencyStore } from './idempotency-store.ts'
import { useIdempotencyKeys } from './idempotency-keys.ts'

let testDatabase: TestDatabase
let app: HttpServer
let url: string
let finish: () => void
let timesThrown = 0
let lockedId: number

const log = createLog({ level: 'silent' })
const anyKey = { config: { permission: 'any-key' } } as const

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const { database } = testDatabase
  const newAccount = async (name: string): Promise<number> =>
    (await database.kysely.insertInto('accounts').values({ name }).returning('id').executeTakeFirstOrThrow())
      .id
  const accountId = await newAccount('Any')
  const otherAccountId = await newAccount('Other')
  lockedId = await newAccount('Locked')
  const principal: Principal = {
    accountId,
    userId: 1,
    apiKeyId: 'key',
    sessionId: null,
    can: () => true,
    canGrant: () => true,
    projectIds: null,
  }
  const store = createIdempotencyStore(database, {
    secrets: createSecrets(Buffer.alloc(32)),
    memoryMs: 3_600_000,
  })
  const addAccount = (name: string) => database.kysely.insertInto('accounts').values({ name }).execute()
  app = await createHttpServer({ log, publicUrl: 'http://video.test' })
  await app.register(
    async (api) => {
      protectRoutes(api, async ({ headers }) =>
        headers['x-other'] === undefined ? principal : { ...principal, accountId: otherAccountId },
      )
      useIdempotencyKeys(api, { database, store, log, patienceMs: 300, lockWaitMs: 1_500 })
      api.post('/locked', anyKey, async (_request, reply) => {
        const wanted = database.kysely.selectFrom('accounts').select('id').where('id', '=', lockedId)
        return reply.code(201).send({ Id: (await wanted.forUpdate().executeTakeFirstOrThrow()).id })
      })
      api.post('/quick', anyKey, async (_request, reply) => reply.code(201).send({ Id: 2 }))
      api.post('/slow', anyKey, async (_request, reply) => {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return reply.code(201).send({ Id: 1 })
      })
      api.post('/thrown', anyKey, async () => {
        await addAccount('thrown')
        timesThrown += 1
        throw new Error('a bug of ours')
      })
      api.post('/aborted', anyKey, async (_request, reply) => {
        await addAccount('aborted')
        // A handler that ignores a database error leaves the transaction impossible to commit.
        await sql`select 1 / 0`.execute(database.kysely).catch(() => {})
        return reply.code(201).header('Location', 'http://video.test/1').send({ Id: 1 })
      })
      api.post('/mended', anyKey, async (_request, reply) => {
        await addAccount('kept')
        await database
          .transaction(async (tx) => {
            await tx.insertInto('accounts').values({ name: 'undone' }).execute()
            await sql`select 1 / 0`.execute(tx)
          })
          .catch(() => {})
        await database.transaction((tx) => tx.insertInto('accounts').values({ name: 'kept too' }).execute())
        const { rows } = await sql<{ seen: number }>`
          select count(*) as seen from accounts where name like 'kept%'`.execute(database.kysely)
        return reply.code(201).send({ Seen: Number(rows[0]?.seen) })
      })
    },
    { prefix: '/v3' },
  )
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app.close()
  await testDatabase.drop()
})

const post = (path: string, key: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request(`${url}/v3${path}`, 'POST', { headers: { 'Idempotency-Key': key, ...headers } })

const accountsNamed = async (name: string): Promise<number> =>
  (await testDatabase.database.kysely.selectFrom('accounts').select('id').where('name', '=', name).execute())
    .length

test('a repetition that waited too long answers 409 with Retry-After', async () => {
  const first = post('/slow', 'slow')
  await waitFor(
    async () => finish as (() => void) | undefined,
    (isThere) => isThere !== undefined,
  )
  const second = await post('/slow', 'slow')
  expectProblem(second, 'conflict')
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
  finish()
  expect((await first).status).toBe(201)
  const third = await post('/slow', 'slow')
  expect(third.status).toBe(201)
  expect(third.headers.get('idempotent-replayed')).toBe('true')
})

test('an unexpected error in the handler answers 500, rolls back and frees the key', async () => {
  expectProblem(await post('/thrown', 'thrown'), 'internal')
  expectProblem(await post('/thrown', 'thrown'), 'internal')
  expect(timesThrown).toBe(2)
  expect(await accountsNamed('thrown')).toBe(0)
})

test("a failed commit answers an error instead of the handler's success", async () => {
  const answer = await post('/aborted', 'aborted')
  expectProblem(answer, 'internal')
  expect(answer.headers.get('location')).toBeNull()
  expect(await accountsNamed('aborted')).toBe(0)
  // The key and the connection are free.
  for (let index = 0; index < 20; index += 1) expectProblem(await post('/aborted', 'aborted'), 'internal')
})

test('a failing nested transaction rolls back alone, and the handler sees its own writes', async () => {
  expect((await post('/mended', 'mended')).body).toEqual({ Seen: 2 })
  expect(await accountsNamed('undone')).toBe(0)
  expect(await accountsNamed('kept')).toBe(1)
  expect(await accountsNamed('kept too')).toBe(1)
})

test('requests that wait too long for a lock answer 503, do not block others and may be retried', async () => {
  const { database } = testDatabase
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = database.transaction(async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', lockedId).forUpdate().execute()
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const waiting = Array.from({ length: 8 }, (_none, index) => post('/locked', `locked-${index}`))
  const isWaiting = () => database.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitFor(isWaiting, (rows) => rows.length === 3)
  expect((await post('/quick', 'quick', { 'X-Other': 'yes' })).status).toBe(201)
  for (const answer of await Promise.all(waiting)) {
    expectProblem(answer, 'unavailable')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  held.resolve()
  await holding
  for (let index = 0; index < 8; index += 1)
    expect((await post('/locked', `locked-${index}`)).status).toBe(201)
})

import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createGuardedAgent, type GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { createSecrets } from '../../../platform/base/secrets.ts'
import { connectProvider } from '../connections/connect-provider.ts'
import { createDeliveryIdentity, type RequestProof } from './delivery-identity.ts'
import {
  startIdentityProvider,
  testAudience,
  testClient,
  type TestIdentityProvider,
} from '../test-support/identity-provider.ts'
import { keysOfAccount } from '../store/webhook-signing-keys.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const dayMs = 86_400_000
let world: TestDatabase
let agent: GuardedAgent
let provider: TestIdentityProvider

beforeAll(async () => {
  world = await createTestDatabase()
  provider = await startIdentityProvider()
  agent = createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true })
})

afterAll(async () => {
  await agent.close()
  await provider.close()
  await world.drop()
})

test('createDeliveryIdentity replaces a key after 90 days, once for all workers', async () => {
  const { database } = world
  const { id: accountId } = await database.kysely
    .insertInto('accounts')
    .values({ name: 'Test' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const body = {
    Issuer: provider.issuer,
    ClientId: testClient.id,
    ClientSecret: testClient.secret,
    Audience: testAudience,
  }
  const row = await connectProvider(
    { database, secrets, agent, publicUrl: 'http://127.0.0.1' },
    accountId,
    body,
    {
      check: async () => {},
      record: async () => {},
    },
  )
  const [first] = await keysOfAccount(database.kysely, accountId)

  let nowMs = Date.now()
  const newWorker = () =>
    createDeliveryIdentity({
      database,
      secrets: secrets.workers,
      agent,
      log: createLog({ level: 'silent' }),
      publicUrl: 'https://video.example.com',
      signal: new AbortController().signal,
      nowMs: () => nowMs,
    })
  const connection = { accountId, connectionId: row.id, version: row.version }
  const kidOf = async (worker = newWorker()) => {
    const proof = (await worker.proofFor(connection)) as RequestProof
    const request = { url: 'https://a.example/', body: Buffer.from(''), id: 'evt_1_1', now: new Date(nowMs) }
    return decodeProtectedHeader(proof.headers(request)['webhook-identity'] ?? '').kid
  }

  const longRunning = newWorker()
  expect(await kidOf(longRunning)).toBe(first?.kid)
  await database.kysely
    .updateTable('webhook_signing_keys')
    .set({ active_from: new Date(nowMs - 91 * dayMs) })
    .execute()
  nowMs += 599_000
  expect(await kidOf(longRunning)).toBe(first?.kid)
  expect(await keysOfAccount(database.kysely, accountId)).toHaveLength(1)
  nowMs += 2_000
  expect(await Promise.all([kidOf(longRunning), kidOf(), kidOf()])).toEqual(Array(3).fill(first?.kid))
  const [old, next, ...others] = await keysOfAccount(database.kysely, accountId)
  expect(others).toEqual([])
  expect(old).toMatchObject({ kid: first?.kid, published_until: expect.any(Date) })
  nowMs = (next?.active_from.getTime() ?? 0) + 1
  expect(await kidOf(longRunning)).toBe(next?.kid)
})

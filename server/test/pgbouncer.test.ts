import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../src/platform/db/driver/connection.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { isTransactionPooler } from '../src/platform/db/requirements/transaction-pooler.ts'
import { findFreePort } from './support/free-port.ts'
import { runProgram } from './support/program.ts'
import { findPgBouncer, startPgBouncer, type PgBouncer, type PoolMode } from './support/pgbouncer.ts'
import { customerPassword, openPostgresProxy } from './support/postgres-proxy.ts'
import { startProduct } from './support/product.ts'
import { request } from './support/test-server.ts'

const program = await findPgBouncer()

describe.skipIf(program === null)('With PgBouncer (apt-get install pgbouncer)', () => {
  let folder: string
  let external: EmbeddedPostgres
  let proxy: Awaited<ReturnType<typeof openPostgresProxy>>
  const bouncers: PgBouncer[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zoetrope-pooled-'))
    external = await startEmbeddedPostgres({ dataFolder: join(folder, 'server') })
    const administrator = await openConnection(external.connectionOptions)
    await administrator.query(`create role customer login createrole password '${customerPassword}'`)
    await administrator.query('create database app owner customer')
    administrator.discard()
    proxy = await openPostgresProxy(external.socketFolder)
  })

  afterAll(async () => {
    for (const bouncer of bouncers) await bouncer.stop()
    proxy.close()
    await external.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const pooled = async (mode: PoolMode, settings: Record<string, string | number> = {}): Promise<string> => {
    const { port } = new URL(proxy.urlOf('customer', 'app'))
    const bouncer = await startPgBouncer(program ?? '', Number(port), mode, settings)
    bouncers.push(bouncer)
    return bouncer.urlOf('customer', 'app')
  }

  test.each([
    ['transaction', {}],
    ['transaction', { default_pool_size: 1 }],
    ['transaction', { server_round_robin: 1 }],
    ['transaction', { min_pool_size: 10 }],
    ['statement', {}],
  ] as const)('a pool in %s mode with %j is detected every time', async (mode, settings) => {
    const url = await pooled(mode, settings)
    for (let time = 0; time < 5; time += 1) expect(await isTransactionPooler({ url })).toBe(true)
  })

  test('detects a pool in transaction mode while other clients use it', async () => {
    const url = await pooled('transaction', { server_round_robin: 1 })
    const others = new Pool({ connectionString: url, max: 8 })
    let isOver = false
    const use = async (): Promise<void> => {
      while (!isOver) await others.query('select pg_sleep(0.005)')
    }
    const users = Array.from({ length: 8 }, use)
    for (let time = 0; time < 5; time += 1) expect(await isTransactionPooler({ url })).toBe(true)
    isOver = true
    await Promise.all(users)
    await others.end()
  })

  test('accepts a pool in session mode and a direct connection', async () => {
    for (const url of [
      await pooled('session'),
      await pooled('session', { server_round_robin: 1 }),
      proxy.urlOf('customer', 'app'),
    ])
      for (let time = 0; time < 5; time += 1) expect(await isTransactionPooler({ url })).toBe(false)
  })

  test.each(['transaction', 'statement'] as const)(
    'the server refuses to start on a pool in %s mode and names the remedy',
    async (mode) => {
      const run = await runProgram(
        {
          DATABASE_URL: await pooled(mode),
          ZOETROPE_DATA: join(folder, `data-${mode}`),
          ZOETROPE_PORT: String(await findFreePort()),
        },
        'serve',
      )
      expect(run.code).toBe(1)
      expect(run.stderr).toMatch(/pooler in transaction or statement mode.* pool_mode = session/)
      expect(run.stderr).not.toMatch(/^ +at /m)
    },
  )

  test('the server runs on a pool in session mode', async () => {
    const DATABASE_URL = await pooled('session', { default_pool_size: 60 })
    const product = await startProduct(join(folder, 'data-session'), await findFreePort(), { DATABASE_URL })
    const answer = await request(`${product.url}/v3/projects`, 'POST', {
      apiKey: product.apiKey,
      body: { Name: 'Pooled' },
    })
    expect(answer).toMatchObject({ status: 201, body: { Name: 'Pooled' } })
    expect(await product.stop()).toBe(0)
  })
})

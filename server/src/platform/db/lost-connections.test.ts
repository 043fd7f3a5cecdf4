import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { expectProblem } from '../http/test-support/expect-problem.ts'
import { openConnection, type Connection } from './driver/connection.ts'
import { openDatabase, type Database, type Queryable } from './database.ts'

const pidOf = async (queryable: Queryable): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queryable)
  return rows[0]?.pid ?? 0
}

/** Uses every connection of the pool at once: each transaction waits until all have begun. */
const pidsOfWholePool = async (database: Database, size: number): Promise<Set<number>> => {
  const pids = new Set<number>()
  const all = Promise.withResolvers<void>()
  await Promise.all(
    Array.from({ length: size }, () =>
      database.transaction(async (tx) => {
        pids.add(await pidOf(tx))
        if (pids.size === size) all.resolve()
        await all.promise
      }),
    ),
  )
  return pids
}

describe('a database whose connections the server ends', () => {
  let world: TestDatabase
  let database: Database
  let administrator: Connection
  const size = 4

  beforeAll(async () => {
    world = await createTestDatabase()
    database = openDatabase(world.connection, { maxConnections: size })
    administrator = await openConnection(world.connection, { name: 'administrator' })
  })

  afterAll(async () => {
    await database.close()
    administrator.discard()
    await world.drop()
  })

  const terminate = async (pid: number): Promise<void> => {
    await administrator.query('select pg_terminate_backend($1, 5000)', [pid])
  }

  const lost = { code: 'CONNECTION_CLOSED' }

  test('fails every later statement of that transaction, and keeps all its connections', async () => {
    for (let round = 0; round < 12; round += 1) {
      await expect(
        database.transaction(async (tx) => {
          await terminate(await pidOf(tx))
          await tx.selectFrom('accounts').select('id').execute()
        }),
      ).rejects.toMatchObject(lost)
      await expect(
        database.transaction(async (tx) => {
          await terminate(await pidOf(tx))
          throw new Error('its own')
        }),
      ).rejects.toThrow('its own')
      await expect(
        database.transaction(async (tx) => {
          const sleeping = sql`select pg_sleep(60)`.execute(tx)
          sleeping.catch(() => {})
          const isAsleep = () =>
            administrator.rows<{ pid: number }>(
              `select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
            )
          const [row] = await waitFor(isAsleep, (rows) => rows.length > 0)
          await terminate(row?.pid ?? 0)
          await sleeping
        }),
      ).rejects.toMatchObject(lost)
    }
    expect((await pidsOfWholePool(database, size)).size).toBe(size)
  })

  test('fails a commit whose connection is lost, and keeps nothing of the transaction', async () => {
    await expect(
      database.transaction(async (tx) => {
        await tx.insertInto('accounts').values({ name: 'Never' }).execute()
        await terminate(await pidOf(tx))
      }),
    ).rejects.toMatchObject(lost)
    expect(
      await database.kysely.selectFrom('accounts').where('name', '=', 'Never').select('id').execute(),
    ).toEqual([])
  })

  test('does the same when others join the transaction', async () => {
    for (let round = 0; round < 12; round += 1) {
      const open = await database.beginJoined()
      await terminate(await pidOf(open.tx))
      if (round % 2 === 0) await open.rollback()
      else await expect(open.commit()).rejects.toMatchObject(lost)
    }
    expect((await pidsOfWholePool(database, size)).size).toBe(size)
  })

  test('reconnects after all idle and busy connections ended at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await pidsOfWholePool(database, size)
      const reads = Promise.allSettled(
        Array.from({ length: 20 }, () => database.sql`select count(*) from accounts`),
      )
      await administrator.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'zoetrope'`)
      await reads
      await waitFor(
        async () => database.sql`select 1 as one`.catch(() => []),
        (rows) => rows.length === 1,
      )
    }
    await waitFor(
      () => pidsOfWholePool(database, size).catch(() => new Set()),
      (pids) => pids.size === size,
    )
  })

  test('does not report a failed transaction as committed', async () => {
    await expect(
      database.transaction(async (tx) => {
        await tx.insertInto('accounts').values({ name: 'Half' }).execute()
        await sql`select 1 / 0`.execute(tx).catch(() => {})
      }),
    ).rejects.toThrow()
  })
})

test('a database with a lock timeout fails statements that wait longer, and keeps its connections', async () => {
  const world = await createTestDatabase()
  const holder = await openConnection(world.connection, { name: 'administrator' })
  const database = openDatabase(world.connection, { lockTimeoutMs: 200 })
  try {
    await holder.query('begin; lock table accounts in access exclusive mode')
    const timedOut = { code: '55P03' }
    await expect(database.sql`select id from accounts`).rejects.toMatchObject(timedOut)
    await expect(database.kysely.selectFrom('accounts').select('id').execute()).rejects.toMatchObject(
      timedOut,
    )
    await expect(
      database.transaction((tx) => tx.insertInto('accounts').values({ name: 'Late' }).execute()),
    ).rejects.toMatchObject(timedOut)
    await holder.rollback()
    expect(await database.sql`select name from accounts where name = 'Late'`).toEqual([])
    await database.transaction((tx) => tx.insertInto('accounts').values({ name: 'Late' }).execute())
  } finally {
    await database.close()
    holder.discard()
    await world.drop()
  }
})

describe('a request whose connection is lost', () => {
  let server: TestServer
  let holder: Connection
  let administrator: Connection

  beforeAll(async () => {
    server = await startTestServer()
    const { connection } = server.services.database
    administrator = await openConnection(connection, { name: 'administrator' })
    holder = await openConnection(connection, { name: 'administrator' })
  })

  afterAll(async () => {
    for (const connection of [holder, administrator]) connection.discard()
    await server.stop()
  })

  const waiting = (what: string) =>
    administrator.rows(`
      select ${what} from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and application_name like 'zoetrope key=%'`)

  /** Locks the project's row until the request waits for it, then ends the waiting connection. */
  const cutOff = async (projectId: number, send: () => Promise<Answer>): Promise<Answer> => {
    await holder.query('begin')
    await holder.query('select id from projects where id = $1 for update', [projectId])
    const answer = send()
    await waitFor(
      () => waiting('pg_terminate_backend(pid)'),
      (rows) => rows.length > 0,
    )
    await answer
    await holder.rollback()
    return answer
  }

  test('answers 503 after fifteen seconds while a transaction of an administrator locks a table', async () => {
    await holder.query('begin; lock table projects in access exclusive mode')
    const answers = await Promise.all([
      server.call('POST', '/projects', { body: { Name: 'Locked' } }),
      server.call('GET', '/projects'),
    ])
    await holder.rollback()
    for (const answer of answers) {
      expectProblem(answer, 'unavailable')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await server.call('GET', '/projects')).status).toBe(200)
  }, 40_000)

  test('answers 503 with Retry-After, and the process keeps serving on all its connections', async () => {
    const { Id: id } = (await server.call('POST', '/projects', { body: { Name: 'Lost' } })).body
    await server.call('DELETE', `/projects/${id}`)
    for (let round = 0; round < 24; round += 1) {
      const headers: Record<string, string> = round % 2 === 0 ? {} : { 'Idempotency-Key': 'lost' }
      const answer = await cutOff(id, () => server.call('POST', `/projects/${id}/restore`, { headers }))
      expectProblem(answer, 'unavailable')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const again = await server.call('POST', `/projects/${id}/restore`, {
      headers: { 'Idempotency-Key': 'lost' },
    })
    expect(again).toMatchObject({ status: 200, body: { Id: id } })
    await holder.query('begin')
    await holder.query('select id from projects where id = $1 for update', [id])
    const changes = Array.from({ length: 10 }, () =>
      server.call('PUT', `/projects/${id}`, { body: { Description: 'Changed' } }),
    )
    await waitFor(
      () => waiting('pid'),
      (rows) => rows.length === 10,
    )
    await holder.rollback()
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200))
  })
})

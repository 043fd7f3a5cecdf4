import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { runForAccount, runForAllAccounts } from './account-scope.ts'
import { openQueueToRequests, enableRowLevelSecurity } from './row-level-security.ts'
import { openDatabase, type Database, type Queryable } from './database.ts'

let world: TestDatabase
let database: Database
let ours: number
let theirs: number

beforeAll(async () => {
  world = await createTestDatabase()
  database = openDatabase(world.connection, { maxConnections: 3, isRowSecurityEnabled: true })
  const accounts = await database.kysely
    .insertInto('accounts')
    .values([{ name: 'Ours' }, { name: 'Theirs' }])
    .returning('id')
    .execute()
  ours = accounts[0]?.id ?? 0
  theirs = accounts[1]?.id ?? 0
  for (const { id } of accounts) await createProject(database.kysely, id)
})

afterAll(async () => {
  await database.close()
  await world.drop()
})

const createProject = (queryable: Queryable, accountId: number) =>
  sql`insert into projects (account_id, name) values (${accountId}, 'Of ' || ${accountId}::text)`.execute(
    queryable,
  )

/** A query without an account filter. */
const ownersSeen = async (queryable: Queryable): Promise<number[]> =>
  (await queryable.selectFrom('projects').select('account_id').orderBy('account_id').execute()).map(
    (row) => row.account_id,
  )

describe('row-level security', () => {
  test('limits a query without an account filter to the account in scope, and shows all rows outside of a scope', async () => {
    expect(await runForAccount(ours, () => ownersSeen(database.kysely))).toEqual([ours])
    expect(await runForAccount(theirs, () => ownersSeen(database.kysely))).toEqual([theirs])
    expect(await runForAccount(ours, () => database.transaction(ownersSeen))).toEqual([ours])
    expect(await ownersSeen(database.kysely)).toEqual([ours, theirs])
    expect(await runForAccount(ours, () => runForAllAccounts(() => ownersSeen(database.kysely)))).toEqual([
      ours,
      theirs,
    ])
  })

  test('returns no rows when no account is set', async () => {
    const seen = await world.database.transaction(async (tx) => {
      await sql`set local role zoetrope_tenant`.execute(tx)
      return [await ownersSeen(tx), await tx.selectFrom('accounts').select('id').execute()]
    })
    expect(seen).toEqual([[], []])
  })

  test('prevents writing, changing and deleting rows of another account', async () => {
    await runForAccount(ours, async () => {
      await expect(createProject(database.kysely, theirs)).rejects.toThrow('row-level security')
      const { kysely } = database
      expect(
        (await kysely.updateTable('projects').set({ name: 'Taken' }).executeTakeFirst()).numUpdatedRows,
      ).toBe(1n)
      await expect(kysely.updateTable('projects').set({ account_id: theirs }).execute()).rejects.toThrow(
        'row-level security',
      )
      const gone = await kysely.deleteFrom('projects').where('account_id', '=', theirs).executeTakeFirst()
      expect(gone.numDeletedRows).toBe(0n)
    })
    expect(await ownersSeen(database.kysely)).toEqual([ours, theirs])
  })

  test('isolates many concurrent scopes on few connections', async () => {
    const scopes = Array.from({ length: 60 }, (_, index) => [ours, theirs, null][index % 3] ?? null)
    const seen = await Promise.all(
      scopes.map((accountId) =>
        accountId === null
          ? ownersSeen(database.kysely)
          : runForAccount(accountId, () =>
              accountId === ours ? ownersSeen(database.kysely) : database.transaction(ownersSeen),
            ),
      ),
    )
    expect(seen).toEqual(scopes.map((accountId) => (accountId === null ? [ours, theirs] : [accountId])))
  })

  test('isolates the scopes of two accounts from pipelined statements between them', async () => {
    const all = () =>
      database.sql<{ account_id: number }[]>`select account_id from projects where ${1}::int = 1 order by 1`
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const accountId = index % 2 === 0 ? ours : theirs
        return runForAccount(accountId, async () => {
          const [own, pipelined] = await Promise.all([ownersSeen(database.kysely), all()])
          // Pipelined statements serve many accounts at once and name the account themselves.
          return own[0] === accountId && own.length === 1 && pipelined.length === 2
        })
      }),
    )
    expect(seen).not.toContain(false)
  })

  test('keeps the scope after a lost connection and after a failed statement', async () => {
    for (const accountId of [ours, theirs, ours]) {
      await runForAccount(accountId, async () => {
        await expect(sql`select 1 / 0`.execute(database.kysely)).rejects.toThrow('division by zero')
        const lost = database.transaction(async (tx) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
          await world.database.sql`select pg_terminate_backend(${rows[0]?.pid}::int, 5000)`
          return ownersSeen(tx)
        })
        await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
      })
      const seen = Array.from({ length: 6 }, () =>
        runForAccount(accountId, () => ownersSeen(database.kysely)),
      )
      expect(await Promise.all(seen)).toEqual(seen.map(() => [accountId]))
    }
    expect(await ownersSeen(database.kysely)).toEqual([ours, theirs])
  })
})

/**
 * Tables of the installation as a whole. A new table has an account_id, a condition in row-level-security.ts, or an
 * entry here.
 */
const ofNoAccount = [
  'installation_settings',
  'link_keys',
  'live_nodes',
  'metrics_reporter',
  'remote_workers',
  'report_writers',
  'schema_migrations',
  'sign_in_attempts',
  'signing_keys',
  'viewer_salts',
]

test('covers every table with rows of accounts', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not (c.relrowsecurity and exists (select from pg_policy where polrelid = c.oid))
    order by 1`.execute(database.kysely)
  expect(rows.map(({ name }) => name)).toEqual(ofNoAccount)
})

test('lets requests access installation tables only where needed, and only insert into the queue', async () => {
  await world.database.onOneConnection(openQueueToRequests)
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name || ' ' || privilege_type as name from information_schema.role_table_grants
    where grantee = 'zoetrope_tenant' and table_name not in (
      select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity)
    union all
    select table_schema || '.' || table_name || '.' || column_name || ' ' || privilege_type from information_schema.column_privileges
    where grantee = 'zoetrope_tenant' and table_name = 'job_common' and privilege_type <> 'INSERT'
    order by 1`.execute(database.kysely)
  expect(rows.map(({ name }) => name)).toEqual([
    'pgboss.job_common INSERT',
    'pgboss.job_common.id SELECT',
    'pgboss.job_common.start_after SELECT',
    'pgboss.queue SELECT',
    'public.sign_in_attempts DELETE',
    'public.sign_in_attempts INSERT',
    'public.sign_in_attempts SELECT',
    'public.sign_in_attempts UPDATE',
  ])
})

test('waits briefly for a locked table without blocking later queries', async () => {
  await sql`alter table projects disable row level security`.execute(world.database.kysely)
  const raise = () =>
    world.database.onOneConnection((connection) =>
      enableRowLevelSecurity(connection, { waitMs: 50, tries: 1 }),
    )
  await world.database.transaction(async (tx) => {
    await sql`select from projects`.execute(tx)
    await expect(raise()).rejects.toThrow('cannot enable row-level security for table projects')
  })
  await raise()
  expect(await runForAccount(ours, () => ownersSeen(database.kysely))).toEqual([ours])
})

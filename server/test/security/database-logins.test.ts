import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { tableUseOf, type Verb } from '../support/table-use.ts'
import { eraseDeletedUsers } from '../../src/accounts/identity/users/erase-deleted-users.ts'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { openConnection, type Connection } from '../../src/platform/db/driver/connection.ts'
import { grantRights } from '../../src/platform/db/process-roles/grant-rights.ts'
import { tableGrants, type RightsOfRoles } from '../../src/platform/db/process-roles/grants.ts'
import { processRoles, type ProcessRole } from '../../src/platform/db/process-roles/login.ts'

let testDatabase: TestDatabase
const databases = {} as Record<ProcessRole, Database>

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  for (const role of processRoles)
    databases[role] = openDatabase(testDatabase.connectionOf(role), { maxConnections: 1 })
})

afterAll(async () => {
  for (const role of processRoles) await databases[role].close()
  await testDatabase.drop()
})

const services = 'server/src/app/roles/services.ts#buildServices'
const checkKeys = 'server/src/app/roles/process-keys.ts#checkProcessKeys'
/** What `serve --role` calls, in run-role.ts. */
const starts: Readonly<Record<ProcessRole, readonly string[]>> = {
  api: [
    services,
    'server/src/app/roles/services.ts#addApiServices',
    'server/src/app/api/start-api.ts#startApi',
  ],
  worker: [services, checkKeys, 'server/src/app/roles/worker.ts#startWorker'],
  live: [services, checkKeys, 'server/src/app/roles/live.ts#startLive'],
}

/** Triggers run with the rights of the process. These change other tables (migrations 0005, 0083 and 0096). */
const addsTo = (sums: string) => ({ a: { [sums]: 'arw' }, w: { [sums]: 'arw' }, d: { [sums]: 'rw' } })
const effects: Readonly<Record<string, Readonly<Partial<Record<string, Readonly<Record<string, string>>>>>>> =
  {
    media_files: {
      a: { file_list: 'a', file_block_counts: 'arw' },
      w: { file_list: 'rw', file_block_counts: 'arw' },
    },
    view_hours: addsTo('view_days'),
    file_view_days: addsTo('file_view_months'),
    file_viewer_days: addsTo('file_viewer_months'),
    view_dimension_days: addsTo('view_dimension_months'),
  }
const triggers = [
  'add_inserted',
  'add_updated',
  'hold_audit_floor',
  'hold_event_floor',
  'list_changed_file',
  'list_new_files',
  'subtract_deleted',
]

const letters: Readonly<Record<Verb, string>> = {
  insert: 'a',
  select: 'r',
  update: 'w',
  delete: 'd',
  lock: 'l',
}

const inOrder = (rights: ReadonlySet<string>): string =>
  Array.from('arwld')
    .filter((one) => rights.has(one) && !(one === 'l' && rights.has('w')))
    .join('')

const derive = (role: ProcessRole): Record<string, string> => {
  const used: Record<string, Set<string>> = {}
  const add = (table: string, right: string): void => void (used[table] ??= new Set()).add(right)
  tableUseOf(starts[role], (table, verb) => {
    if (table in tableGrants) add(table, letters[verb])
  })
  for (const [changed, ofRights] of Object.entries(effects))
    for (const [right, others] of Object.entries(ofRights))
      if (used[changed]?.has(right) === true)
        for (const [table, rights] of Object.entries(others ?? {})) for (const one of rights) add(table, one)
  return Object.fromEntries(Object.entries(used).map(([table, rights]) => [table, inOrder(rights)]))
}

const granted = (role: ProcessRole): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tableGrants as Readonly<Record<string, RightsOfRoles>>).flatMap(([table, roles]) => {
      const rights = roles[role]
      if (rights === undefined) return []
      return [[table, inOrder(new Set(typeof rights === 'string' ? rights : Object.keys(rights)))]]
    }),
  )

test.each(processRoles)('the %s process has the rights that its code uses, and no others', (role) => {
  expect(granted(role)).toEqual(derive(role))
})

test('the database has only the triggers that this test takes into account', async () => {
  const rows = await testDatabase.database.sql<{ name: string }[]>`
    select distinct tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace order by 1`
  expect(rows.map(({ name }) => name)).toEqual(triggers)
})

const refused = (role: ProcessRole, statement: string): Promise<void> =>
  expect(
    databases[role].onOneConnection((connection) => connection.query(statement)),
    statement,
  ).rejects.toMatchObject({ code: '42501' })

test('PostgreSQL refuses what a process does not need', async () => {
  for (const role of ['worker', 'live'] as const)
    for (const statement of [
      'select token_hash from api_keys',
      `update api_keys set scopes = '{*}'`,
      'select sealed_private_key from signing_keys',
      'select password_hash from users',
      `update users set role = 'Administrator'`,
      'update users set password_hash = $$x$$',
      'update users set email = $$x$$',
      'update identity_providers set issuer = $$https://example.com$$',
      'update identity_providers set token_endpoint = $$https://example.com$$',
      'update identity_providers set sealed_client_secret = null',
      'insert into users (account_id, email, role) values (1, $$a$$, $$Administrator$$)',
      'select from project_roles',
      'select from passkeys',
      'select from totp_secrets',
      'insert into sessions default values',
      'update accounts set name = $$x$$',
      'delete from accounts',
      'create table mine ()',
      'alter table projects disable row level security',
      'drop table pgboss.job',
      'set role zoetrope_tenant',
      'create role mine superuser',
      'select rolpassword from pg_authid',
    ])
      await refused(role, statement)
  for (const role of ['api', 'live'] as const) await refused(role, 'select from erase_deleted_users(now())')
  for (const statement of [
    'select from users',
    'select from mails where id = 1 for update',
    'update webhooks set target_url = $$https://example.com/$$',
    'delete from media_files',
    'select from webhook_signing_keys',
    'delete from pgboss.job',
  ])
    await refused('live', statement)
  for (const statement of [
    'delete from accounts',
    'delete from audit_entries',
    'update events set record = $${}$$',
    'create table mine ()',
    'alter table projects disable row level security',
    'drop table pgboss.job',
    'create role mine superuser',
  ])
    await refused('api', statement)
})

test('a worker erases deleted users and no others', async () => {
  const { kysely } = testDatabase.database
  const account = await kysely
    .insertInto('accounts')
    .values({ name: 'Of users' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const of = { account_id: account.id, role: 'Reader', name: 'A name', password_hash: 'a hash' } as const
  await kysely
    .insertInto('users')
    .values([
      { ...of, email: 'living@b.example' },
      { ...of, email: 'deleted@b.example', deleted_at: new Date(0) },
    ])
    .execute()
  // A table of the worker with the same name changes nothing; the pool has one connection.
  await databases.worker
    .sql`create temp table users (deleted_at timestamptz, email text, name text, password_hash text)`
  await eraseDeletedUsers(databases.worker, 0)
  await databases.worker.sql`drop table pg_temp.users`
  const left = await kysely
    .selectFrom('users')
    .select(['email', 'name', 'password_hash'])
    .orderBy('id')
    .execute()
  expect(left).toEqual([
    { email: 'living@b.example', name: 'A name', password_hash: 'a hash' },
    { email: '', name: '', password_hash: null },
  ])
})

test('each start restores changed rights, and runs no statement when they are correct', async () => {
  const userOf = (role: ProcessRole): string => (testDatabase.connectionOf(role) as { user: string }).user
  const users = { api: userOf('api'), worker: userOf('worker'), live: userOf('live') }
  const owner = await openConnection(testDatabase.connection)
  const unchanged = {
    rows: owner.rows.bind(owner),
    query: (text: string) => Promise.reject(new Error(`changed: ${text}`)),
  } as unknown as Connection
  await grantRights(unchanged, users)
  await owner.query(
    `grant select on api_keys to ${users.live}; revoke select on media_files from ${users.live}`,
  )
  await databases.live.kysely.selectFrom('api_keys').select('account_id').execute()
  await refused('live', 'select from media_files')
  await grantRights(owner, users)
  await refused('live', 'select from api_keys')
  await databases.live.kysely.selectFrom('media_files').select('id').execute()
  await owner.query(`revoke all on function erase_deleted_users from ${users.worker}`)
  await grantRights(owner, users)
  await databases.worker.sql`select id from erase_deleted_users('-infinity')`
  await owner.query('create table of_another_program ()')
  await grantRights(unchanged, users)
  await refused('api', 'select from of_another_program')
  await owner.end()
})

test('a process sees the rows of all accounts, and the API only those of the account of a request', async () => {
  const { kysely } = testDatabase.database
  const added = await kysely
    .insertInto('accounts')
    .values([{ name: 'One' }, { name: 'Two' }])
    .returning('id')
    .execute()
  for (const { id } of added)
    await kysely.insertInto('projects').values({ account_id: id, name: 'P' }).execute()
  for (const role of processRoles) {
    const seen = await databases[role].kysely.selectFrom('projects').select('account_id').execute()
    expect(seen).toHaveLength(2)
  }
  await databases.api.onOneConnection(async (connection) => {
    await connection.query(
      `select set_config('role', 'zoetrope_tenant', false), set_config('zoetrope.account', '${added[0]?.id}', false)`,
    )
    expect(await connection.rows('select account_id from projects')).toEqual([{ account_id: added[0]?.id }])
  })
})

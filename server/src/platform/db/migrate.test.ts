import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { openConnection } from './driver/connection.ts'
import { migrate } from './migrate.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(async () => {
  await testDatabase.drop()
})

test('several concurrent processes leave a migrated database unchanged', async () => {
  const { database } = testDatabase
  expect(await Promise.all([migrate(database), migrate(database), migrate(database)])).toEqual([[], [], []])
})

test('refuses a database that a newer release has migrated', async () => {
  const { database } = testDatabase
  await database.sql`insert into schema_migrations (name, checksum) values ('9000_later.sql', '')`
  await expect(migrate(database)).rejects.toThrow(/newer release.*9000_later\.sql.*restore a backup/)
  await database.sql`delete from schema_migrations where name like '9000%'`
  expect(await migrate(database)).toEqual([])
})

test('migration 0030 revokes open links without a recorded key, because a key may have created them, and logs it', async () => {
  const { database } = testDatabase
  await database.sql`delete from schema_migrations where name like '0030%'`
  await database.sql`drop index users_of_account_by_domain`
  await database.sql`create index users_by_domain on users (lower(split_part(email, '@', 2))) where deleted_at is null`
  await database.sql`insert into accounts (name) values ('a')`
  await database.sql`insert into users (account_id, email, role) select id, 'a@b.example', 'Administrator' from accounts`
  await database.sql`
    insert into invitations (account_id, token_hash, created_by, email, role, expires_at, accepted_at)
    select account_id, sha256(state::bytea), id, state, 'Reader', now() + interval '1 day',
      case when state = 'accepted' then now() end
    from users, unnest(array['open', 'accepted']) as state`
  await migrate(database)
  const links =
    await database.sql`select email, revoked_at is null as "isLeft" from invitations order by email`
  expect([...links]).toEqual([
    { email: 'accepted', isLeft: true },
    { email: 'open', isLeft: false },
  ])
  const [entry] = await database.sql`select action, user_id, changes from audit_entries`
  expect(entry).toEqual({ action: 'invitation.revoked', user_id: null, changes: [] })
})

test('migration 0099 adds LadderMode and State to the records of files that exist, and to nothing else in them', async () => {
  const { database } = testDatabase
  const looksLikeOne = { Renditions: [{ IsComplete: true, Codec: 'avc1.64001f' }] }
  const before = {
    Metadata: { Title: 'a "b"', CustomMetadata: looksLikeOne },
    Renditions: [
      { Id: 1, IsComplete: true, Codec: 'avc1.64001f' },
      { Id: 2, IsComplete: false, Codec: 'mp4a.40.2' },
    ],
    ErrorParams: null,
  }
  await database.sql`delete from schema_migrations where name like '0099%'`
  const [account] = await database.sql<{ id: number }[]>`
    insert into accounts (name) values ('records') returning id`
  const [project] = await database.sql<{ id: number }[]>`
    insert into projects (account_id, name) values (${account!.id}, 'records') returning id`
  const insert = (record: string) => database.sql`
    insert into media_files (account_id, project_id, original_file_name, use_encoding, encoding_priority, metadata, record)
    values (${account!.id}, ${project!.id}, 'a.mp4', true, 50, '{}', ${record})`
  await insert(JSON.stringify(before))
  await insert(JSON.stringify({ ...before, Renditions: [] }))
  await migrate(database)
  const rows = await database.sql<{ record: string; ladder_mode: string }[]>`
    select record, ladder_mode from media_files where account_id = ${account!.id} order by id`
  const [complete, growing] = before.Renditions
  expect(rows.map(({ record }) => JSON.parse(record))).toEqual([
    {
      ...before,
      Renditions: [
        { ...complete, State: 'ready' },
        { ...growing, State: 'partial' },
      ],
      LadderMode: 'eager',
    },
    { ...before, Renditions: [], LadderMode: 'eager' },
  ])
  expect(rows.map(({ ladder_mode: mode }) => mode)).toEqual(['eager', 'eager'])
})

test('a migration that waits for a table lets other statements through, and is applied when the table is free', async () => {
  const { database } = testDatabase
  await database.sql`delete from schema_migrations where name like '0077%'`
  await database.sql`alter table live_streams drop column epoch`
  const user = await openConnection(testDatabase.connection)
  await user.query('begin')
  await user.query('lock table live_streams in access share mode')
  const applied = migrate(database)
  const waiting = () =>
    database.sql<{ count: number }[]>`
      select count(*)::int as count from pg_locks where not granted and relation = 'live_streams'::regclass`
  await waitFor(waiting, ([row]) => row?.count === 1)
  const startedMs = performance.now()
  await database.sql`select count(*) from live_streams`
  expect(performance.now() - startedMs).toBeLessThan(5_000)
  await user.query('commit')
  user.discard()
  expect(await applied).toEqual(['0077_live_ownership_epoch.sql'])
})

test('an index on a large table is built while transactions change the table, also after a failed attempt', async () => {
  const { database } = testDatabase
  await database.sql`delete from schema_migrations where name like '0089%'`
  await database.sql`update pg_index set indisvalid = false where indexrelid = 'file_list_by_failure'::regclass`
  const user = await openConnection(testDatabase.connection)
  await user.query('begin')
  await user.query('lock table file_list in row exclusive mode')
  const applied = migrate(database)
  const waiting = () =>
    database.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and query like '%index concurrently%' and wait_event_type = 'Lock'`
  await waitFor(waiting, ([row]) => row?.count === 1)
  // A writer would wait behind the build of a usual index.
  const writer = await openConnection(testDatabase.connection)
  await writer.query('begin')
  await writer.query("set local lock_timeout = '1s'")
  await writer.query('lock table file_list in row exclusive mode')
  await writer.query('commit')
  writer.discard()
  await user.query('commit')
  user.discard()
  expect(await applied).toEqual(['0089_failed_files_index.sql'])
  const [index] =
    await database.sql`select indisvalid as "isValid" from pg_index where indexrelid = 'file_list_by_failure'::regclass`
  expect(index).toEqual({ isValid: true })
})

test('refuses a migration that changed after it was applied', async () => {
  const { database } = testDatabase
  await database.sql`update schema_migrations set checksum = 'other' where name = '0001_identity.sql'`
  await expect(migrate(database)).rejects.toThrow('0001_identity.sql was changed')
})

test('applies every migration to an empty database, and rolls back one that fails', async () => {
  const { database } = testDatabase
  await database.sql`drop schema public cascade`
  await database.sql`create schema public`
  await database.sql`create table media_files (id bigint)`
  await expect(migrate(database)).rejects.toThrow('migration 0003_files.sql failed')
  const [row] =
    await database.sql`select to_regclass('renditions') as renditions, to_regclass('projects') as projects`
  expect(row).toMatchObject({ renditions: null, projects: 'projects' })
  await database.sql`drop table media_files`
  expect((await migrate(database))[0]).toBe('0003_files.sql')
})

/** Takes away or restricts what the former release may use. */
const contracting =
  /\bdrop (?:table|column|view|function|trigger|type)\b|\brename (?:to|column)\b|\bset not null\b|\balter column \w+ (?:set data )?type\b/i
/** Before this one, upgrades of clusters stopped all processes. */
const lastBeforeTheRule = '0076'

test('migrations only add, or say that the former release no longer uses what they remove', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.slice(0, 4) > lastBeforeTheRule)
  const wrong: string[] = []
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const statements = text.replaceAll(/--.*$/gm, '')
    if (contracting.test(statements) && !text.startsWith('-- Contract: ')) wrong.push(name)
  }
  expect(wrong).toEqual([])
  expect(contracting.test('alter table webhooks drop column failing_since')).toBe(true)
})

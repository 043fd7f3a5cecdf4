import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { migrate } from './migrate.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(async () => {
  await testDatabase.drop()
})

test('a migrated database is left as it is, by several processes at once', async () => {
  const { database } = testDatabase
  expect(await Promise.all([migrate(database), migrate(database), migrate(database)])).toEqual([[], [], []])
})

test('a migration that was changed after it had been applied is refused', async () => {
  const { database } = testDatabase
  await database.sql`update schema_migrations set checksum = 'other' where name = '0001_identity.sql'`
  await expect(migrate(database)).rejects.toThrow('0001_identity.sql was changed')
})

test('an empty database gets every migration, and a failing one leaves nothing half-done', async () => {
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

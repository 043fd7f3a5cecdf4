import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { createSecrets, readKeys, createLimitedSecrets } from '../../platform/base/secrets.ts'
import {
  checkProcessKeys,
  columnsOfRoles,
  keysFor,
  limitSecrets,
  prepareProcessKeys,
} from './process-keys.ts'

const secrets = createSecrets(randomBytes(32))
const worker = createLimitedSecrets(readKeys(keysFor('worker', secrets)))
const live = createLimitedSecrets(readKeys(keysFor('live', secrets)))
let world: TestDatabase

beforeAll(async () => {
  world = await createTestDatabase()
})

afterAll(() => world.drop())

test('workers and live nodes open only values that were sealed for them', () => {
  const text = Buffer.from('secret')
  expect(worker.workers.open(secrets.workers.seal(text))).toEqual(text)
  expect(live.liveNodes.open(secrets.liveNodes.seal(text))).toEqual(text)
  expect(() => worker.workers.open(secrets.seal(text))).toThrow()
  for (const refused of [
    () => worker.open(secrets.seal(text)),
    () => worker.liveNodes.open(secrets.liveNodes.seal(text)),
    () => worker.derive('live nodes'),
    () => live.open(secrets.seal(text)),
    () => live.workers.open(secrets.workers.seal(text)),
    () => limitSecrets('worker', secrets).open(secrets.seal(text)),
  ])
    expect(refused).toThrow(/^this process has no key for/)
})

test('a role does not start before the upgrade has sealed the values of its release again', async () => {
  await expect(checkProcessKeys(world.database, worker, 'worker')).rejects.toThrow(
    'The database is from an earlier release',
  )
})

test('values of the first release are sealed again for the process that opens them, once', async () => {
  const { database } = world
  const account = await database.kysely
    .insertInto('accounts')
    .values({ name: 'Old' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const old = (text: string) => secrets.seal(Buffer.from(text))
  const lost = createSecrets(randomBytes(32)).seal(Buffer.from('lost'))
  const many = Array.from({ length: 1_200 }, (_, number) => `secret ${number}`)
  const values = [...many.map((text) => old(text)), old('new'), lost]
  const previous = [...many.map(() => null), old('previous'), null]
  await database.sql`
    insert into webhooks (account_id, target_url, sealed_secret, previous_sealed_secret, secret_last_four, event_types)
    select ${account.id}, 'https://example.com/', sealed, previous, '1234', '{file.new}'
    from unnest(${values}::bytea[], ${previous}::bytea[]) as old (sealed, previous)`

  await prepareProcessKeys(database, secrets)
  const read = () =>
    database.kysely
      .selectFrom('webhooks')
      .select(['sealed_secret', 'previous_sealed_secret'])
      .orderBy('id')
      .execute()
  const rows = await read()
  const opened = rows.slice(0, 1_200).map((row) => worker.workers.open(row.sealed_secret).toString())
  expect(opened).toEqual(many)
  const [rotating, unreadable] = rows.slice(1_200)
  expect(worker.workers.open(rotating!.sealed_secret).toString()).toBe('new')
  expect(worker.workers.open(rotating!.previous_sealed_secret!).toString()).toBe('previous')
  expect(unreadable!.sealed_secret).toEqual(lost)

  await prepareProcessKeys(database, secrets)
  expect(await read()).toEqual(rows)
})

test('every sealed column of a role exists', async () => {
  for (const { table, column } of columnsOfRoles) {
    const [row] = await world.database.sql<{ type: string | null }[]>`
      select data_type as type from information_schema.columns where table_name = ${table} and column_name = ${column}`
    expect({ table, column, type: row?.type }).toEqual({ table, column, type: 'bytea' })
  }
})

test('a role with keys of another installation does not start', async () => {
  const other = createSecrets(randomBytes(32))
  await checkProcessKeys(world.database, worker, 'worker')
  await checkProcessKeys(world.database, live, 'live')
  await expect(checkProcessKeys(world.database, limitSecrets('worker', other), 'worker')).rejects.toThrow(
    'The master key does not match the database',
  )
  await expect(checkProcessKeys(world.database, worker, 'live')).rejects.toThrow(
    'The master key does not match the database',
  )
})

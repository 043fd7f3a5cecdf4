import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { openDatabase, type ConnectionOptions, type Database } from '../../platform/db/database.ts'
import { loadConfig } from '../config/config.ts'
import { openConnection, type Connection } from '../../platform/db/driver/connection.ts'
import { processRoles, type ProcessRole } from '../../platform/db/process-roles/login.ts'
import { checkProcessKeys, keyIdOf, prepareProcessKeys } from '../roles/process-keys.ts'
import {
  createSecrets,
  loadOrCreateMasterKeys,
  newMasterKey,
  type Secrets,
} from '../../platform/base/secrets.ts'
import { resealValues } from './master-key/reseal-values.ts'
import { rotateMasterKey } from './rotate-master-key.ts'

let testDatabase: TestDatabase
let database: Database
let folder: string

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.connection)
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-keys-'))
})

afterAll(async () => {
  await database.close()
  await testDatabase.drop()
  await rm(folder, { recursive: true, force: true })
})

const urlOf = (connection: ConnectionOptions): string => {
  if ('url' in connection) return connection.url
  const { user, password, host, database: name } = { password: '', ...connection }
  return `postgres://${user}:${encodeURIComponent(password)}@/${name}?host=${encodeURIComponent(host)}`
}

const count = 900
const former = newMasterKey()
const textOf = (index: number): string => `secret ${index}`

const header = (secrets: Secrets): string => secrets.workers.seal(Buffer.from('header')).toString('base64')

/** Values of two kinds of processes. */
const fill = async (key: Buffer): Promise<void> => {
  const { kysely } = database
  const secrets = createSecrets(key)
  await sql`truncate accounts, signing_keys, installation_settings cascade`.execute(kysely)
  const { id } = await kysely
    .insertInto('accounts')
    .values({ name: 'a' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await kysely
    .insertInto('webhooks')
    .values(
      Array.from({ length: count }, (_, index) => ({
        account_id: id,
        target_url: 'https://hooks.example.com/',
        event_types: ['file.new'],
        sealed_secret: secrets.workers.seal(Buffer.from(textOf(index))),
        sealed_headers: JSON.stringify(index === 0 ? { 'X-Key': header(secrets) } : {}),
        secret_last_four: 'abcd',
      })),
    )
    .execute()
  await kysely
    .insertInto('signing_keys')
    .values({
      kid: crypto.randomUUID(),
      sealed_private_key: secrets.seal(Buffer.from('api')),
      public_jwk: '{}',
    })
    .execute()
  await prepareProcessKeys(database, secrets)
}

/** How many values each key opens, and whether all are right. */
const readable = async (
  key: Buffer,
): Promise<{ readonly webhooks: number; readonly headers: number; readonly signingKeys: number }> => {
  const { kysely } = database
  const secrets = createSecrets(key)
  const opens = (open: (sealed: Buffer) => Buffer, sealed: Buffer): string | null => {
    try {
      return open(sealed).toString()
    } catch {
      return null
    }
  }
  const webhooks = await kysely.selectFrom('webhooks').select(['sealed_secret', 'sealed_headers']).execute()
  const texts = webhooks.map(({ sealed_secret }) => opens(secrets.workers.open, sealed_secret))
  const keys = await kysely.selectFrom('signing_keys').select('sealed_private_key').execute()
  return {
    webhooks: new Set(texts.filter((text) => text?.startsWith('secret ') === true)).size,
    headers: webhooks.filter(({ sealed_headers: { 'X-Key': value } }) =>
      value === undefined ? false : opens(secrets.workers.open, Buffer.from(value, 'base64')) === 'header',
    ).length,
    signingKeys: keys.filter(({ sealed_private_key }) => opens(secrets.open, sealed_private_key) === 'api')
      .length,
  }
}

/** PostgreSQL lists a connection until its process has ended. */
const untilDisconnected = async (): Promise<void> => {
  const observer = await openConnection(testDatabase.connection, { name: 'observer' })
  await waitFor(
    () =>
      observer.rows(
        `select from pg_stat_activity where datname = current_database() and application_name ~ '^zoetrope'`,
      ),
    (rows) => rows.length === 0,
  )
  await observer.end()
}

/** Without the connections of this test. */
const reopen = async (): Promise<void> => {
  await database.close()
  await untilDisconnected()
  database = openDatabase(testDatabase.connection)
}

const connectAs = (role: ProcessRole, secrets: Secrets): Promise<Connection> =>
  openConnection({ ...testDatabase.connection, keyId: keyIdOf(role, secrets) })

const whileConnected = async (
  roles: readonly ProcessRole[],
  secrets: Secrets,
  work: () => Promise<unknown>,
): Promise<void> => {
  const connections = await Promise.all(roles.map((role) => connectAs(role, secrets)))
  await work()
  await Promise.all(connections.map((one) => one.end()))
  await untilDisconnected()
}

const program = fileURLToPath(new URL('./master-key/test-support/reseal-slowly.ts', import.meta.url))

test('after kill -9 at any batch every value opens with one of both keys, and a repetition completes', async () => {
  await fill(former)
  const next = newMasterKey()
  for (const batches of [1, 2, 1]) {
    const child = spawn(process.execPath, [program], {
      env: {
        ...process.env,
        TEST_CONNECTION: JSON.stringify(testDatabase.connection),
        TEST_KEYS: [next, former].map((key) => key.toString('base64')).join(','),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exit = once(child, 'exit')
    let seen = 0
    for await (const line of createInterface(child.stdout)) {
      expect(line).toBe('batch')
      seen += 1
      if (seen === batches) break
      child.stdin.write('.')
    }
    child.kill('SIGKILL')
    await exit
    const [old, fresh] = [await readable(former), await readable(next)]
    expect(old.webhooks + fresh.webhooks).toBe(count)
    expect(old.signingKeys + fresh.signingKeys).toBe(1)
    expect(fresh.webhooks + fresh.signingKeys).toBeGreaterThan(0)
    expect(old.webhooks + old.signingKeys).toBeGreaterThan(0)
  }
  const secrets = createSecrets(next, former)
  const { unreadable } = await resealValues(database, secrets)
  expect(unreadable).toBe(0)
  expect(await readable(next)).toEqual({ webhooks: count, headers: 1, signingKeys: 1 })
  expect(await readable(former)).toEqual({ webhooks: 0, headers: 0, signingKeys: 0 })
  expect(await resealValues(database, secrets)).toEqual({ changed: 0, unreadable: 0 })
})

test('values that a process seals meanwhile under the former key are found too', async () => {
  await fill(former)
  const next = newMasterKey()
  const { kysely } = database
  let isWritten = false
  await resealValues(database, createSecrets(next, former), () => {
    if (isWritten) return
    isWritten = true
    void kysely
      .updateTable('signing_keys')
      .set({ sealed_private_key: createSecrets(former).seal(Buffer.from('api')) })
      .execute()
  })
  expect((await readable(next)).signingKeys).toBe(1)
})

test('the command adds a key, refuses to go on before the restart, and then removes the former key', async () => {
  const url = urlOf(testDatabase.connection)
  const config = loadConfig({ ZOETROPE_DATA: folder, DATABASE_URL: url })
  const path = join(folder, 'master.key')
  const { current: first } = await loadOrCreateMasterKeys(path)
  await fill(first)
  const results: object[] = []
  const output = { progress: () => {}, result: (record: object) => results.push(record) }
  await rotateMasterKey(config, output)
  expect(results).toEqual([{ State: 'new-key' }])
  const { current: next, former: old } = await loadOrCreateMasterKeys(path)
  expect(old).toEqual(first)
  // The connection of this test names no key, as those of earlier releases.
  await expect(rotateMasterKey(config, output)).rejects.toThrow(/Restart Zoetrope now/)
  expect((await loadOrCreateMasterKeys(path)).former).toEqual(first)
  await reopen()
  await whileConnected(['api', 'worker', 'live'], createSecrets(next, first), () =>
    rotateMasterKey(config, output),
  )
  expect(results.at(-1)).toMatchObject({ State: 'done', Unreadable: 0 })
  expect(await loadOrCreateMasterKeys(path)).toEqual({ current: next, former: null })
  expect(await readFile(path, 'utf8')).not.toContain(first.toString('base64'))
  expect(await readable(next)).toEqual({ webhooks: count, headers: 1, signingKeys: 1 })
})

test.each(processRoles)(
  'a %s process with the former key that connects later stops the rotation',
  async (role) => {
    const data = await mkdtemp(join(folder, 'data-'))
    const config = loadConfig({ ZOETROPE_DATA: data, DATABASE_URL: urlOf(testDatabase.connection) })
    const path = join(data, 'master.key')
    const output = { progress: () => {}, result: () => {} }
    const { current: first } = await loadOrCreateMasterKeys(path)
    await fill(first)
    await rotateMasterKey(config, output)
    await reopen()
    // It still has the former key, although its connection is younger than the new one.
    await whileConnected([role], createSecrets(first), () =>
      expect(rotateMasterKey(config, output)).rejects.toThrow(/still runs with the former master key/),
    )
    expect((await loadOrCreateMasterKeys(path)).former).toEqual(first)
  },
)

test('a process with the former key that connects during the rotation keeps that key valid', async () => {
  const data = await mkdtemp(join(folder, 'data-'))
  const config = loadConfig({ ZOETROPE_DATA: data, DATABASE_URL: urlOf(testDatabase.connection) })
  const path = join(data, 'master.key')
  const { current: first } = await loadOrCreateMasterKeys(path)
  await fill(first)
  await reopen()
  const late: Connection[] = []
  await rotateMasterKey(config, { progress: () => {}, result: () => {} })
  const output = {
    // Called for each batch of re-encrypted values.
    progress: () => void connectAs('api', createSecrets(first)).then((one) => late.push(one)),
    result: () => {},
  }
  await expect(rotateMasterKey(config, output)).rejects.toThrow(/still runs with the former master key/)
  expect((await loadOrCreateMasterKeys(path)).former).toEqual(first)
  for (const one of late) await one.end()
})

test('keys of another installation are refused in both steps, and processes still accept theirs', async () => {
  const output = { progress: () => {}, result: () => {} }
  await fill(former)
  await reopen()
  const env = { ZOETROPE_DATA: folder, DATABASE_URL: urlOf(testDatabase.connection) }
  const wrong = [newMasterKey(), newMasterKey()].map((key) => key.toString('base64'))
  for (const keys of [wrong.slice(1), wrong])
    await expect(
      rotateMasterKey(loadConfig({ ...env, ZOETROPE_MASTER_KEY: keys.join(',') }), output),
    ).rejects.toThrow(/master key does not match the database/)
  const data = await mkdtemp(join(folder, 'data-'))
  const path = join(data, 'master.key')
  const keys = await loadOrCreateMasterKeys(path)
  await expect(rotateMasterKey(loadConfig({ ...env, ZOETROPE_DATA: data }), output)).rejects.toThrow(
    /master key does not match the database/,
  )
  expect(await loadOrCreateMasterKeys(path)).toEqual(keys)
  await checkProcessKeys(database, createSecrets(former), 'worker')
})

test('a key in the environment is rotated by the operator', async () => {
  const results: { State?: string; ZOETROPE_MASTER_KEY?: string }[] = []
  const output = { progress: () => {}, result: (record: object) => results.push(record) }
  const env = { ZOETROPE_DATA: folder, DATABASE_URL: urlOf(testDatabase.connection) }
  await fill(former)
  const text = former.toString('base64')
  await rotateMasterKey(loadConfig({ ...env, ZOETROPE_MASTER_KEY: text }), output)
  const setting = results[0]?.ZOETROPE_MASTER_KEY ?? ''
  expect(setting.split(',')[1]).toBe(text)
  await reopen()
  await whileConnected(['api'], createSecrets(former), () =>
    expect(rotateMasterKey(loadConfig({ ...env, ZOETROPE_MASTER_KEY: setting }), output)).rejects.toThrow(
      /Restart Zoetrope now/,
    ),
  )
  await rotateMasterKey(loadConfig({ ...env, ZOETROPE_MASTER_KEY: setting }), output)
  expect(results[1]).toMatchObject({ State: 'done' })
  expect((await readable(Buffer.from(setting.split(',')[0] ?? '', 'base64'))).webhooks).toBe(count)
})

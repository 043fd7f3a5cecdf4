import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { openDatabase, type ConnectionOptions, type Database } from '../../platform/db/database.ts'
import { loadConfig } from '../config/config.ts'
import { prepareProcessKeys } from '../roles/process-keys.ts'
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
  // The connection of this test is older than the key, as that of a process which still runs.
  await expect(rotateMasterKey(config, output)).rejects.toThrow(/Restart Zoetrope now/)
  expect((await loadOrCreateMasterKeys(path)).former).toEqual(first)
  await database.close()
  database = openDatabase(testDatabase.connection)
  await rotateMasterKey(config, output)
  expect(results.at(-1)).toMatchObject({ State: 'done', Unreadable: 0 })
  expect(await loadOrCreateMasterKeys(path)).toEqual({ current: next, former: null })
  expect(await readFile(path, 'utf8')).not.toContain(first.toString('base64'))
  expect(await readable(next)).toEqual({ webhooks: count, headers: 1, signingKeys: 1 })
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
  await rotateMasterKey(loadConfig({ ...env, ZOETROPE_MASTER_KEY: setting }), output)
  expect(results[1]).toMatchObject({ State: 'done' })
  expect((await readable(Buffer.from(setting.split(',')[0] ?? '', 'base64'))).webhooks).toBe(count)
})

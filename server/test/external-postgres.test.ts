import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRowLevelSecurity } from '../src/platform/db/row-level-security.ts'
import { openConnection } from '../src/platform/db/driver/connection.ts'
import { openDatabase, type ConnectionOptions } from '../src/platform/db/database.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { loginOf, processRoles, type ProcessRole } from '../src/platform/db/process-roles/login.ts'
import { prepareLogins, type PreparedLogin } from '../src/platform/db/process-roles/prepare-logins.ts'
import { createSecrets, loadOrCreateMasterKeys } from '../src/platform/base/secrets.ts'
import { createLog } from '../src/platform/log/log.ts'
import type { Finding } from '../src/app/commands/doctor/finding.ts'
import { prepareDatabase } from '../src/app/roles/prepare-database.ts'
import { roleConnections } from '../src/app/roles/role-connections.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { operate } from './support/operator.ts'
import { findFreePort } from './support/free-port.ts'
import { makeSample } from './support/media.ts'
import { customerPassword, openPostgresProxy } from './support/postgres-proxy.ts'
import { startProduct } from './support/product.ts'
import { runProgram } from './support/program.ts'
import { startRole } from './support/role.ts'
import { request } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let folder: string
let external: EmbeddedPostgres
let proxy: Awaited<ReturnType<typeof openPostgresProxy>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-external-'))
  external = await startEmbeddedPostgres({ dataFolder: join(folder, 'server') })
  const administrator = await openConnection(external.connectionOptions)
  // The role is not a superuser, as on managed PostgreSQL.
  await administrator.query(`create role customer login createrole password '${customerPassword}'`)
  await administrator.query(`create role guest login password '${customerPassword}'`)
  await administrator.query('create database app owner customer')
  await administrator.query('create database without_roles owner guest')
  await administrator.query('create database guests owner guest')
  await administrator.query('create database migrated owner customer')
  await administrator.query('create database urls owner customer')
  await administrator.query(`create database ascii owner customer encoding 'SQL_ASCII' template template0`)
  administrator.discard()
  proxy = await openPostgresProxy(external.socketFolder)
})

afterAll(async () => {
  proxy.close()
  await external.stop()
  await rm(folder, { recursive: true, force: true })
})

const sessionsOf = async (role: ProcessRole, database: string): Promise<number> => {
  const administrator = await openConnection(external.connectionOptions)
  const [row] = await administrator.rows<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = $1 and usename like $2`,
    [database, `%${role}%`],
  )
  administrator.discard()
  return row?.count ?? 0
}

test('with DATABASE_URL the server uses that database, starts none of its own and keeps its records across restarts', async () => {
  const databaseUrl = proxy.urlOf('customer', 'app')
  const dataFolder = join(folder, 'data')
  const port = await findFreePort()
  const first = await startProduct(dataFolder, port, { DATABASE_URL: databaseUrl })
  const call = (method: string, path: string, body?: object) =>
    request(`${first.url}/v3${path}`, method, {
      apiKey: first.apiKey,
      ...(body === undefined ? {} : { body }),
    })
  const project = await call('POST', '/projects', { Name: 'External' })
  const created = await call('POST', `/projects/${project.body.Id}/files`, { FileName: 'clip.mp4' })
  await request(created.body.Upload.URI, 'PUT', { body: await makeSample({ seconds: 2 }) })
  await waitFor(
    () => call('GET', `/projects/${project.body.Id}/files/${created.body.Id}`),
    ({ body }) => body.Status === 'finished',
  )
  expect(await readdir(dataFolder)).not.toContain('postgres')
  // They get their own connections and keys by a message.
  for (const role of ['api', 'worker', 'live'] as const)
    expect(await readFile(`/proc/${await first.rolePid(role)}/environ`, 'utf8')).not.toMatch(
      /\bDATABASE_URL|EMBEDDED_CONNECTION|PROCESS_KEYS/,
    )
  const { stdout } = await operate(
    { ZOETROPE_DATA: dataFolder, DATABASE_URL: databaseUrl },
    'doctor',
    '--json',
  )
  const { Findings } = JSON.parse(stdout) as { Findings: Finding[] }
  expect(Findings.find(({ Check }) => Check === 'Database logins')).toMatchObject({ Status: 'ok' })
  await first.kill()
  expect(await hasRowLevelSecurity({ url: databaseUrl })).toBe(true)

  const second = await startProduct(dataFolder, port, {
    DATABASE_URL: databaseUrl,
    ZOETROPE_DATABASE_CONNECTIONS: '4',
  })
  const found = await call('GET', `/projects/${project.body.Id}`)
  expect(found.body).toMatchObject({ Name: 'External', FileCount: 1 })
  const many = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      call('POST', `/projects/${project.body.Id}/files`, { FileName: `${index}.mp4` }),
    ),
  )
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await sessionsOf('api', 'app')).toBeLessThanOrEqual(4)
  expect(await second.stop()).toBe(0)
})

test('a database user that may not create roles gets all tables but no row-level security', async () => {
  const where = { url: proxy.urlOf('guest', 'without_roles') }
  const database = openDatabase(where, { maxConnections: 1 })
  expect(await migrate(database)).not.toEqual([])
  expect(await database.kysely.selectFrom('accounts').select('id').execute()).toEqual([])
  await database.close()
  expect(await hasRowLevelSecurity(where)).toBe(false)
})

const urlIn = (connection: ConnectionOptions): string => ('url' in connection ? connection.url : '')

const stateOf = (of: Readonly<Record<ProcessRole, PreparedLogin>>): readonly (string | null)[] =>
  processRoles.map((role) => of[role].reason)

test('the statements of an administrator create the logins when the owner cannot create roles', async () => {
  const where = { url: proxy.urlOf('guest', 'guests') }
  const env = { ZOETROPE_DATA: join(folder, 'guests'), DATABASE_URL: where.url }
  const log = createLog({ level: 'silent' })
  await (await prepareDatabase(where, log)).close()
  const printed = await operate(env, 'database', 'roles', '--sql', '--json')
  const { current } = await loadOrCreateMasterKeys(join(env.ZOETROPE_DATA, 'master.key'))
  const secrets = createSecrets(current)
  const before = stateOf(await prepareLogins(where, secrets.derive))
  expect(before).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/permission denied/)))
  await expect(roleConnections(where, secrets, 'required', log)).rejects.toThrow(/database roles/)
  expect(await roleConnections(where, secrets, 'auto', log)).toEqual({
    api: where,
    worker: where,
    live: where,
  })

  const { Sql } = JSON.parse(printed.stdout) as { Sql: string[] }
  expect(printed.stdout).not.toContain(loginOf('worker', 'guests', secrets.derive).password)
  const administrator = await openConnection(external.connectionOptions)
  await administrator.query('revoke connect on database guests from public')
  for (const statement of Sql) await administrator.query(statement)
  administrator.discard()
  await (await prepareDatabase(where, log)).close()
  const connections = await roleConnections(where, secrets, 'required', log)
  const { stdout } = await operate(env, 'database', 'roles', '--json')
  expect(JSON.parse(stdout)).toEqual({
    Roles: processRoles.map((role) => ({ Role: role, IsReady: true, DatabaseUrl: urlIn(connections[role]) })),
  })
  // Without the right to bypass row-level security, policies show them the rows.
  const owner = openDatabase(where, { maxConnections: 1 })
  await owner.kysely.insertInto('accounts').values({ name: 'One' }).execute()
  await owner.close()
  const worker = openDatabase(connections.worker, { maxConnections: 1 })
  expect(await worker.kysely.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'One' }])
  await expect(worker.kysely.selectFrom('api_keys').select('account_id').execute()).rejects.toThrow(
    /permission denied/,
  )
  await worker.close()

  // Other nodes may use a login that this one cannot use or does not want.
  const { user } = loginOf('worker', 'guests', secrets.derive)
  const tables = await openConnection(where)
  const mayRead = () =>
    tables.rows(`select has_table_privilege($1, 'accounts', 'select') as "mayRead"`, [user])
  await tables.query(`revoke connect on database guests from ${user}`)
  const [, reason] = stateOf(await prepareLogins(where, secrets.derive))
  expect(reason).toMatch(/permission denied for database/)
  for (const setting of ['auto', 'off'] as const) {
    await tables.query(`revoke select on accounts from ${user}`)
    expect(await mayRead()).toEqual([{ mayRead: false }])
    await roleConnections(where, secrets, setting, log)
    expect(await mayRead()).toEqual([{ mayRead: true }])
  }
  tables.discard()
})

describe('migrate', () => {
  const secretsFolder = (): string => join(folder, 'secrets')
  const environment = async (database = 'migrated') => {
    const file = join(folder, `${database}-master-key`)
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`)
    return {
      ZOETROPE_DATA: join(folder, database),
      ZOETROPE_MASTER_KEY_FILE: file,
      ZOETROPE_MIGRATIONS: 'manual',
      DATABASE_URL: proxy.urlOf('customer', database),
    }
  }

  test('prepares the database once when two nodes run it, and `serve` then starts without the owner', async () => {
    const env = await environment()
    const refused = await runProgram({ ...env, ZOETROPE_PORT: String(await findFreePort()) }, 'serve')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/empty.*\.\/zoetrope migrate/) })

    const ascii = { ...env, DATABASE_URL: proxy.urlOf('customer', 'ascii') }
    expect(await operate(ascii, 'migrate')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/SQL_ASCII.*needs UTF8/),
    })

    const both = await Promise.all([1, 2].map(() => operate(env, 'migrate', '--json')))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const applied = both
      .map(({ stdout }) => JSON.parse(stdout).Applied.length as number)
      .sort((a, b) => a - b)
    expect(applied).toEqual([0, expect.any(Number)])
    expect(applied[1]).toBeGreaterThan(60)

    const last = await operate(env, 'migrate', '--secrets', secretsFolder())
    expect(last).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The database is up to date\.\nThere is no account yet\./),
    })
    expect(await readdir(secretsFolder(), { recursive: true }).then((names) => names.sort())).toEqual([
      ...['api', 'api/database-url', 'live', 'live/database-url', 'live/process-keys'],
      ...['worker', 'worker/database-url', 'worker/process-keys'],
    ])
    expect((await stat(join(secretsFolder(), 'live/process-keys'))).mode & 0o077).toBe(0)

    const port = await findFreePort()
    const worker = startRole('worker', {
      ZOETROPE_DATA: join(folder, 'worker'),
      ZOETROPE_DATABASE_ROLES: 'required',
      ZOETROPE_PROCESS_KEYS_FILE: join(secretsFolder(), 'worker/process-keys'),
      DATABASE_URL_FILE: join(secretsFolder(), 'worker/database-url'),
      ZOETROPE_WORKER_PORT: String(port),
    })
    const health = await waitFor(
      () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
    )
    expect(health).toBe(200)
    expect(await worker.stop()).toBe(0)
  })

  test('keeps the public URL of the installation on nodes that do not set it', async () => {
    const publicUrl = 'https://video.example.com'
    const env = await environment('urls')
    await operate({ ...env, ZOETROPE_PUBLIC_URL: publicUrl }, 'migrate')
    const account = await operate(env, 'accounts', 'create', 'One', '--email', 'one@example.com', '--json')
    const { ApiKey: apiKey } = JSON.parse(account.stdout)
    const port = await findFreePort()
    const api = startRole('api', { ...env, ZOETROPE_PORT: String(port), ZOETROPE_LOG_LEVEL: 'error' })
    const call = (method: string, path: string, body?: object) =>
      request(`http://127.0.0.1:${port}/v3${path}`, method, { apiKey, ...(body && { body }) })
    await waitFor(
      () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null),
      (response) => response?.ok === true,
    )
    const project = await call('POST', '/projects', { Name: 'URLs' })
    const file = await call('POST', `/projects/${project.body.Id}/files`, { FileName: 'clip.mp4' })
    expect(await api.stop()).toBe(0)
    expect(await operate(env, 'migrate')).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' })
    expect(file.body.Upload.URI).toMatch(/^https:\/\/video\.example\.com\/uploads\//)

    const moved = await operate({ ...env, ZOETROPE_PUBLIC_URL: 'https://films.example.com' }, 'migrate')
    expect(moved.stdout).toContain(`Updated the URLs in the records, which began with ${publicUrl}.`)
  })

  test('writes no secrets for the embedded database, and takes no other argument', async () => {
    const env = { ZOETROPE_DATA: join(folder, 'none') }
    for (const words of [['now'], ['--secrets', secretsFolder()]])
      expect(await operate(env, 'migrate', ...words)).toMatchObject({ code: 2, stdout: '' })
  })
})

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openConnection } from '../src/platform/db/driver/connection.ts'
import { compileCache } from './support/compile-cache.ts'
import { findFreePort } from './support/free-port.ts'
import { mainScript } from './support/main-script.ts'
import type { Ended } from './support/operator.ts'
import { openPostgresProxy } from './support/postgres-proxy.ts'
import { runProgram } from './support/program.ts'
import { createTestDatabase } from './support/test-database.ts'
import { startTestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-start-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const serve = async (environment: Record<string, string>, ...words: readonly string[]): Promise<Ended> =>
  runProgram(
    {
      ZOETROPE_DATA: join(folder, randomBytes(4).toString('hex')),
      ZOETROPE_PORT: String(await findFreePort()),
      ZOETROPE_LOG_LEVEL: 'silent',
      ...environment,
    },
    'serve',
    ...words,
  )

const startRole = (environment: Record<string, string>): Promise<Ended> => serve(environment, '--role', 'api')

const expectSentence = ({ code, stderr }: Ended, sentence: RegExp, exitCode = 1): void => {
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(exitCode)
}

test('a role on an empty database names in one sentence what to start first', async () => {
  const { host, user, password } = inject('postgres')
  const database = `empty_${randomBytes(4).toString('hex')}`
  const administrator = await openConnection({ host, user, password, database: 'postgres' })
  await administrator.query(`create database ${database} template template0`)
  const run = await startRole({
    ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify({ host, user, password, database }),
  })
  expectSentence(run, /^The database is empty\. Run .*\.\/zoetrope migrate/)
  await administrator.query(`drop database ${database} with (force)`)
  administrator.discard()
})

test('a role with a different master key says so in one sentence', async () => {
  const server = await startTestServer()
  const ZOETROPE_EMBEDDED_CONNECTION = JSON.stringify(server.services.database.connection)
  expectSentence(
    await startRole({ ZOETROPE_EMBEDDED_CONNECTION }),
    /^The master key does not match the database.*ZOETROPE_MASTER_KEY/,
  )
  const ZOETROPE_MASTER_KEY = randomBytes(32).toString('base64')
  expectSentence(
    await startRole({ ZOETROPE_EMBEDDED_CONNECTION, ZOETROPE_MASTER_KEY }),
    /^The master key does not match the database/,
  )
  await server.stop()
})

test('an unreachable database is reported in one sentence', async () => {
  const DATABASE_URL = `postgres://zoetrope:hidden-password@127.0.0.1:${await findFreePort()}/zoetrope`
  const run = await startRole({ DATABASE_URL })
  expectSentence(run, /^The database does not respond \(.*ECONNREFUSED.*\)\. Check DATABASE_URL/)
  expect(run.stderr).not.toContain('hidden-password')
})

test('a changed migration that the database has applied is named in one line', async () => {
  const { connection, database, drop } = await createTestDatabase()
  await database.sql`update schema_migrations set checksum = 'other' where name = '0001_identity.sql'`
  const { host, user, password } = inject('postgres')
  const proxy = await openPostgresProxy(host)
  const DATABASE_URL = proxy.urlOf(user, (connection as { database: string }).database, password)
  expectSentence(
    await serve({ DATABASE_URL }),
    /^Migration 0001_identity\.sql was changed after this database had applied it\. Restore the file/,
  )
  proxy.close()
  await drop()
})

test('views in ClickHouse without its URL are refused before the database is created', async () => {
  const run = await serve({ ZOETROPE_ANALYTICS_VIEWS: 'clickhouse' })
  expectSentence(run, /^ZOETROPE_ANALYTICS_VIEWS=clickhouse needs ZOETROPE_CLICKHOUSE_URL\.\s*$/, 2)
  expect(run.stdout).toBe('')
})

test('a data folder that cannot be created is named with its setting', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expectSentence(
    await serve({ ZOETROPE_DATA: join(file, 'data') }),
    /^Cannot create the data folder .*file\/data \(ENOTDIR.*\)\. .* set ZOETROPE_DATA to another folder\.$/m,
  )
})

test('a remote worker warns that other users can see a token on the command line', async () => {
  const server = `http://127.0.0.1:${await findFreePort()}`
  const args = ['worker', '--server', server, '--token', 'secret-token', '--work-folder', folder]
  const child = spawn(process.execPath, [mainScript, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache },
  })
  let log = ''
  child.stderr.on('data', (part) => (log += String(part)))
  const closed = once(child, 'close')
  await waitFor(
    () => Promise.resolve(log),
    (lines) => lines.includes('waiting for chunks'),
  )
  child.kill()
  await closed
  expect(log).toMatch(/"level":"warn".*use --token-file/)
  expect(log).not.toContain('secret-token')
})

test.each(['', '/', '/v3', '/v3/'])('a remote worker accepts a server URL that ends in "%s"', async (end) => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(401).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}${end}`
  const args = ['worker', '--server', url, '--token', 'secret-token', '--work-folder', folder]
  const child = spawn(process.execPath, [mainScript, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache },
  })
  await once(child, 'close')
  server.close()
  expect(paths[0]).toMatch(/^\/v3\/worker\//)
})

test('a start that is stopped before it is ready does not say that it is ready', async () => {
  const { connection, drop } = await createTestDatabase()
  const { host, user, password } = inject('postgres')
  const proxy = await openPostgresProxy(host)
  const port = await findFreePort()
  const child = spawn(process.execPath, [mainScript, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_DATA: join(folder, 'stopped'),
      ZOETROPE_PORT: String(port),
      ZOETROPE_RTMP_PORT: '0',
      ZOETROPE_SRT_PORT: '0',
      ZOETROPE_LOG_LEVEL: 'silent',
      DATABASE_URL: proxy.urlOf(user, (connection as { database: string }).database, password),
      // Does not respond, so the api process runs and is not ready.
      ZOETROPE_STORAGE: 's3',
      S3_BUCKET: 'media',
      S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      S3_ACCESS_KEY_ID: 'none',
      S3_SECRET_ACCESS_KEY: 'none',
    },
  })
  const output = text(child.stdout)
  const closed = once(child, 'close')
  await waitFor(
    () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null),
    (response) => response?.status === 503,
  )
  child.kill('SIGTERM')
  await closed
  expect(await output).not.toContain('ready ')
  proxy.close()
  await drop()
})

test.runIf(process.platform === 'linux')('starts while the disk of its output is full', async () => {
  const { connection, drop } = await createTestDatabase()
  const { host, user, password } = inject('postgres')
  const proxy = await openPostgresProxy(host)
  const port = await findFreePort()
  const full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, [mainScript, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_DATA: join(folder, 'full'),
      ZOETROPE_PORT: String(port),
      ZOETROPE_RTMP_PORT: '0',
      ZOETROPE_SRT_PORT: '0',
      ZOETROPE_DEMO: '0',
      DATABASE_URL: proxy.urlOf(user, (connection as { database: string }).database, password),
    },
    stdio: ['ignore', full.fd, full.fd],
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  await waitFor(
    () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null),
    (response) => response?.status === 200,
  )
  // The supervisor writes that it is ready after that.
  await delay(1_000)
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect((await closed)[0]).toBe(0)
  await full.close()
  proxy.close()
  await drop()
})

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findFreePort } from './support/free-port.ts'
import { runProgram, type Ended } from './support/operator.ts'
import { startTestServer } from './support/test-server.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-start-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const startRole = async (environment: Record<string, string>): Promise<Ended> =>
  runProgram(
    {
      ZOETROPE_DATA: join(folder, randomBytes(4).toString('hex')),
      ZOETROPE_PORT: String(await findFreePort()),
      ZOETROPE_LOG_LEVEL: 'silent',
      ...environment,
    },
    'serve',
    '--role',
    'api',
  )

const expectSentence = ({ code, stderr }: Ended, sentence: RegExp): void => {
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(1)
}

test('a role on an empty database names in one sentence what to start first', async () => {
  const { host, user } = inject('postgres')
  const database = `empty_${randomBytes(4).toString('hex')}`
  const sql = postgres({ host, user, database: 'postgres', max: 1 })
  await sql.unsafe(`create database ${database} template template0`)
  const run = await startRole({ ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify({ host, user, database }) })
  expectSentence(run, /^The database is empty: start .*\.\/zoetrope serve/)
  await sql.unsafe(`drop database ${database} with (force)`)
  await sql.end()
})

test('a role with a different master key says so in one sentence', async () => {
  const server = await startTestServer()
  const ZOETROPE_EMBEDDED_CONNECTION = JSON.stringify(server.services.database.connection)
  expectSentence(
    await startRole({ ZOETROPE_EMBEDDED_CONNECTION }),
    /^The master key does not fit the database.*ZOETROPE_MASTER_KEY/,
  )
  const ZOETROPE_MASTER_KEY = randomBytes(32).toString('base64')
  expectSentence(
    await startRole({ ZOETROPE_EMBEDDED_CONNECTION, ZOETROPE_MASTER_KEY }),
    /^The master key does not fit the database/,
  )
  await server.stop()
})

test('an unreachable database is reported in one sentence', async () => {
  const DATABASE_URL = `postgres://zoetrope:hidden-password@127.0.0.1:${await findFreePort()}/zoetrope`
  const run = await startRole({ DATABASE_URL })
  expectSentence(run, /^The database does not answer \(.*ECONNREFUSED.*\)\. Check DATABASE_URL/)
  expect(run.stderr).not.toContain('hidden-password')
})

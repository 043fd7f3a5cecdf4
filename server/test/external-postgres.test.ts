import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasRowLevelSecurity } from '../src/platform/db/row-level-security.ts'
import { openConnection } from '../src/platform/db/driver/connection.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { findFreePort } from './support/free-port.ts'
import { makeSample } from './support/media.ts'
import { customerPassword, openPostgresProxy } from './support/postgres-proxy.ts'
import { startProduct } from './support/product.ts'
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
  administrator.discard()
  proxy = await openPostgresProxy(external.socketFolder)
})

afterAll(async () => {
  proxy.close()
  await external.stop()
  await rm(folder, { recursive: true, force: true })
})

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
  await first.kill()
  expect(await hasRowLevelSecurity({ url: databaseUrl })).toBe(true)

  const second = await startProduct(dataFolder, port, { DATABASE_URL: databaseUrl })
  const found = await call('GET', `/projects/${project.body.Id}`)
  expect(found.body).toMatchObject({ Name: 'External', FileCount: 1 })
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

import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasAccountWall } from '../src/kernel/db/account-wall.ts'
import { openDatabase } from '../src/kernel/db/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/kernel/db/embedded-postgres.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { findFreePort } from './support/free-port.ts'
import { makeSample } from './support/media.ts'
import { startProduct } from './support/product.ts'
import { request } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let folder: string
let external: EmbeddedPostgres
let gate: Server
let urlOf: (user: string, database: string) => string

/** Stands for a server elsewhere, reached by TCP: the gate hands connections on to the socket of one that knows nothing of us. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-external-'))
  external = await startEmbeddedPostgres({ dataFolder: join(folder, 'server') })
  const sql = postgres({ ...external.connectionOptions, max: 1 })
  // Not a superuser, as with all who rent a server.
  await sql.unsafe('create role customer login createrole')
  await sql.unsafe('create role guest login')
  await sql.unsafe('create database app owner customer')
  await sql.unsafe('create database without_roles owner guest')
  await sql.end()
  gate = createServer((client) => {
    const inside = connect(join(external.socketFolder, `.s.PGSQL.${external.port}`))
    client.pipe(inside).pipe(client)
    client.on('error', () => inside.destroy())
    inside.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port } = gate.address() as AddressInfo
  urlOf = (user, database) => `postgres://${user}:unused@127.0.0.1:${port}/${database}`
})

afterAll(async () => {
  gate.close()
  await external.stop()
  await rm(folder, { recursive: true, force: true })
})

test('with DATABASE_URL the product runs on that server, starts none of its own, and finds its records again', async () => {
  const databaseUrl = urlOf('customer', 'app')
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
  expect(await hasAccountWall({ url: databaseUrl })).toBe(true)

  const second = await startProduct(dataFolder, port, { DATABASE_URL: databaseUrl })
  const found = await call('GET', `/projects/${project.body.Id}`)
  expect(found.body).toMatchObject({ Name: 'External', FileCount: 1 })
  expect(await second.stop()).toBe(0)
})

test('a database user that may not make roles gets all tables and no wall between accounts', async () => {
  const where = { url: urlOf('guest', 'without_roles') }
  const database = openDatabase(where, { maxConnections: 1 })
  expect(await migrate(database)).not.toEqual([])
  expect(await database.kysely.selectFrom('accounts').select('id').execute()).toEqual([])
  await database.close()
  expect(await hasAccountWall(where)).toBe(false)
})

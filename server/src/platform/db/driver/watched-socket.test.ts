import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeCertificate, type Certificate } from '../../../../test/support/certificate.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { openDatabase, type Database } from '../database.ts'

const run = promisify(execFile)
const ip = (...words: string[]) => run('ip', words)

const script = fileURLToPath(new URL('../../../../test/support/far-database.ts', import.meta.url))
const name = `zt${process.pid}`
/** A network for tests between machines (RFC 2544). */
const [here, there] = ['198.18.77.1', '198.18.77.2']

let world: TestDatabase
let certificate: Certificate
let relay: ChildProcess
/** Why this machine cannot make a network, or null. */
const reason = await ip('netns', 'add', name).then(
  () => null,
  () => 'needs root and the package iproute2',
)

const createNetwork = async (): Promise<void> => {
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  await ip('addr', 'add', `${here}/30`, 'dev', name)
  await ip('link', 'set', name, 'up')
  await ip('-n', name, 'addr', 'add', `${there}/30`, 'dev', 'eth0')
  await ip('-n', name, 'link', 'set', 'eth0', 'up')
}

/** The other side gets every packet, and its own are lost. */
const silence = () => ip('-n', name, 'route', 'add', 'blackhole', `${here}/32`)
const restore = () => ip('-n', name, 'route', 'del', 'blackhole', `${here}/32`)

/** One database of the other side, on a plain and on an encrypted connection. */
const openBoth = async (): Promise<Database[]> => {
  const { host, user, password } = inject('postgres')
  const { certFile } = certificate
  const words = [there, join(host, '.s.PGSQL.5432'), join(dirname(certFile), 'key.pem'), certFile]
  relay = spawn('ip', ['netns', 'exec', name, process.execPath, script, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(relay.stdout as NonNullable<typeof relay.stdout>, 'data')
  const { database } = world.connection as { readonly database: string }
  const login = `${user}:${encodeURIComponent(password)}`
  return [`${there}:5432/${database}`, `${there}:5433/${database}?sslmode=no-verify`].map((place) =>
    openDatabase({ url: `postgres://${login}@${place}` }, { maxConnections: 4 }),
  )
}

beforeAll(async () => {
  if (reason !== null) return
  await createNetwork()
  world = await createTestDatabase()
  certificate = await makeCertificate()
})

afterAll(async () => {
  if (reason !== null) return
  relay.kill('SIGKILL')
  await ip('netns', 'del', name)
  await certificate.remove()
  await world.drop()
})

const sleeping = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where query like 'select pg_sleep%' and datname = current_database()`.execute(world.database.kysely)
  return rows[0]?.count ?? 0
}

test.skipIf(reason !== null)(
  `a statement fails when the network has lost the server, plain or encrypted, and one that only takes long succeeds${reason === null ? '' : ` (${reason})`}`,
  async () => {
    const databases = await openBoth()
    const long = Promise.allSettled(databases.map(({ kysely }) => sql`select pg_sleep(30)`.execute(kysely)))
    await waitFor(sleeping, (count) => count === 2)
    const begun = databases.map(() => Promise.withResolvers<void>())
    const isSilent = Promise.withResolvers<void>()
    const lost = Promise.allSettled(
      databases.map(({ transaction }, index) =>
        transaction(async (tx) => {
          await sql`select 1`.execute(tx)
          begun[index]?.resolve()
          await isSilent.promise
          await sql`select 2`.execute(tx)
        }),
      ),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    // TCP may acknowledge the other statements 40 ms later.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await silence()
    isSilent.resolve()
    const failed = { status: 'rejected', reason: { code: 'CONNECTION_CLOSED' } }
    expect(await lost).toMatchObject([failed, failed])
    await restore()
    for (const { transaction } of databases) await transaction((tx) => sql`select 3`.execute(tx))
    const succeeded = { status: 'fulfilled' }
    expect(await long).toMatchObject([succeeded, succeeded])
    await Promise.all(databases.map((database) => database.close()))
  },
  // A connection counts as lost after about 20 s.
  90_000,
)

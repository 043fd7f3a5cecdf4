import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openConnection } from '../../src/platform/db/driver/connection.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { runTool } from '../image/run-tool.ts'
import { findFreePort } from '../support/free-port.ts'
import { customerPassword, openPostgresProxy } from '../support/postgres-proxy.ts'
import { startRole, type RunningProcess } from '../support/role.ts'
import { waitFor } from '../support/wait-for.ts'
import { startBalancer } from './balancer.ts'

export interface Cluster {
  /** URL of the load balancer. */
  readonly url: string
  readonly credentials: { readonly apiKey: string; readonly email: string; readonly password: string }
  /** Migrates the database with the new release. Returns what it says. */
  readonly migrate: () => Promise<string>
  /** Adds a column to every table but one, whose rows functions build, as migrations of later releases may. */
  readonly addColumns: () => Promise<number>
  readonly startApi2: () => Promise<void>
  readonly stopApi1: () => Promise<void>
  readonly startWorker2: () => Promise<void>
  readonly stopWorker1: () => Promise<void>
  readonly stop: () => Promise<void>
}

const present = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url))

/** Longer than HAProxy needs to notice a failed probe: two checks, 2 s apart. */
const stopDelaySeconds = '6'

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

const untilReady = async (port: number): Promise<void> => {
  await waitFor(
    () => isReady(port),
    (isThere) => isThere,
    120_000,
    100,
  )
}

/** Starts an api node and a worker of the previous release behind a load balancer, on a PostgreSQL of their own. */
export const startCluster = async (folder: string, haproxy: string, previous: string): Promise<Cluster> => {
  const undos: (() => Promise<unknown>)[] = []
  const postgres = await startEmbeddedPostgres({ dataFolder: join(folder, 'server') })
  undos.push(postgres.stop)
  const administrator = await openConnection(postgres.connectionOptions)
  await administrator.query(`create role customer login createrole password '${customerPassword}'`)
  await administrator.query('create database app owner customer')
  administrator.discard()
  const proxy = await openPostgresProxy(postgres.socketFolder)
  undos.push(async () => proxy.close())
  const owner = proxy.urlOf('customer', 'app')

  const ports = { balancer: await findFreePort(), api1: await findFreePort(), api2: await findFreePort() }
  const dataFolder = join(folder, 'data')
  const common = {
    ZOETROPE_DATA: dataFolder,
    ZOETROPE_DEMO: '0',
    ZOETROPE_READS_PER_MINUTE: '0',
    ZOETROPE_WRITES_PER_MINUTE: '0',
    ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${ports.balancer}`,
    ZOETROPE_TRUST_PROXY: '127.0.0.1/32',
    ZOETROPE_STOP_DELAY_SECONDS: stopDelaySeconds,
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    OUTBOUND_ALLOW_HTTP: '1',
  }
  const command = (script: string, ...words: string[]): Promise<string> => {
    const env = { ...common, DATABASE_URL: owner }
    return runTool('env', [
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ...[process.execPath, script, ...words],
    ])
  }
  const running = new Set<RunningProcess>()
  const start = (script: string, role: string | null, env: Readonly<Record<string, string>>) => {
    const process = startRole(role, { ...common, ...env }, script)
    running.add(process)
    return async (): Promise<void> => {
      if (running.delete(process)) await process.stop()
    }
  }

  /** The first start of the previous release migrates, and creates the account. */
  const prepare = async (): Promise<Cluster['credentials']> => {
    const live = { ZOETROPE_RTMP_PORT: '0', ZOETROPE_SRT_PORT: '0' }
    const stop = start(previous, null, { ...live, DATABASE_URL: owner, ZOETROPE_PORT: String(ports.api1) })
    await untilReady(ports.api1)
    const file = join(dataFolder, 'initial-credentials.json')
    const text = await waitFor(
      () => readFile(file, 'utf8').catch(() => ''),
      (content) => content !== '',
    )
    await stop()
    const { ApiKey, Email, Password } = JSON.parse(text) as Record<string, string>
    return { apiKey: ApiKey ?? '', email: Email ?? '', password: Password ?? '' }
  }
  /** The address that the previous release prints for its processes; the first release had one for all. */
  const formerUrls = async (): Promise<Readonly<Record<string, string>>> => {
    const text = await command(previous, 'database', 'roles', '--json').catch(() => '{"Roles":[]}')
    const { Roles } = JSON.parse(text) as { Roles: { Role: string; DatabaseUrl: string }[] }
    return Object.fromEntries(Roles.map(({ Role, DatabaseUrl }) => [Role, DatabaseUrl]))
  }
  const secrets = join(folder, 'secrets')
  const newUrlOf = async (role: string): Promise<string> =>
    (await readFile(join(secrets, role, 'database-url'), 'utf8')).trim()

  await mkdir(dataFolder)
  const credentials = await prepare()
  const former = await formerUrls()
  const balancer = await startBalancer(haproxy, folder, ports.balancer, {
    api1: ports.api1,
    api2: ports.api2,
  })
  undos.push(balancer.stop)
  const stopApi1 = start(previous, 'api', {
    DATABASE_URL: former['api'] ?? owner,
    ZOETROPE_PORT: String(ports.api1),
  })
  const stopWorker1 = start(previous, 'worker', { DATABASE_URL: former['worker'] ?? owner })
  await untilReady(ports.api1)
  await untilReady(ports.balancer)

  return {
    url: balancer.url,
    credentials,
    migrate: async () => (await command(present, 'migrate', '--secrets', secrets)).split('\n')[0] ?? '',
    addColumns: async () => {
      const connection = await openConnection({ url: owner })
      const tables = await connection.rows<{ name: string }>(
        `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tableowner = 'customer'
          and tablename <> 'file_list'`,
      )
      await connection.query(`set lock_timeout = '1s'`)
      for (const { name } of tables)
        await waitFor(
          () =>
            connection.query(`alter table ${name} add column of_a_later_release text`).then(
              () => true,
              () => false,
            ),
          (isAdded) => isAdded,
        )
      connection.discard()
      return tables.length
    },
    startApi2: async () => {
      start(present, 'api', { DATABASE_URL: await newUrlOf('api'), ZOETROPE_PORT: String(ports.api2) })
      await untilReady(ports.api2)
    },
    // Former releases may not have a delay before they stop.
    stopApi1: async () => {
      await balancer.drain('api1')
      await stopApi1()
    },
    startWorker2: async () => {
      const port = await findFreePort()
      start(present, 'worker', {
        DATABASE_URL: await newUrlOf('worker'),
        ZOETROPE_WORKER_PORT: String(port),
      })
      await untilReady(port)
    },
    stopWorker1,
    stop: async () => {
      for (const process of running) await process.stop()
      for (const undo of undos.toReversed()) await undo()
    },
  }
}

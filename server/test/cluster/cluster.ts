import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processRoles, type ProcessRole } from '../../src/platform/db/process-roles/login.ts'
import { findPairPrograms } from '../support/postgres-pair.ts'
import { runProgram } from '../support/program.ts'
import { s3Settings } from '../support/s3-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { sweepControlGroups } from './machines/cgroup.ts'
import { createMachine, type Machine } from './machines/machine.ts'
import { addressOf, createNetwork, network } from './machines/network.ts'
import { startDatabaseProxy, startWebProxy } from './services/balancer.ts'
import { databaseUrl, startDatabasePair, type DatabasePair } from './services/database-pair.ts'
import { startNode, type ClusterNode } from './services/node.ts'
import { startStore, type Store } from './services/store.ts'

export interface Cluster {
  readonly root: string
  readonly url: string
  readonly apiKey: string
  readonly password: string
  readonly database: DatabasePair
  readonly store: Store
  readonly proxy: Machine
  readonly nodes: readonly ClusterNode[]
  readonly nodesOf: (role: ProcessRole) => readonly ClusterNode[]
  readonly isReady: () => Promise<boolean>
  readonly stop: () => Promise<void>
}

export type ClusterSize = Readonly<Record<ProcessRole, number>>

const MiB = 1024 * 1024
const diskBytes = 256 * MiB
const firstAddress: Readonly<Record<ProcessRole, number>> = { api: 11, worker: 21, live: 31 }

const adminEmail = 'admin@example.com'

/** Runs a command of an operator on the host of the cluster, and returns its JSON. */
const operate = async (env: Record<string, string>, ...words: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await runProgram(env, ...words, '--json')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Record<string, unknown>
}

export const startCluster = async (
  root: string,
  size: ClusterSize,
  say: (text: string) => void,
): Promise<Cluster> => {
  const programs = await findPairPrograms()
  if (programs === null) throw new Error('PostgreSQL or HAProxy is not installed')
  await sweepControlGroups()
  await createNetwork()
  const machine = (name: string, number: number, disk: number | null = null): Promise<Machine> =>
    createMachine(root, { name, address: addressOf(number), diskBytes: disk })
  const proxy = await machine('proxy', 2)
  const pair = [await machine('database1', 3), await machine('database2', 4)] as const
  const storeMachine = await machine('store', 8)
  const nodeMachines = await Promise.all(
    processRoles.flatMap((role) =>
      Array.from({ length: size[role] }, async (_, index) => ({
        role,
        machine: await machine(`${role}${index + 1}`, firstAddress[role] + index, diskBytes),
      })),
    ),
  )
  const machinesOf = (role: ProcessRole): Machine[] =>
    nodeMachines.filter((one) => one.role === role).map((one) => one.machine)

  say('starting PostgreSQL, the S3 store and HAProxy')
  const [database, store] = await Promise.all([
    startDatabasePair(programs.postgres, pair),
    startStore(storeMachine),
    startDatabaseProxy(programs, proxy, pair),
  ])
  const url = `http://${network.proxy}`
  const masterKey = randomBytes(32).toString('base64')
  const secrets = join(root, 'secrets')
  const logs = join(root, 'logs')
  await mkdir(logs)
  const common = {
    ZOETROPE_PUBLIC_URL: url,
    ...s3Settings(store.access),
  }
  const operator = {
    ...common,
    ZOETROPE_DATA: join(root, 'operator'),
    DATABASE_URL: databaseUrl,
    ZOETROPE_MASTER_KEY: masterKey,
  }
  say('creating the tables and the first account')
  await waitFor(
    () =>
      operate(operator, 'migrate', '--secrets', secrets).then(
        () => null,
        (error: unknown) => error as Error,
      ),
    (error) => error === null,
    30_000,
    500,
  )
  const account = await operate(operator, 'accounts', 'create', 'Cluster', '--email', adminEmail)

  const environmentOf = async (role: ProcessRole): Promise<Record<string, string>> => ({
    ...common,
    DATABASE_URL: (await readFile(join(secrets, role, 'database-url'), 'utf8')).trim(),
    ...(role === 'api'
      ? { ZOETROPE_MASTER_KEY: masterKey }
      : { ZOETROPE_PROCESS_KEYS: (await readFile(join(secrets, role, 'process-keys'), 'utf8')).trim() }),
    ZOETROPE_DATABASE_CONNECTIONS: '8',
    ZOETROPE_TRUST_PROXY: `${network.proxy}/32`,
    ZOETROPE_RETENTION_DAYS: '0',
    ZOETROPE_READS_PER_MINUTE: '0',
    ZOETROPE_WRITES_PER_MINUTE: '0',
    OUTBOUND_ALLOW_CIDRS: network.cidr,
    OUTBOUND_ALLOW_HTTP: '1',
  })
  const nodes: ClusterNode[] = []
  // Nodes that start together take longer, and each needs a core.
  for (const one of nodeMachines) {
    say(`starting ${one.machine.name}`)
    nodes.push(await startNode(one.role, one.machine, await environmentOf(one.role), logs))
  }
  await startWebProxy(programs.haproxy, proxy, machinesOf('api'))
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then(({ ok }) => ok)
      .catch(() => false)
  await waitFor(isReady, (isThere) => isThere)
  return {
    root,
    url,
    apiKey: String(account['ApiKey']),
    password: String(account['Password']),
    database,
    store,
    proxy,
    nodes,
    nodesOf: (role) => nodes.filter((node) => node.role === role),
    isReady,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
      await Promise.all(
        [proxy, ...pair, storeMachine, ...nodeMachines.map((one) => one.machine)].map((one) => one.remove()),
      )
    },
  }
}

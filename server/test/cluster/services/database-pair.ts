import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ordinaryUser } from '../../support/postgres-pair.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Machine } from '../machines/machine.ts'
import { network } from '../machines/network.ts'

const run = promisify(execFile)

export interface DatabasePair {
  readonly primary: () => Machine
  readonly standby: () => Machine
  /** Starts the server of a machine that was killed, in its role. */
  readonly restart: (machine: Machine) => Promise<void>
  /** Promotes the standby. The primary must have been killed. */
  readonly promote: () => Promise<void>
  /** Makes the former primary the synchronous standby of the new one. */
  readonly rejoin: () => Promise<void>
}

const user = 'postgres'
const port = 5432

/** A primary and a synchronous standby, on a machine each. `programs` is the folder with those of PostgreSQL. */
export const startDatabasePair = async (
  programs: string,
  machines: readonly [Machine, Machine],
): Promise<DatabasePair> => {
  let [primary, standby] = machines
  const owner = await ordinaryUser()
  const dataOf = ({ folder }: Machine): string => join(folder, 'data')

  const query = async ({ address }: Machine, text: string): Promise<string> => {
    const words = ['-h', address, '-U', 'admin', '-d', 'postgres', '-Atc', text]
    return (await run(join(programs, 'psql'), words, { timeout: 10_000 })).stdout.trim()
  }
  const execute = async (machine: Machine, name: string, ...words: string[]): Promise<void> => {
    const child = machine.start([join(programs, name), ...words], {
      user,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`${name} on ${machine.name} ended with ${code}`)
  }
  const restart = async (machine: Machine): Promise<void> => {
    machine.start(
      [
        join(programs, 'postgres'),
        ...['-D', dataOf(machine), '-c', 'listen_addresses=*', '-c', 'max_connections=200'],
        // The kernel of the host survives, and with it everything that was written.
        ...['-c', 'fsync=off', '-c', `unix_socket_directories=${machine.folder}`],
        ...['-c', 'log_destination=stderr', '-c', 'logging_collector=on', '-c', 'wal_keep_size=256MB'],
      ],
      { user },
    )
    await waitFor(
      () =>
        query(machine, 'select 1').then(
          () => true,
          () => false,
        ),
      (isThere) => isThere,
      60_000,
      100,
    )
  }
  const follow = async (): Promise<void> => {
    await rm(dataOf(standby), { recursive: true, force: true })
    await execute(
      standby,
      'pg_basebackup',
      ...['-D', dataOf(standby), '-R', '-c', 'fast', '-X', 'stream', '--no-sync'],
      ...['-d', `host=${primary.address} port=${port} user=admin`],
    )
    await restart(standby)
    await query(primary, "alter system set synchronous_standby_names = '*'")
    await query(primary, 'select pg_reload_conf()')
    await waitFor(
      () => query(primary, 'select sync_state from pg_stat_replication'),
      (state) => state === 'sync',
    )
  }

  for (const { folder } of machines)
    if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? owner.uid)
  await execute(
    primary,
    'initdb',
    '-D',
    dataOf(primary),
    '-U',
    'admin',
    '--auth=trust',
    '--no-sync',
    '-E',
    'UTF8',
  )
  await appendFile(
    join(dataOf(primary), 'pg_hba.conf'),
    `host all all ${network.cidr} trust\nhost replication all ${network.cidr} trust\n`,
  )
  await restart(primary)
  await query(primary, 'create role zoetrope_check login')
  await query(primary, 'create role customer login createrole')
  await query(primary, 'create database app owner customer')
  await follow()

  return {
    primary: () => primary,
    standby: () => standby,
    restart,
    promote: async () => {
      await query(standby, 'select pg_promote()')
      ;[primary, standby] = [standby, primary]
    },
    rejoin: follow,
  }
}

export const databaseUrl = `postgres://customer@${network.proxy}:${port}/app`

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { findFreePort } from './free-port.ts'
import { customerPassword } from './postgres-proxy.ts'
import { waitFor } from './wait-for.ts'

export interface PgBouncer {
  readonly urlOf: (user: string, database: string) => string
  readonly stop: () => Promise<void>
}

export type PoolMode = 'session' | 'transaction' | 'statement'

/** Debian installs it in sbin, which is only in the PATH of root. */
export const findPgBouncer = async (): Promise<string | null> =>
  (await findProgram('pgbouncer')) ?? (await findProgram('../sbin/pgbouncer'))

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

export const startPgBouncer = async (
  program: string,
  postgresPort: number,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<PgBouncer> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-pgbouncer-'))
  const port = await findFreePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: 60,
    max_client_conn: 200,
    ignore_startup_parameters: 'extra_float_digits',
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 ? { user: 'nobody' } : {}),
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n* = host=127.0.0.1 port=${postgresPort} user=customer password=${customerPassword}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  await chmod(folder, 0o755)
  const child = spawn(program, [file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await waitFor(
    async () => child.exitCode !== null || (await isListening(port)),
    (isOver) => isOver,
  )
  if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
  return {
    urlOf: (user, database) => `postgres://${user}:${customerPassword}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBinaries } from './embedded-postgres-binaries.ts'
import {
  createDatabaseOnce,
  dataArgument,
  databaseUser,
  makeFolders,
  makeRootFolder,
  runAs,
  type PostgresFolder,
} from './embedded-postgres-folder.ts'
import { isServerReady, stopServersOn } from './embedded-postgres-leftovers.ts'
import { lockFolder } from './embedded-postgres-lock.ts'
import { findServerUser, type ServerUser } from './embedded-postgres-user.ts'

export interface EmbeddedPostgresOptions {
  /** A folder for PostgreSQL alone; made when missing. One Zoetrope at a time may use it. */
  dataFolder: string
  log?: { info: (message: string) => void; warn: (message: string) => void }
  /** Settings of postgresql.conf that differ from ours. */
  settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres {
  /** The folder of the Unix socket, and the `host` for clients; there is no TCP. */
  socketFolder: string
  host: string
  port: number
  user: string
  database: string
  /** For `postgres(...)` of postgres.js. */
  connectionOptions: { host: string; port: number; user: string; database: string }
  /** Settles when the server is gone, whether stopped or crashed: whoever runs it without a call of stop should end. */
  exited: Promise<void>
  /** Ends sessions, writes a checkpoint, and settles when no process is left. May be called twice. */
  stop: () => Promise<void>
}

/** Part of the socket's file name; no port is opened. */
const port = 5432
const pollMs = 10
/** Recovery after a crash reads at most `max_wal_size` of log: minutes mean that something is wrong with the disk. */
const startTimeoutMs = 300_000
/** What a clean stop gets before the harder signals; a full buffer cache must fit through a slow disk. */
const stopTimeoutMs = 30_000

/** A sixteenth of what the machine or its container has: most of it is for encoding video. */
const bufferMegabytes = (): number => {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.max(128, Math.min(1_024, Math.floor(memoryBytes / 16 / 1024 ** 2)))
}

/** For one small machine that also encodes video. */
const ourSettings = {
  shared_buffers: `${bufferMegabytes()}MB`,
  max_connections: '200',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  // One file per weekday, each overwritten a week later.
  logging_collector: 'on',
  log_filename: 'postgres-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  // Neither statements nor key values of our callers belong into a log; the error itself reaches us anyway.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
} as const

/**
 * Starts the PostgreSQL that came with the npm packages, on first use with a new database in UTF8.
 *
 * It stops when `stop` is called or this process ends in whatever way, also by SIGKILL; Ctrl-C in the terminal does not
 * reach it. A server that was left running on the folder is stopped first. Throws when another Zoetrope runs on
 * the folder, when there are no binaries for this platform, or with the server's own words when it won't start.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { log, settings = {} } = options
  const user = await findServerUser()
  const binaries = await findBinaries(user)
  const root = await makeRootFolder(options.dataFolder)
  const lock = await lockFolder(root)
  try {
    const folder = await makeFolders(root, user)
    await stopServersOn(folder.data, folder.socket)
    if (await createDatabaseOnce(binaries.initdb, folder, user)) log?.info(`Created a database in ${root}`)
    const server = launch(binaries.postgres, folder, user, { ...ourSettings, ...settings })
    try {
      await untilReady(server.process, folder)
    } catch (error) {
      await server.stop()
      throw error
    }
    const stop = async (): Promise<void> => {
      await server.stop()
      lock.release()
    }
    let stopping: Promise<void> | undefined
    const connectionOptions = { host: folder.socket, port, user: databaseUser, database: 'postgres' }
    return {
      socketFolder: folder.socket,
      ...connectionOptions,
      connectionOptions,
      exited: server.exited,
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Runs the server ("$@") and stops it when standard input ends, which it does with the process that holds the other end,
 * however that one dies. Signals sent to all processes of a service or container are not for this shell: it has
 * to outlive the server. The reader is killed by SIGKILL, because it ignores the others likewise.
 */
const watchdogScript = `
trap '' HUP INT QUIT TERM
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{ read -r _ <&3; kill -INT $server; } 2>/dev/null &
reader=$!
exec 3<&-
wait $server
status=$?
kill -KILL $reader 2>/dev/null
wait $reader
exit $status
`

const launch = (
  postgres: string,
  folder: PostgresFolder,
  user: ServerUser | undefined,
  settings: Readonly<Record<string, string>>,
): { process: ChildProcess; exited: Promise<void>; stop: () => Promise<void> } => {
  const place = {
    listen_addresses: '',
    port: String(port),
    // Relative where it can be, for the same reason as dataArgument.
    unix_socket_directories: folder.socket === join(folder.root, 'socket') ? '../socket' : folder.socket,
    log_directory: relative(folder.data, folder.log),
  }
  const settingArgs = Object.entries({ ...settings, ...place }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // A file, because a pipe would break with our death and the server may still have something to say.
  const output = openSync(startLog(folder), 'w', 0o600)
  const watchdog = spawn(
    '/bin/sh',
    [
      '-c',
      watchdogScript,
      'zoetrope-postgres',
      postgres,
      '-D',
      dataArgument(folder.data, user),
      ...settingArgs,
    ],
    { ...runAs(user), cwd: folder.data, detached: true, stdio: ['pipe', output, output] },
  )
  closeSync(output)
  // Closing the pipe of a watchdog that is already gone is no error.
  watchdog.stdin?.on('error', () => undefined)
  const exited = new Promise<void>((resolve) => {
    watchdog.once('exit', () => resolve())
    watchdog.once('error', () => resolve())
  })
  const stop = async (): Promise<void> => {
    watchdog.stdin?.end()
    await Promise.race([exited, delay(stopTimeoutMs, undefined, { ref: false })])
    await stopServersOn(folder.data, folder.socket)
  }
  return { process: watchdog, exited, stop }
}

const startLog = (folder: PostgresFolder): string => join(folder.log, 'start.log')

const untilReady = async (watchdog: ChildProcess, folder: PostgresFolder): Promise<void> => {
  let problem: string | undefined
  watchdog.once('error', (error) => (problem = error.message))
  watchdog.once('exit', (code, signal) => (problem ??= `it ended with ${signal ?? `code ${code}`}`))
  const deadline = Date.now() + startTimeoutMs
  while (!(await isServerReady(folder.data))) {
    if (Date.now() > deadline) problem = `it is not ready after ${startTimeoutMs / 1000} s`
    if (problem !== undefined)
      throw new Error(`PostgreSQL did not start: ${problem}.\n${await lastWords(folder)}`)
    await delay(pollMs)
  }
}

/** The end of what the server wrote, first to its standard error, then to its log. */
const lastWords = async (folder: PostgresFolder): Promise<string> => {
  const names = (await readdir(folder.log)).filter((name) => name.startsWith('postgres-'))
  const logs = await Promise.all(
    names.map(async (name) => ({
      path: join(folder.log, name),
      at: (await stat(join(folder.log, name))).mtimeMs,
    })),
  )
  const newest = logs.sort((a, b) => b.at - a.at)[0]?.path
  const texts = await Promise.all(
    [startLog(folder), ...(newest ? [newest] : [])].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  return texts.flatMap((text) => text.trim().split('\n').slice(-8)).join('\n')
}

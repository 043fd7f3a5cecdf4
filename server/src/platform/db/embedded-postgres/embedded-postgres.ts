import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../../base/startup-error.ts'
import { findBinaries } from './embedded-postgres-binaries.ts'
import {
  createDatabaseOnce,
  dataArgument,
  makeFolders,
  makeRootFolder,
  runAs,
  type PostgresFolder,
} from './embedded-postgres-folder.ts'
import { isServerReady, stopServersOn } from './embedded-postgres-leftovers.ts'
import { lockFolder } from './embedded-postgres-lock.ts'
import { connectionTo, requirePassword, type EmbeddedConnection } from './embedded-postgres-password.ts'
import { findServerUser, type ServerUser } from './embedded-postgres-user.ts'

export interface EmbeddedPostgresOptions {
  /** Folder for PostgreSQL alone; created when missing. Only one Zoetrope at a time may use it. */
  dataFolder: string
  log?: { info: (message: string) => void; warn: (message: string) => void }
  /** Settings of postgresql.conf that override the defaults below. */
  settings?: Readonly<Record<string, string>>
  /** Called when the server has been launched and is not ready yet: time for other work. */
  onLaunched?: () => void
}

export interface EmbeddedPostgres {
  /** Folder of the Unix socket; TCP is off. */
  socketFolder: string
  /** The superuser, whose password is in a file beside the data folder. */
  connectionOptions: EmbeddedConnection
  /**
   * Settles when the server is gone, whether stopped or crashed. A caller that did not call `stop` should end
   * its process.
   */
  exited: Promise<void>
  /** Ends sessions, writes a checkpoint and settles when no process is left. May be called twice. */
  stop: () => Promise<void>
}

/** Part of the socket's file name; no port is opened. */
const port = 5432
const pollMs = 10
/** Crash recovery reads at most `max_wal_size` of WAL: a longer start indicates a faulty disk. */
const startTimeoutMs = 300_000
/** Time for a clean stop before harder signals; it must cover writing a full buffer cache to a slow disk. */
const stopTimeoutMs = 30_000

/** A sixteenth of the memory of the machine or container: most of it is for encoding video. */
const bufferMegabytes = (): number => {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.max(128, Math.min(1_024, Math.floor(memoryBytes / 16 / 1024 ** 2)))
}

/** Tuned for one small machine that also encodes video. */
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
  // One file per weekday, overwritten a week later.
  logging_collector: 'on',
  log_filename: 'postgres-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  // Statements and key values of callers must not reach a log; the driver receives the error itself anyway.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
} as const

/**
 * Starts the PostgreSQL of the npm packages; the first start creates a database in UTF-8.
 *
 * It stops on `stop` or when this process ends in any way, also by SIGKILL. Ctrl-C in the terminal does not
 * reach it. An orphaned server on the folder is stopped first. Throws when another Zoetrope runs on the
 * folder, when no binaries exist for this platform, or with the message of a server that fails to start.
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
    const password = await requirePassword(binaries.postgres, folder, user)
    const launchedAt = new Date()
    const server = launch(binaries.postgres, folder, user, { ...ourSettings, ...settings })
    try {
      options.onLaunched?.()
      await untilReady(server.process, folder, launchedAt)
    } catch (error) {
      await server.stop()
      throw error
    }
    const stop = async (): Promise<void> => {
      await server.stop()
      lock.release()
    }
    let stopping: Promise<void> | undefined
    return {
      socketFolder: folder.socket,
      connectionOptions: connectionTo(folder.socket, password),
      exited: server.exited,
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Runs the server ("$@") and stops it when standard input ends, which happens when the parent process dies in
 * any way. The shell ignores signals to all processes of a service or container, because it must outlive the
 * server. The reader ignores them too, so it takes SIGKILL to stop it.
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
wait $reader 2>/dev/null
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
    // Relative where possible, for the same reason as dataArgument.
    unix_socket_directories: folder.socket === join(folder.root, 'socket') ? '../socket' : folder.socket,
    log_directory: relative(folder.data, folder.log),
  }
  const settingArgs = Object.entries({ ...settings, ...place }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // Uses a file, because a pipe would break when this process dies, while the server may still log.
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

const untilReady = async (
  watchdog: ChildProcess,
  folder: PostgresFolder,
  launchedAt: Date,
): Promise<void> => {
  let problem: string | undefined
  watchdog.once('error', (error) => (problem = error.message))
  watchdog.once('exit', (code, signal) => (problem ??= `it ended with ${signal ?? `code ${code}`}`))
  const deadline = Date.now() + startTimeoutMs
  while (!(await isServerReady(folder.data))) {
    if (Date.now() > deadline) problem = `it is not ready after ${startTimeoutMs / 1000} s`
    if (problem !== undefined)
      throw new StartupError(
        `PostgreSQL did not start: ${problem}. Its log is in ${folder.log}.\n${await lastWords(folder, launchedAt)}`,
      )
    await delay(pollMs)
  }
}

/** The file of the day also has the lines of earlier starts. */
const linesSince = (at: Date, text: string): string[] => {
  const since = at.toISOString().slice(0, 23).replace('T', ' ')
  const lines = text.split('\n')
  const first = lines.findIndex((line) => /^\d{4}-\d\d-\d\d /.test(line) && line.slice(0, 23) >= since)
  return first < 0 ? [] : lines.slice(first)
}

const lastWords = async (folder: PostgresFolder, launchedAt: Date): Promise<string> => {
  const names = (await readdir(folder.log)).filter((name) => name.startsWith('postgres-'))
  const logs = await Promise.all(
    names.map(async (name) => ({
      path: join(folder.log, name),
      at: (await stat(join(folder.log, name))).mtimeMs,
    })),
  )
  const newest = logs.sort((a, b) => b.at - a.at)[0]?.path
  const [ofStart = '', ofDay = ''] = await Promise.all(
    [startLog(folder), ...(newest ? [newest] : [])].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  return [ofStart.split('\n'), linesSince(launchedAt, ofDay)]
    .flatMap((lines) => lines.filter((line) => line !== '').slice(-8))
    .join('\n')
    .replaceAll('/proc/self/cwd', folder.data)
}

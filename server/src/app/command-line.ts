import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { forgetSecrets, loadConfig, type Config } from './config/config.ts'
import { ConfigError } from './config/settings/setting.ts'
import { FolderInUseError } from '../platform/db/embedded-postgres/embedded-postgres-lock.ts'
import { expectManyBuffers, releaseMemoryOfStart } from '../platform/base/garbage-collection.ts'
import { processRoles, type ProcessRole } from '../platform/db/process-roles/login.ts'
import { createLog, type Log } from '../platform/log/log.ts'
import { StartupError } from '../platform/base/startup-error.ts'
import { exitWithParent } from '../platform/base/supervise.ts'
import { clearStep, createTerminal, describeStart } from './first-start/terminal.ts'
import { startTracing } from './tracing/start-tracing.ts'
import type { RunningRole } from './roles/running-role.ts'
import { checkProcessKeys } from './roles/process-keys.ts'
import { addApiServices, buildServices, type Services } from './roles/services.ts'
import { localUrl, startTree } from './roles/tree.ts'

const usage = `Usage: ./zoetrope up
       ./zoetrope serve [--role api|worker|live]
       ./zoetrope migrate [--secrets <folder>] [--json]
       ./zoetrope worker --server <URL> --token-file <file> [--slots <number>]
       ./zoetrope doctor | accounts <verb> | worker-token <verb> | mail test <address> [--json]
       ./zoetrope keys rotate-links [--old-until <time>|now] [--json]
       ./zoetrope keys rotate-master [--json]
       ./zoetrope backup <folder> [--recipient <age1…>] [--json]
       ./zoetrope restore <folder> [--identity <file>] [--json]
       ./zoetrope process-keys <role> [--json]
       ./zoetrope database roles [--sql] [--json]

up and serve without a role start everything on this machine; --role starts one part of a cluster
(it requires an external DATABASE_URL). Settings: docs/settings.md.
`

const print = (text: string): void => {
  process.stdout.write(text)
}

/** Calls `stop` once on the first SIGINT or SIGTERM; a second one ends the process at once. */
const onSignals = (stop: () => Promise<void>): void => {
  let isStopping = false
  const handle = (): void => {
    if (isStopping) process.exit(130)
    isStopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Zoetrope did not stop cleanly: ${(error as Error).message}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  // The terminal was closed.
  process.on('SIGHUP', handle)
}

const runTree = async (config: Config, isTerminal: boolean): Promise<void> => {
  const terminal = isTerminal ? createTerminal(process.stdout) : null
  const logFile = config.logFile ?? (isTerminal ? join(config.dataFolder, 'zoetrope.log') : null)
  const effective = { ...config, logFile }
  terminal?.showStep('Zoetrope is starting')
  const log = await openLog(effective)
  const onStep = terminal?.showStep ?? ((step: string): void => print(`zoetrope: ${step}\n`))
  const tree = await startTree(effective, log, {
    isTerminal,
    onStep,
    environment: process.env,
    onDown: (role) => {
      terminal?.print(`The ${role} process crashed and restarts; see ${logFile ?? 'the log'}.`)
    },
  })
  let isStopping = false
  const stop = async (): Promise<void> => {
    isStopping = true
    terminal?.showStep('Stopping')
    await tree.stop()
    terminal?.clear()
  }
  onSignals(stop)
  tree.failed.catch(async (error: unknown) => {
    process.stderr.write(`Zoetrope is stopping: ${(error as Error).message}\n`)
    await tree.stop()
    process.exit(1)
  })
  await tree.ready
  releaseMemoryOfStart()
  if (terminal === null) print(`ready ${config.publicUrl}\n`)
  if (config.isDemoWanted) await addDemo(config, log, onStep)
  // People see the link when the sample video is there, so that its project always has the Id 1 of the guides.
  if (terminal !== null && !isStopping)
    for (const line of describeStart({ ...tree, publicUrl: config.publicUrl, logFile }, terminal.bold))
      terminal.print(line)
}

const addDemo = async (config: Config, log: Log, onStep: (step: string) => void): Promise<void> => {
  const { createDemo } = await import('./first-start/demo.ts')
  await createDemo({
    dataFolder: config.dataFolder,
    localUrl: localUrl(config),
    log,
    onBegin: () => onStep('Creating a project with a sample video'),
  }).catch((error: unknown) => log.warn({ err: error }, 'cannot create the demo project'))
}

const openLog = async (config: Config): Promise<Log> => {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  return createLog({
    level: config.logLevel,
    ...(config.logFile === null ? {} : { destination: config.logFile }),
  })
}

/** True if PostgreSQL was stopped or restarted: the next query opens a new connection. */
const isLostConnection = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return code === '57P01' || code === '57P03' || message === 'Connection terminated unexpectedly'
}

/** pg-boss removes its error listeners before it closes a connection, so a lost connection can raise an uncaught error. */
const surviveLostConnections = (log: Log): void => {
  process.on('uncaughtException', (error) => {
    if (isLostConnection(error)) return log.warn({ err: error }, 'lost a database connection')
    log.fatal({ err: error }, 'uncaught error; the process exits and is restarted')
    process.exit(1)
  })
}

/** Each process imports only its own role: loading the others would double its start time. */
const startRole = async (role: ProcessRole, services: Services): Promise<RunningRole> => {
  if (role === 'api') return (await import('./api/start-api.ts')).startApi(await addApiServices(services))
  await checkProcessKeys(services.database, services.secrets, role)
  return role === 'worker'
    ? (await import('./roles/worker.ts')).startWorker(services)
    : (await import('./roles/live.ts')).startLive(services)
}

const isRole = (role: string): role is ProcessRole => (processRoles as readonly string[]).includes(role)

const runRole = async (config: Config, role: ProcessRole): Promise<void> => {
  const connection =
    config.embeddedConnection ?? (config.databaseUrl === null ? null : { url: config.databaseUrl })
  if (connection === null)
    throw new ConfigError('--role requires DATABASE_URL: the embedded PostgreSQL serves only one machine')
  // When the supervisor is killed, the database stops too. Draining is pointless then, and the next start
  // needs the port. It may be gone before this process listens.
  if (config.supervisorId !== null && !process.connected) process.exit(1)
  exitWithParent(() => {})
  forgetSecrets()
  expectManyBuffers()
  const log = (await openLog(config)).child({ role })
  const stopTracing = await startTracing(config, role)
  const services = await buildServices(config, connection, log, { role })
  const running = await startRole(role, services)
  releaseMemoryOfStart()
  surviveLostConnections(log)
  const stop = async (): Promise<void> => {
    await running.stop(config.drainSeconds * 1000)
    await services.close()
    await stopTracing()
  }
  onSignals(stop)
}

/** Runs a remote worker, which has neither the settings nor the secrets of the installation. */
const runRemoteWorker = async (words: readonly string[]): Promise<void> => {
  const stopping = new AbortController()
  const { runRemoteWorkerCommand } = await import('./commands/remote-worker-command.ts')
  const run = runRemoteWorkerCommand(words, stopping.signal)
  onSignals(async () => {
    stopping.abort()
    await run
  })
  await run
}

/** Commands for operators, which work whether Zoetrope is running or not. */
const operatorCommands = new Set([
  ...[
    'doctor',
    'backup',
    'restore',
    'accounts',
    'keys',
    'mail',
    'migrate',
    'process-keys',
    'database',
    'worker-token',
  ],
])

const parseWords = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { role: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    const [sentence] = (error as Error).message.split('. To specify')
    throw new ConfigError(`${sentence}. Set settings in the environment: docs/settings.md.`)
  }
}

const main = async (): Promise<void> => {
  const [name = '', ...words] = process.argv.slice(2)
  if (operatorCommands.has(name)) {
    const { runCommand } = await import('./run-command.ts')
    process.exitCode = await runCommand(name, words, process)
    return
  }
  if (name === 'worker') return runRemoteWorker(words)
  const { values, positionals } = parseWords()
  const [command = 'help'] = positionals
  if (values.help === true || command === 'help') return print(usage)
  if (command !== 'up' && command !== 'serve') throw new ConfigError(`unknown command ${command}\n\n${usage}`)
  const { role } = values
  if (role !== undefined && !isRole(role))
    throw new ConfigError(`--role must be one of ${processRoles.join(', ')}, not "${role}"`)
  const config = loadConfig()
  if (role === undefined) await runTree(config, process.stdout.isTTY)
  else await runRole(config, role)
}

const textOf = (error: unknown): string => {
  const isExpected =
    error instanceof ConfigError || error instanceof FolderInUseError || error instanceof StartupError
  if (isExpected) return error.message
  const { code, message, stack } = error as Error & { readonly code?: string }
  if (isLostConnection(error) || code === 'CONNECTION_CLOSED')
    return `The database does not respond (${message}). Check it, then start this process again.`
  return stack ?? String(error)
}

/** Runs the command of `process.argv`. */
export const runCommandLine = async (): Promise<void> => {
  try {
    await main()
  } catch (error) {
    clearStep(process.stdout)
    process.stderr.write(`${textOf(error)}\n`)
    process.exit(error instanceof ConfigError ? 2 : 1)
  }
}

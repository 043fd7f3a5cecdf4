import { parseArgs } from 'node:util'
import { StartupError } from '../platform/base/startup-error.ts'
import { isLostConnection } from '../platform/db/driver/is-lost-connection.ts'
import { FolderInUseError } from '../platform/db/embedded-postgres/embedded-postgres-lock.ts'
import { processRoles, type ProcessRole } from '../platform/db/process-roles/login.ts'
import { loadConfig } from './config/config.ts'
import { explainIneffectiveSettings } from './config/explain-ineffective-settings.ts'
import { ConfigError } from './config/settings/setting.ts'
import { clearStep } from './first-start/terminal.ts'
import { onSignals } from './on-signals.ts'

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

const isRole = (role: string): role is ProcessRole => (processRoles as readonly string[]).includes(role)

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
  if (values.help === true || command === 'help') return void process.stdout.write(usage)
  if (command !== 'up' && command !== 'serve') throw new ConfigError(`unknown command ${command}\n\n${usage}`)
  const { role } = values
  if (role !== undefined && !isRole(role))
    throw new ConfigError(`--role must be one of ${processRoles.join(', ')}, not "${role}"`)
  const config = loadConfig()
  // The supervisor has already warned; its processes have the same environment.
  if (config.supervisorId === null)
    for (const sentence of explainIneffectiveSettings(process.env))
      process.stderr.write(`zoetrope: ${sentence}\n`)
  if (role === undefined) await (await import('./run-tree.ts')).runTree(config, process.stdout.isTTY)
  else await (await import('./run-role.ts')).runRole(config, role)
}

const textOf = (error: unknown): string => {
  const isExpected =
    error instanceof ConfigError || error instanceof FolderInUseError || error instanceof StartupError
  if (isExpected) return error.message
  const { code, message, stack } = error as Error & { readonly code?: string }
  if (isLostConnection(error) || code === 'CONNECTION_CLOSED')
    return `The database does not respond (${message}). Check it, then start this process again.`
  // For system errors, such as a full disk or a missing permission, the message is sufficient.
  if (error instanceof Error && 'syscall' in error) return message
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

import { parseArgs } from 'node:util'
import { BackupError, BackupInterrupted } from '../platform/backup/backup-manifest.ts'
import { loadConfig } from './config/config.ts'
import { ConfigError } from './config/settings/setting.ts'
import { FolderInUseError } from '../platform/db/embedded-postgres/embedded-postgres-lock.ts'
import { accountsCommand } from './commands/accounts-command.ts'
import { asCalled } from './commands/as-called.ts'
import { processKeys } from './commands/process-keys-command.ts'
import { createCommandOutput, type CommandOutput, type Surroundings } from './commands/command-output.ts'
import { keysCommand } from './commands/keys-command.ts'
import { databaseCommand } from './commands/database-command.ts'
import { mailCommand } from './commands/mail-command.ts'
import { migrateCommand } from './commands/migrate-command.ts'
import { doctor } from './commands/doctor/doctor.ts'
import { workerTokenCommand } from './commands/worker-token-command.ts'
import { StartupError } from '../platform/base/startup-error.ts'
import { untilInterrupted } from './on-signals.ts'

const usage = `Usage: ./zoetrope doctor [--json]
       ./zoetrope backup <folder> [--recipient <age1…>] [--json]
       ./zoetrope restore <folder> [--identity <file>] [--json]
       ./zoetrope migrate [--secrets <folder>] [--json]
       ./zoetrope accounts <verb> [--json]
       ./zoetrope worker-token <verb> [--json]
       ./zoetrope mail test <address> [--json]
       ./zoetrope process-keys <role> [--json]
       ./zoetrope database roles [--sql] [--json]
       ./zoetrope keys rotate-links [--old-until <time>|now] [--json]
       ./zoetrope keys rotate-master [--json]`

interface Options {
  readonly email?: string
  readonly recipient?: readonly string[]
  readonly identity?: string
  readonly 'old-until'?: string
  readonly secrets?: string
  readonly sql?: boolean
}

/** The command that takes each option. */
const commandOf: Readonly<Record<keyof Options, string>> = {
  email: 'accounts',
  recipient: 'backup',
  identity: 'restore',
  'old-until': 'keys',
  secrets: 'migrate',
  sql: 'database',
}

/** The other commands do without these modules, which encrypt and decrypt. */
const backupCommand = () => import('./commands/backup-command.ts')

const oneFolder = (command: string, positionals: readonly string[]): string => {
  const [folder, extra] = positionals
  if (folder === undefined || extra !== undefined)
    throw new ConfigError(`${command} takes one folder.\n${usage}`)
  return folder
}

const commands: Readonly<
  Record<
    string,
    (
      positionals: readonly string[],
      output: CommandOutput,
      env: NodeJS.ProcessEnv,
      options: Options,
    ) => Promise<boolean>
  >
> = {
  doctor: async (positionals, output, env) => {
    if (positionals.length > 0) throw new ConfigError(`doctor does not take a folder.\n${usage}`)
    return doctor(output, env)
  },
  backup: async (positionals, output, env, { recipient = [] }) => {
    const folder = oneFolder('backup', positionals)
    const { backUp } = await backupCommand()
    await untilInterrupted(
      (signal) => backUp(loadConfig(env), { folder, recipients: recipient }, output, signal),
      () => output.progress('stopping'),
    )
    return true
  },
  restore: async (positionals, output, env, { identity }) => {
    const folder = oneFolder('restore', positionals)
    const { restore } = await backupCommand()
    const isDatabaseChosen = env['DATABASE_URL'] !== undefined
    const words = { folder, identityFile: identity, isDatabaseChosen }
    await untilInterrupted(
      (signal) => restore(loadConfig(env), words, output, signal),
      () => output.progress('stopping'),
    )
    return true
  },
  keys: async (positionals, output, env, { 'old-until': oldUntil }) => {
    await keysCommand(positionals, oldUntil, output, env)
    return true
  },
  mail: async (positionals, output, env) => {
    await mailCommand(positionals, output, env)
    return true
  },
  migrate: async (positionals, output, env, { secrets }) => {
    await migrateCommand(positionals, secrets, output, env)
    return true
  },
  database: async (positionals, output, env, { sql = false }) => {
    await databaseCommand(positionals, sql, output, env)
    return true
  },
  'process-keys': async (positionals, output, env) => {
    await processKeys(loadConfig(env), positionals.length === 1 ? (positionals[0] ?? '') : '', output)
    return true
  },
  'worker-token': async (positionals, output, env) => {
    await workerTokenCommand(positionals, output, env)
    return true
  },
  accounts: async (positionals, output, env, { email }) => {
    await accountsCommand({ positionals, email }, output, env)
    return true
  },
}

/**
 * Runs an operator command on the machine of the installation. Exit codes: 0 success, 1 failure, 2 wrong
 * usage or settings, 130 interrupted.
 */
export const runCommand = async (
  name: string,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> => {
  const { env, stderr } = surroundings
  const isJson = words.includes('--json')
  try {
    let parsed
    try {
      parsed = parseArgs({
        args: [...words],
        allowPositionals: true,
        options: {
          json: { type: 'boolean' },
          help: { type: 'boolean', short: 'h' },
          email: { type: 'string' },
          recipient: { type: 'string', multiple: true },
          identity: { type: 'string' },
          'old-until': { type: 'string' },
          secrets: { type: 'string' },
          sql: { type: 'boolean' },
        },
      })
    } catch (error) {
      throw new ConfigError(`${(error as Error).message.split('. To specify')[0]}.\n${usage}`)
    }
    const { json: _json, help, ...options } = parsed.values
    if (help === true) {
      surroundings.stdout.write(`${asCalled(usage, env)}\n`)
      return 0
    }
    for (const option of Object.keys(options))
      if (commandOf[option as keyof Options] !== name)
        throw new ConfigError(`${name} does not take --${option}.\n${usage}`)
    const output = createCommandOutput(isJson, surroundings)
    const isFine = await commands[name]?.(parsed.positionals, output, env, options)
    return isFine === true ? 0 : 1
  } catch (error) {
    const isUsage = error instanceof ConfigError
    // For system errors, such as a full disk or a missing permission, the message is sufficient.
    const isOfSystem = error instanceof Error && 'syscall' in error
    const isExpected =
      isUsage ||
      isOfSystem ||
      [BackupError, FolderInUseError, StartupError].some((expected) => error instanceof expected)
    const exitCode = isUsage ? 2 : error instanceof BackupInterrupted ? 130 : 1
    const { stack } = error as Error
    const message = asCalled((error as Error).message, env)
    if (stderr.isTTY) stderr.write('\r\u001b[K')
    // Names in a backup are untrusted and may contain control characters.
    const text = (isExpected ? message : (stack ?? message)).replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ')
    stderr.write(
      isJson ? `${JSON.stringify({ Error: { ExitCode: exitCode, Message: message } })}\n` : `${text}\n`,
    )
    return exitCode
  }
}

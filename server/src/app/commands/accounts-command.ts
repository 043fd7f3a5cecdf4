import { loadConfig, type Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { createAccount } from '../../accounts/identity/accounts/create-account.ts'
import {
  listAccounts,
  setAccountEnabled,
  type AccountRecord,
} from '../../accounts/identity/accounts/account-store.ts'
import { loadOrCreateIssuer } from '../../accounts/identity/accounts/first-start.ts'
import { loadSigningKeys } from '../../accounts/identity/authentication/signing-keys.ts'
import { Problem } from '../../platform/base/problem.ts'
import { loadSecrets } from '../roles/services.ts'
import type { CommandOutput } from './command-output.ts'
import { tableText } from './table-text.ts'
import { withDatabase } from './with-database.ts'

export const accountsUsage = `Usage: ./zoetrope accounts list
       ./zoetrope accounts create <name> --email <address of its administrator>
       ./zoetrope accounts disable <id>
       ./zoetrope accounts enable <id>`

interface AccountsWords {
  readonly positionals: readonly string[]
  readonly email: string | undefined
}

const usageError = (sentence: string): ConfigError => new ConfigError(`${sentence}\n${accountsUsage}`)

const tableOf = (accounts: readonly AccountRecord[]): string =>
  tableText([
    ['ID', 'NAME', 'STATE', 'USERS', 'PROJECTS', 'BYTES'],
    ...accounts.map((one) => [
      String(one.Id),
      one.Name,
      one.IsEnabled ? 'enabled' : 'disabled',
      String(one.UserCount),
      String(one.ProjectCount),
      String(one.StorageBytes),
    ]),
  ])

const list = async (config: Config, output: CommandOutput): Promise<void> => {
  const accounts = await withDatabase(config, listAccounts)
  output.result({ Accounts: accounts }, tableOf(accounts))
}

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

const create = async (config: Config, output: CommandOutput, name: string, email?: string): Promise<void> => {
  if (name.trim() === '' || name.length > 255)
    throw usageError('The name of an account must have 1 to 255 characters.')
  if (email === undefined || !emailPattern.test(email) || email.length > 254)
    throw usageError('accounts create requires --email with the address of the first administrator.')
  const secrets = await loadSecrets(config)
  const created = await withDatabase(config, async (database) => {
    const keys = {
      signingKeys: await loadSigningKeys(database, secrets),
      issuer: await loadOrCreateIssuer(database),
    }
    return createAccount(database, keys, { name: name.trim(), email }).catch((error: unknown) => {
      throw error instanceof Problem ? new ConfigError(error.message) : error
    })
  })
  output.result(
    {
      Id: created.accountId,
      Name: name.trim(),
      Email: email,
      Password: created.password,
      ApiKey: created.apiKey,
    },
    `Account ${created.accountId} "${name.trim()}" is ready. Store both secrets now: they are not shown again.\n` +
      `  E-mail    ${email}\n  Password  ${created.password}\n  API key   ${created.apiKey}\n`,
  )
}

const setEnabled = async (
  config: Config,
  output: CommandOutput,
  idText: string,
  isEnabled: boolean,
): Promise<void> => {
  const id = Number(idText)
  if (!/^[1-9][0-9]{0,15}$/.test(idText) || !Number.isSafeInteger(id))
    throw usageError(`The id of an account must be a positive integer, not "${idText.slice(0, 40)}".`)
  const isFound = await withDatabase(config, (database) => setAccountEnabled(database, id, isEnabled))
  if (!isFound)
    throw new ConfigError(`Account ${id} does not exist. ./zoetrope accounts list shows all accounts.`)
  output.result(
    { Id: id, IsEnabled: isEnabled },
    isEnabled
      ? `Account ${id} is enabled: its users and API keys work again.\n`
      : `Account ${id} is disabled. Its users, API keys and encoders are refused within two seconds. Its published media still plays.\n`,
  )
}

/** Runs `accounts list|create|disable|enable` for the operator on the machine of the installation. */
export const accountsCommand = async (
  { positionals, email }: AccountsWords,
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const [verb, argument, extra] = positionals
  if (extra !== undefined || (email !== undefined && verb !== 'create'))
    throw usageError('Too many arguments. Quote a name that contains spaces.')
  if (verb === 'list' && argument === undefined) return list(loadConfig(env), output)
  if (argument !== undefined) {
    if (verb === 'create') return create(loadConfig(env), output, argument, email)
    if (verb === 'disable' || verb === 'enable')
      return setEnabled(loadConfig(env), output, argument, verb === 'enable')
  }
  throw usageError(
    verb === undefined ? 'accounts requires a verb.' : `accounts ${verb} is incomplete or unknown.`,
  )
}

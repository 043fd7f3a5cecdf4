import { createFirstAccount, type FirstCredentials } from '../../accounts/identity/accounts/first-start.ts'
import { createSignInLink } from '../../accounts/identity/sign-in-links/sign-in-links.ts'
import type { ConnectionOptions } from '../../platform/db/database.ts'
import { processRoles, type ProcessRole } from '../../platform/db/process-roles/login.ts'
import type { InstalledQueue } from '../../platform/jobs/install-queue.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../config/config.ts'
import { followPublicUrl, keepFirstCredentials } from '../first-start/first-credentials.ts'
import { prepareDatabase, prepareInstallation } from './prepare-database.ts'
import { isLimited, keyIdOf, keysFor } from './process-keys.ts'
import { environmentOf, roleConnections } from './role-connections.ts'
import { adoptPublicUrl, checkConnection, checkMigrations, loadSecrets } from './services.ts'

export interface PreparedStart {
  readonly firstCredentials: FirstCredentials | null
  /** For the user at the terminal. Null without a terminal. */
  readonly signInLink: string | null
  /** How each process reaches the database, and the keys of those that work without the master key. */
  readonly settings: Readonly<Record<ProcessRole, NodeJS.ProcessEnv>>
  /** The caller closes it. */
  readonly queue: InstalledQueue
}

/** Creates the first account before any role starts. */
const prepareAccount = (
  config: Config,
  connection: ConnectionOptions,
  log: Log,
  isTerminal: boolean,
): Promise<Pick<PreparedStart, 'firstCredentials' | 'signInLink'>> =>
  prepareInstallation(config, connection, log, async ({ database, signingKeys, issuer }) => {
    const formerUrl = await adoptPublicUrl(database, config.publicUrl)
    if (formerUrl !== null)
      log.info({ formerUrl, publicUrl: config.publicUrl }, 'updated the URLs in the records')
    await followPublicUrl(config.dataFolder, config.publicUrl)
    const firstCredentials = await createFirstAccount(database, signingKeys, issuer, (credentials) =>
      keepFirstCredentials(
        { dataFolder: config.dataFolder, publicUrl: config.publicUrl, isTerminal },
        credentials,
      ),
    )
    const signInLink = isTerminal ? await createSignInLink(database, config.publicUrl) : null
    return { firstCredentials, signInLink }
  })

/** Brings database and installation up to date, before any process works with them. */
export const prepareStart = async (
  config: Config,
  connection: ConnectionOptions,
  log: Log,
  { isTerminal, onStep }: { readonly isTerminal: boolean; readonly onStep: (step: string) => void },
): Promise<PreparedStart> => {
  await checkConnection(connection)
  if (config.migrations === 'manual') await checkMigrations(connection)
  const secrets = await loadSecrets(config)
  const keyId = keyIdOf('supervisor', secrets)
  const queue = await prepareDatabase({ ...connection, keyId }, log, ({ count, isFirst }) =>
    onStep(
      isFirst
        ? 'Setting up the tables of the database'
        : `Bringing the database up to date (${count} ${count === 1 ? 'change' : 'changes'}); with many records this takes minutes`,
    ),
  )
  try {
    const account = await prepareAccount(config, connection, log, isTerminal)
    // After the first use of the master key, which refuses a wrong one.
    const connections = await roleConnections(connection, secrets, config.databaseRoles, log)
    const settings = Object.fromEntries(
      processRoles.map((role) => [
        role,
        {
          ...environmentOf(connections[role]),
          ...(isLimited(role) ? { ZOETROPE_PROCESS_KEYS: keysFor(role, secrets) } : {}),
        },
      ]),
    ) as Record<ProcessRole, NodeJS.ProcessEnv>
    return { ...account, settings, queue }
  } catch (error) {
    await queue.close()
    throw error
  }
}

import { join } from 'node:path'
import { openConnection } from '../../platform/db/driver/connection.ts'
import type { ConnectionOptions } from '../../platform/db/database.ts'
import { takeSessionLock } from '../../platform/db/migrate.ts'
import { processRoles, type ProcessRole } from '../../platform/db/process-roles/login.ts'
import { createLog } from '../../platform/log/log.ts'
import { writeSecretFile } from '../../platform/base/secret-file.ts'
import type { Secrets } from '../../platform/base/secrets.ts'
import { StartupError } from '../../platform/base/startup-error.ts'
import { loadConfig, type Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { s3SettingsOf } from '../config/s3-settings.ts'
import { prepareDatabase, prepareInstallation } from '../roles/prepare-database.ts'
import { isLimited, keyIdOf, keysFor } from '../roles/process-keys.ts'
import { roleConnections } from '../roles/role-connections.ts'
import { adoptPublicUrl, checkConnection, loadSecrets } from '../roles/services.ts'
import { openDatabaseOf } from './database-of-backup.ts'
import type { CommandOutput } from './command-output.ts'

/** Any constant works while no other code uses this advisory lock. */
const commandLock = 7_304_012

interface Migrated {
  readonly hasNewBucket: boolean
  readonly applied: readonly string[]
  readonly connections: Readonly<Record<ProcessRole, ConnectionOptions>>
  readonly hasAccount: boolean
  /** Null if the URLs in the records have not changed. */
  readonly formerPublicUrl: string | null
}

const createMissingBucket = async (config: Config): Promise<boolean> => {
  if (config.storage !== 's3') return false
  // Loads the SDK only for installations that use S3.
  const { createBucket } = await import('../../platform/blobs/s3/create-bucket.ts')
  return createBucket(s3SettingsOf(config)).catch((error: unknown) => {
    throw new StartupError(`Cannot prepare the bucket ${config.s3Bucket}. ${(error as Error).message}`)
  })
}

const migrateAll = async (
  config: Config,
  where: ConnectionOptions,
  secrets: Secrets,
  output: CommandOutput,
): Promise<Migrated> => {
  const log = createLog({ level: 'warn' })
  await checkConnection(where)
  const lock = await openConnection(where)
  try {
    // The steps after the tables expect no other node to run them, too.
    await takeSessionLock(lock, commandLock)
    const { applied, close } = await prepareDatabase(
      { ...where, keyId: keyIdOf('supervisor', secrets) },
      log,
      ({ count }) => output.progress(`Applying ${count} migrations`),
    )
    await close()
    const prepared = await prepareInstallation(config, where, log, async ({ database }) => {
      const row = await database.kysely.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
      return {
        hasAccount: row !== undefined,
        // The default of this command is not the URL of the installation.
        formerPublicUrl: config.isPublicUrlSet ? await adoptPublicUrl(database, config.publicUrl) : null,
      }
    })
    return {
      applied,
      hasNewBucket: await createMissingBucket(config),
      connections: await roleConnections(where, secrets, config.databaseRoles, log),
      ...prepared,
    }
  } finally {
    lock.discard()
  }
}

/** Writes what each process needs in place of the owner's address and the master key. */
const writeProcessSecrets = async (
  folder: string,
  connections: Migrated['connections'],
  secrets: Secrets,
): Promise<void> => {
  for (const role of processRoles) {
    const connection = connections[role]
    if ('url' in connection) await writeSecretFile(join(folder, role, 'database-url'), `${connection.url}\n`)
    if (isLimited(role))
      await writeSecretFile(join(folder, role, 'process-keys'), `${keysFor(role, secrets)}\n`)
  }
}

const textOf = ({ applied, hasNewBucket, hasAccount, formerPublicUrl }: Migrated): string =>
  [
    applied.length === 0
      ? 'The database is up to date.'
      : `Applied ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}: ${applied.join(', ')}.`,
    ...(hasNewBucket ? ['Created the bucket.'] : []),
    ...(formerPublicUrl === null
      ? []
      : [`Updated the URLs in the records, which began with ${formerPublicUrl}.`]),
    ...(hasAccount
      ? []
      : ['There is no account yet. `./zoetrope accounts create` or the first `./zoetrope up` creates one.']),
  ]
    .map((line) => `${line}\n`)
    .join('')

/**
 * Prepares the database for this release, before its processes start: tables, job queue, keys, logins and their rights.
 * A second run changes nothing, and one that starts meanwhile waits.
 */
export const migrateCommand = async (
  positionals: readonly string[],
  secretsFolder: string | undefined,
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  if (positionals.length > 0) throw new ConfigError('Usage: ./zoetrope migrate [--secrets <folder>]')
  const config = loadConfig(env)
  if (secretsFolder !== undefined && config.databaseUrl === null)
    throw new ConfigError('--secrets requires DATABASE_URL: the embedded PostgreSQL serves only one machine.')
  const secrets = await loadSecrets(config)
  const opened = await openDatabaseOf(config)
  try {
    const migrated = await migrateAll(config, opened.connection, secrets, output)
    if (secretsFolder !== undefined) await writeProcessSecrets(secretsFolder, migrated.connections, secrets)
    output.result(
      { Applied: migrated.applied, HasNewBucket: migrated.hasNewBucket, HasAccount: migrated.hasAccount },
      textOf(migrated),
    )
  } finally {
    await opened.stop()
  }
}

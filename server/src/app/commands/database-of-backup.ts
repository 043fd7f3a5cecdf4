import { join } from 'node:path'
import { BackupError, type BackupManifest } from '../../platform/backup/backup-manifest.ts'
import { checkMayRestore } from '../../platform/backup/restore-backup.ts'
import type { OpenedDatabase } from '../../platform/backup/write-backup.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { openConnection, type ConnectionOptions } from '../../platform/db/driver/connection.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { runningServerOn } from '../../platform/db/embedded-postgres/embedded-postgres-password.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { installQueue } from '../../platform/jobs/install-queue.ts'
import { createLog } from '../../platform/log/log.ts'
import { jobDefinitions } from '../roles/job-definitions.ts'
import { databaseUnreachable } from '../roles/services.ts'

const answers = async (connection: ConnectionOptions): Promise<boolean> => {
  try {
    const probe = await openConnection(connection)
    probe.discard()
    return true
  } catch {
    return false
  }
}

/** Throws a StartupError when the database does not respond. */
const openExternal = async (url: string): Promise<OpenedDatabase> => {
  const probe = await openConnection({ url }).catch((error: unknown) => {
    throw databaseUnreachable(error)
  })
  probe.discard()
  return { connection: { url }, stop: async () => {} }
}

const startOn = async (dataFolder: string): Promise<OpenedDatabase> => {
  const postgres = await startEmbeddedPostgres({ dataFolder: join(dataFolder, 'postgres') })
  return { connection: postgres.connectionOptions, stop: () => postgres.stop() }
}

/** Opens the database of a running installation, or starts it until the caller stops it. */
export const openDatabaseOf = async (config: Config): Promise<OpenedDatabase> => {
  if (config.databaseUrl !== null) return openExternal(config.databaseUrl)
  if (config.embeddedConnection !== null)
    return { connection: config.embeddedConnection, stop: async () => {} }
  const running = await runningServerOn(join(config.dataFolder, 'postgres'))
  if (running !== null && (await answers(running))) return { connection: running, stop: async () => {} }
  return startOn(config.dataFolder)
}

const checkExternal = async (connection: ConnectionOptions): Promise<void> => {
  const probe = await openConnection(connection)
  try {
    const [row] = await probe.rows<{ isFilled: boolean }>(
      `select exists (select from pg_class where relnamespace = current_schema()::regnamespace) as "isFilled"`,
    )
    if (row?.isFilled === true)
      throw new BackupError(
        'The database in DATABASE_URL is not empty. A backup can only be restored into an empty database.',
      )
    await checkMayRestore(probe)
  } finally {
    probe.discard()
  }
}

/**
 * Opens a database with the tables of the backup, as created by its migrations, and those of the job queue.
 */
export const openEmptyDatabase = async (
  config: Config,
  folder: string,
  { Migrations, Version }: BackupManifest,
): Promise<OpenedDatabase> => {
  const opened = config.databaseUrl === null ? await startOn(folder) : await openExternal(config.databaseUrl)
  if (config.databaseUrl !== null) await checkExternal(opened.connection)
  try {
    const database = openDatabase(opened.connection, { maxConnections: 2 })
    try {
      await migrate(database, Migrations.at(-1)?.Name)
      const made = await database.sql<{ name: string; checksum: string }[]>`
        select name, checksum from schema_migrations order by name`
      const isSame =
        made.length === Migrations.length &&
        made.every((one, index) => one.checksum === Migrations[index]?.Checksum)
      if (!isSame)
        throw new ConfigError(
          `Zoetrope ${Version} made the backup. It is newer than this version or a different build. Restore the backup with it.`,
        )
    } finally {
      await database.close()
    }
    const queue = await installQueue({
      connection: opened.connection,
      definitions: jobDefinitions,
      log: createLog({ level: 'silent' }),
    })
    await queue.close()
    return opened
  } catch (error) {
    await opened.stop()
    throw error
  }
}

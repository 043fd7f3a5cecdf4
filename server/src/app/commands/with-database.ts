import { exists } from '../../platform/backup/copy-files.ts'
import { openDatabase, type Database } from '../../platform/db/database.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { openDatabaseOf } from './database-of-backup.ts'

/** Connects as the owner of the database, for commands of the operator. */
export const withDatabase = async <T>(
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  if (config.databaseUrl === null && !(await exists(config.dataFolder)))
    throw new ConfigError(
      `The data folder ${config.dataFolder} does not exist. Set ZOETROPE_DATA to another folder.`,
    )
  const opened = await openDatabaseOf(config)
  const database = openDatabase(opened.connection, { maxConnections: 1 })
  try {
    return await work(database)
  } catch (error) {
    // The table or column is missing: an older version set up the database, or it is empty.
    if (['42P01', '42703'].includes((error as { code?: string }).code ?? ''))
      throw new ConfigError('The database is not set up for this version. Run ./zoetrope up once.')
    throw error
  } finally {
    await database.close()
    await opened.stop()
  }
}

import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import type { Installation } from './installation.ts'

/** Connects to the database of an installation as its owner while `use` runs. */
export const withDatabase = async <T>(
  { connection }: Pick<Installation, 'connection'>,
  use: (database: Database) => Promise<T>,
): Promise<T> => {
  const database = openDatabase(await connection(), { maxConnections: 3 })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

import { openConnection, type ConnectionOptions } from '../driver/connection.ts'

/** Returns why this database cannot store all texts, or null. An `initdb` without a locale makes SQL_ASCII the default. */
export const findWrongEncoding = async (where: ConnectionOptions): Promise<string | null> => {
  const connection = await openConnection(where)
  try {
    const [row] = await connection.rows<{ encoding: string }>(
      `select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
    )
    return row === undefined || row.encoding === 'UTF8'
      ? null
      : `The database has the encoding ${row.encoding}; Zoetrope needs UTF8. Create it again: create database … encoding 'UTF8' template template0.`
  } finally {
    connection.discard()
  }
}

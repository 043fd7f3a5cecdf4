import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import type postgres from 'postgres'
import type { Database } from './database.ts'

const migrationsFolder = new URL('../../../migrations/', import.meta.url)
/** Any constant works as long as nothing else takes this advisory lock. */
const migrationLock = 7_304_001

/**
 * Applies the SQL files of `server/migrations` that this database has not seen, in order, each in its own transaction. Safe to
 * call from many processes at once. Throws when a file that was applied has changed since: migrations go forward only.
 */
export const migrate = async (database: Database): Promise<string[]> => {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
  const applied: string[] = []
  const connection = await database.sql.reserve()
  try {
    await connection`select pg_advisory_lock(${migrationLock})`
    await connection`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    const rows = await connection<
      { name: string; checksum: string }[]
    >`select name, checksum from schema_migrations`
    const known = new Map(rows.map((row) => [row.name, row.checksum]))
    for (const name of names) {
      const text = await readFile(new URL(name, migrationsFolder), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      const before = known.get(name)
      if (before === checksum) continue
      if (before !== undefined) throw new Error(`migration ${name} was changed after it had been applied`)
      await applyOne(connection, name, text, checksum)
      applied.push(name)
    }
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`
    connection.release()
  }
  return applied
}

const applyOne = async (
  connection: postgres.ReservedSql<Record<string, unknown>>,
  name: string,
  text: string,
  checksum: string,
): Promise<void> => {
  await connection`begin`
  try {
    await connection.unsafe(text)
    await connection`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
    await connection`commit`
  } catch (error) {
    await connection`rollback`
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

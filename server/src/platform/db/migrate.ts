import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { enableRowLevelSecurity } from './row-level-security.ts'
import { isServerError, type Connection } from './driver/connection.ts'
import type { Database } from './database.ts'
import { StartupError } from '../base/startup-error.ts'

const migrationsFolder = new URL('../../../migrations/', import.meta.url)
/** Key of the advisory lock; any constant works while no other code uses it. */
const migrationLock = 7_304_001
const lockPollMs = 100

const migrationNames = async (): Promise<string[]> =>
  (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()

/**
 * First line of a migration that builds indexes on large tables. Its statements run one by one, because
 * PostgreSQL builds no index concurrently in a transaction. An attempt that failed may have left something, so
 * each statement must bear a repetition.
 */
const concurrentMark = '-- Concurrently:'

/**
 * Takes an advisory lock for the session. Polls: a statement that waits for the lock would have a snapshot, and a
 * concurrent build of an index waits for those of all others.
 */
export const takeSessionLock = async (connection: Connection, key: number): Promise<void> => {
  for (;;) {
    const [row] = await connection.rows<{ isTaken: boolean }>(
      'select pg_try_advisory_lock($1) as "isTaken"',
      [key],
    )
    if (row?.isTaken === true) return
    await delay(lockPollMs)
  }
}

/**
 * Applies the SQL files of `server/migrations` that this database lacks, in order, each in its own
 * transaction. Many processes may call it at once. Throws when an applied file has changed since, or a newer
 * release has applied further ones: migrations only go forward. `last` is the last migration to apply, for tests with old rows. `onPending` is called
 * before pending migrations are applied.
 */
export const migrate = async (
  database: Database,
  last?: string,
  onPending: (pending: { readonly count: number; readonly isFirst: boolean }) => void = () => {},
): Promise<string[]> => {
  const all = await migrationNames()
  const names = all.filter((name) => last === undefined || name <= last)
  return database.onOneConnection(async (connection) => {
    const applied: string[] = []
    await takeSessionLock(connection, migrationLock)
    try {
      await connection.query(`create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
      const rows = await connection.rows<{ name: string; checksum: string }>(
        'select name, checksum from schema_migrations',
      )
      const known = new Map(rows.map((row) => [row.name, row.checksum]))
      const newer = findNewer(all, known.keys())
      // This release would take the rights on newer tables from the processes of the newer release.
      if (newer !== null) throw new StartupError(newerDatabase(newer))
      const count = names.filter((name) => !known.has(name)).length
      if (count > 0) onPending({ count, isFirst: known.size === 0 })
      const texts = await Promise.all(names.map((name) => readFile(new URL(name, migrationsFolder), 'utf8')))
      for (const [index, name] of names.entries()) {
        const text = texts[index] ?? ''
        const checksum = createHash('sha256').update(text).digest('hex')
        const before = known.get(name)
        if (before === checksum) continue
        if (before !== undefined) throw changedAfterwards(name)
        if (text.startsWith(concurrentMark)) await applyStatements(connection, name, text, checksum)
        else await applyOne(connection, name, text, checksum)
        applied.push(name)
      }
      await enableRowLevelSecurity(connection)
    } finally {
      // A lost connection has already released its lock.
      await connection
        .query('select pg_advisory_unlock($1)', [migrationLock])
        .catch(() => connection.discard())
    }
    return applied
  })
}

/** The newest applied migration, if only a newer release has it. */
const findNewer = (names: readonly string[], applied: Iterable<string>): string | null => {
  const newest = [...applied].sort().at(-1)
  return newest !== undefined && newest > (names.at(-1) ?? '') ? newest : null
}

const newerDatabase = (migration: string): string =>
  `The database is from a newer release of Zoetrope, which has applied migration ${migration}. Start that release, or restore a backup of this one.`

const changedAfterwards = (name: string): StartupError =>
  new StartupError(
    `Migration ${name} was changed after this database had applied it. Restore the file and put the change into a new migration; if the file is your own draft, start with an empty database instead.`,
  )

/**
 * Returns the number of pending migrations; `isFirst` is true when none was applied yet, `newer` is the newest one
 * if a newer release has applied it.
 */
export const pendingMigrations = async (
  connection: Connection,
): Promise<{ readonly count: number; readonly isFirst: boolean; readonly newer: string | null }> => {
  const [table] = await connection.rows<{ isThere: boolean }>(
    `select to_regclass('schema_migrations') is not null as "isThere"`,
  )
  const rows =
    table?.isThere === true
      ? await connection.rows<{ name: string }>('select name from schema_migrations')
      : []
  const known = new Set(rows.map(({ name }) => name))
  const names = await migrationNames()
  return {
    count: names.filter((name) => !known.has(name)).length,
    isFirst: known.size === 0,
    newer: findNewer(names, known),
  }
}

/** Statements of running processes wait behind a migration that waits for a lock. */
const lockTimeoutMs = 1_000
const maxLockTries = 60

/** Another transaction uses the table, or waits for a lock that the migration holds. */
const isLockConflict = (error: unknown): boolean =>
  isServerError(error) && (error.code === '55P03' || error.code === '40P01')

const applyOne = async (
  connection: Connection,
  name: string,
  text: string,
  checksum: string,
  tries = 1,
): Promise<void> => {
  await connection.query('begin')
  try {
    await connection.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await connection.query(text)
    await connection.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await connection.query('commit')
  } catch (error) {
    await connection.rollback()
    if (!isLockConflict(error) || tries === maxLockTries)
      throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
    await delay(lockTimeoutMs)
    await applyOne(connection, name, text, checksum, tries + 1)
  }
}

const applyStatements = async (
  connection: Connection,
  name: string,
  text: string,
  checksum: string,
): Promise<void> => {
  try {
    for (const statement of text.split(/;\n/)) if (statement.trim() !== '') await connection.query(statement)
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
  await connection.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}

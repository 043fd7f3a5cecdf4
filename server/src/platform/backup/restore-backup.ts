import { chmod, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openConnection, type Connection } from '../db/driver/connection.ts'
import { BackupError, BackupInterrupted, readManifest, type BackupManifest } from './backup-manifest.ts'
import { openSource, type BackupSource } from './backup-source.ts'
import { verifyChecksums } from './checksums.ts'
import { exists, isEmptyOrMissing } from './copy-files.ts'
import { emptyTables, listTables, loadTable, queueVersion, setSequences } from './copy-tables.ts'
import type { OpenedDatabase } from './write-backup.ts'
import {
  dataPart,
  inProgressFolders,
  halfRestored,
  mediaFolder,
  smallFiles,
  unfinishedRestore,
} from './data-folder.ts'
import { cannotUse, undo } from './undo.ts'

export interface RestoreOptions {
  readonly folder: string
  readonly dataFolder: string
  /** Private keys of age. Null = the backup must not be encrypted. */
  readonly identities: readonly string[] | null
  /**
   * Opens an empty database with the schema of the backup's migrations and the tables of the job queue. The
   * caller calls `stop` after filling it. The embedded database is in the given folder.
   */
  readonly openDatabase: (unfinishedFolder: string, manifest: BackupManifest) => Promise<OpenedDatabase>
  /**
   * Throws BackupError when the settings contain another key, or when both the settings and the backup have
   * none.
   */
  readonly checkMasterKey: (manifest: BackupManifest, hasKeyFile: boolean) => void
  /** Gets the content of the backup's `zoetrope.config`. Throws BackupError when the restore contradicts it. */
  readonly checkSettings: (text: string) => void
  /** When it aborts, the restore removes what it has written and throws BackupInterrupted. */
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

/**
 * Must run before anything is written: after a failed attempt, the database with our tables is no longer
 * empty.
 */
export const checkMayRestore = (connection: Connection): Promise<void> =>
  connection.query('set session_replication_role = replica').then(
    () => {},
    async (error: unknown) => {
      const [row] = await connection.rows<{ name: string }>('select current_user as name')
      throw new BackupError(
        `The database user cannot disable triggers, which a restore requires (${(error as Error).message}). Restore as a superuser, or have a superuser run: grant set on parameter session_replication_role to ${row?.name}`,
      )
    },
  )

const sameColumns = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name))

const checkTables = async (connection: Connection, manifest: BackupManifest): Promise<void> => {
  const there = new Map(
    (await listTables(connection)).map((table) => [`${table.Schema}.${table.Name}`, table]),
  )
  const different = manifest.Tables.filter(({ Schema, Name, Columns }) => {
    const table = there.get(`${Schema}.${Name}`)
    return table === undefined || !sameColumns(table.Columns, Columns)
  })
  const isComplete = there.size === manifest.Tables.length
  if (different.length > 0 || !isComplete || (await queueVersion(connection)) !== manifest.QueueVersion)
    throw new BackupError(
      `Zoetrope ${manifest.Version} made the backup, with different tables. Restore it with that version, then upgrade.`,
    )
}

const fillDatabase = async (
  connection: Connection,
  source: BackupSource,
  manifest: BackupManifest,
  options: RestoreOptions,
): Promise<void> => {
  const run = (text: string) => connection.query(text)
  await checkTables(connection, manifest)
  await run('begin')
  // The rows are already consistent, so triggers and foreign keys stay off.
  await run('set local session_replication_role = replica')
  await emptyTables(connection, await listTables(connection))
  for (const [index, table] of manifest.Tables.entries()) {
    options.onProgress(`database, table ${index + 1} of ${manifest.Tables.length}`)
    await loadTable(connection, table, source)
  }
  await setSequences(connection, manifest.Sequences)
  await run('commit')
  // The planner needs statistics, which a backup does not contain.
  await run('analyze')
}

const fillDataFolder = async (
  options: RestoreOptions,
  source: BackupSource,
  manifest: BackupManifest,
  target: string,
): Promise<void> => {
  const { onProgress } = options
  onProgress('media')
  await source.restoreUnchanging(join(dataPart, mediaFolder), join(target, mediaFolder))
  for (const path of inProgressFolders)
    await source.restoreInProgress(join(dataPart, path), join(target, path))
  for (const name of smallFiles)
    // The backup may come from a disk without permissions.
    if (await source.restoreFile(join(dataPart, name), join(target, name)))
      await chmod(join(target, name), 0o600)
  const database = await options.openDatabase(target, manifest)
  try {
    const connection = await openConnection(database.connection)
    const discard = (): void => connection.discard()
    options.signal.addEventListener('abort', discard)
    try {
      await fillDatabase(connection, source, manifest, options)
    } finally {
      options.signal.removeEventListener('abort', discard)
      discard()
    }
  } finally {
    await database.stop()
  }
}

/**
 * Checks everything first, then fills the data folder, which must be missing or empty. Leaves it empty on
 * failure.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<BackupManifest> => {
  const { folder, dataFolder, signal } = options
  const onProgress = (line: string): void => {
    signal.throwIfAborted()
    options.onProgress(line)
  }
  const source = await openSource(folder, options.identities, signal)
  const manifest = await readManifest(folder, source.readText)
  const target = join(dataFolder, unfinishedRestore)
  if (await exists(target)) throw new BackupError(halfRestored(dataFolder))
  const isEmpty = await isEmptyOrMissing(dataFolder).catch((error: unknown) => {
    throw cannotUse(dataFolder, error)
  })
  if (!isEmpty)
    throw new BackupError(
      `${dataFolder} is not empty. A backup can only be restored into an empty data folder. Move this one away, or set ZOETROPE_DATA to another.`,
    )
  await verifyChecksums(folder, manifest.ChecksumsSha256, (bytes) =>
    onProgress(`checking, ${Math.floor((100 * bytes) / Math.max(1, manifest.SizeBytes))} %`),
  ).catch((error: unknown) => {
    throw signal.aborted
      ? new BackupInterrupted('The restore was interrupted. It has not written anything.')
      : error
  })
  options.checkMasterKey(manifest, await source.has(join(dataPart, 'master.key')))
  const settingsPath = join(dataPart, 'zoetrope.config')
  if (await source.has(settingsPath)) options.checkSettings(await source.readText(settingsPath))
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 })
    await mkdir(target, { mode: 0o700 })
  } catch (error) {
    throw cannotUse(dataFolder, error)
  }
  try {
    await fillDataFolder({ ...options, onProgress }, source, manifest, target)
  } catch (error) {
    throw await undo(error, { what: 'restore', signal, paths: [target] })
  }
  for (const name of await readdir(target)) await rename(join(target, name), join(dataFolder, name))
  await rmdir(target)
  return manifest
}

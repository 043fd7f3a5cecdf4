import { mkdir, readdir, realpath, rmdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { openConnection, type Connection, type ConnectionOptions } from '../db/driver/connection.ts'
import {
  BackupError,
  checksumsFile,
  manifestFile,
  sha256OfFile,
  type BackupManifest,
} from './backup-manifest.ts'
import { writeChecksums } from './checksums.ts'
import { createEncryptedTarget, createPlainTarget, type BackupTarget } from './backup-target.ts'
import { exists, isEmptyOrMissing } from './copy-files.ts'
import { dumpTable, listSequences, listTables, queueVersion } from './copy-tables.ts'
import { databasePart, dataPart, inProgressFolders, mediaFolder, smallFiles } from './data-folder.ts'
import { encryptedSuffix } from './encryption.ts'
import { cannotUse, undo } from './undo.ts'

export interface OpenedDatabase {
  readonly connection: ConnectionOptions
  readonly stop: () => Promise<void>
}

export interface BackupOptions {
  readonly dataFolder: string
  /** Target folder: missing or empty, and not inside the data folder. */
  readonly folder: string
  readonly openDatabase: () => Promise<OpenedDatabase>
  readonly version: string
  readonly isMediaOnDisk: boolean
  readonly masterKeyFingerprint: string
  /** Public keys of age identities. None = the backup is not encrypted. */
  readonly recipients: readonly string[]
  /** When it aborts, the backup removes what it has written and throws BackupInterrupted. */
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

/** Creates the folder, which only this backup fills from now on. Returns whether it was missing. */
const makeFolder = async (folder: string, dataFolder: string): Promise<boolean> => {
  const isEmpty = await isEmptyOrMissing(folder).catch((error: unknown) => {
    throw cannotUse(folder, error)
  })
  if (!isEmpty)
    throw new BackupError(
      (await isIncomplete(folder))
        ? `${folder} contains a backup that was interrupted or is still running. If none is running, delete the folder.`
        : `${folder} is not empty. Use a separate folder for each backup.`,
    )
  const isNew = !(await exists(folder))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await checkIsOutside(folder, dataFolder)
    // Fails when another backup has just begun there.
    await mkdir(join(folder, databasePart), { mode: 0o700 })
  } catch (error) {
    if (isNew) await rmdir(folder).catch(() => {})
    throw error instanceof BackupError ? error : cannotUse(folder, error)
  }
  return isNew
}

/** A backup begins with the folder `database` and ends with the manifest. */
const isIncomplete = async (folder: string): Promise<boolean> => {
  const has = (name: string): Promise<boolean> => exists(join(folder, name))
  if ((await has(manifestFile)) || (await has(`${manifestFile}${encryptedSuffix}`))) return false
  return has(databasePart)
}

const checkIsOutside = async (folder: string, dataFolder: string): Promise<void> => {
  if (`${await realpath(folder)}${sep}`.startsWith(`${await realpath(dataFolder)}${sep}`))
    throw new BackupError(
      `${folder} is inside the data folder, so one disk failure would destroy both. Choose another folder.`,
    )
}

const migrationsOf = (connection: Connection): Promise<BackupManifest['Migrations']> =>
  connection.rows('select name as "Name", checksum as "Checksum" from schema_migrations order by name')

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`

/**
 * Copies the whole installation as of one instant, while it keeps working. Links media twice: before the
 * database snapshot opens and after it. Every blob that the rows name existed at that instant, so one of the
 * two passes found it. Extra files are harmless. A backup that fails removes what it has written.
 */
export const writeBackup = async (options: BackupOptions): Promise<BackupManifest> => {
  const { dataFolder, folder, recipients, signal } = options
  const target =
    recipients.length > 0
      ? createEncryptedTarget(folder, recipients, signal)
      : createPlainTarget(folder, signal)
  const isNew = await makeFolder(folder, dataFolder)
  try {
    try {
      return await fillFolder(options, target)
    } finally {
      await target.close()
    }
  } catch (error) {
    throw await undo(error, {
      what: 'backup',
      signal,
      paths: isNew ? [folder] : (await readdir(folder)).map((name) => join(folder, name)),
    })
  }
}

const fillFolder = async (options: BackupOptions, target: BackupTarget): Promise<BackupManifest> => {
  const { dataFolder, folder, signal } = options
  const onProgress = (line: string): void => {
    signal.throwIfAborted()
    options.onProgress(line)
  }
  const addMedia = async (): Promise<void> => {
    if (options.isMediaOnDisk)
      await target.addUnchanging(join(dataFolder, mediaFolder), join(dataPart, mediaFolder))
  }
  onProgress('collecting media')
  await addMedia()
  for (const path of inProgressFolders)
    await target.holdInProgress(join(dataFolder, path), join(dataPart, path))

  const database = await options.openDatabase()
  const connection = await openConnection(database.connection).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  try {
    await connection.query('begin isolation level repeatable read read only')
    // The first statement defines the snapshot.
    const Migrations = await migrationsOf(connection)
    await addMedia()
    for (const path of inProgressFolders)
      await target.addInProgress(join(dataFolder, path), join(dataPart, path))
    const Tables = await listTables(connection)
    for (const [index, table] of Tables.entries()) {
      onProgress(`database, table ${index + 1} of ${Tables.length}`)
      await dumpTable(connection, table, target)
    }
    const Sequences = await listSequences(connection)
    const [postgres] = await connection.rows<{ version: string }>(
      `select current_setting('server_version') as version`,
    )
    const QueueVersion = await queueVersion(connection)
    await connection.query('commit')

    for (const name of smallFiles) await target.addFile(join(dataFolder, name), join(dataPart, name))
    const { fileCount, sizeBytes } = await writeChecksums(folder, (done) =>
      onProgress(`checksums, ${megabytes(done)}`),
    )
    const manifest: BackupManifest = {
      Format: 1,
      CreatedAt: new Date().toISOString(),
      Version: options.version,
      PostgresVersion: postgres?.version ?? '',
      Migrations,
      QueueVersion,
      Tables,
      Sequences,
      Media: options.isMediaOnDisk ? 'folder' : 's3',
      MasterKeyFingerprint: options.masterKeyFingerprint,
      FileCount: fileCount,
      SizeBytes: sizeBytes,
      ChecksumsSha256: await sha256OfFile(join(folder, checksumsFile)),
    }
    await target.write(manifestFile, Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]))
    return manifest
  } finally {
    connection.discard()
    await database.stop()
  }
}

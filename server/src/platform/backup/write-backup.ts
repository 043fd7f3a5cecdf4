import { mkdir, realpath } from 'node:fs/promises'
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
import { createEncryptedTarget, createPlainTarget } from './backup-target.ts'
import { isEmptyOrMissing } from './copy-files.ts'
import { dumpTable, listSequences, listTables, queueVersion } from './copy-tables.ts'
import { dataPart, inProgressFolders, mediaFolder, smallFiles } from './data-folder.ts'

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
  readonly onProgress: (line: string) => void
}

const prepareFolder = async (folder: string, dataFolder: string): Promise<void> => {
  if (!(await isEmptyOrMissing(folder)))
    throw new BackupError(`${folder} is not empty. Use a separate folder for each backup.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (`${await realpath(folder)}${sep}`.startsWith(`${await realpath(dataFolder)}${sep}`))
    throw new BackupError(
      `${folder} is inside the data folder, so one disk failure would destroy both. Choose another folder.`,
    )
  await mkdir(join(folder, 'database'), { mode: 0o700 })
}

const migrationsOf = (connection: Connection): Promise<BackupManifest['Migrations']> =>
  connection.rows('select name as "Name", checksum as "Checksum" from schema_migrations order by name')

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`

/**
 * Copies the whole installation as of one instant, while it keeps working. Links media twice: before the
 * database snapshot opens and after it. Every blob that the rows name existed at that instant, so one of the
 * two passes found it. Extra files are harmless.
 */
export const writeBackup = async (options: BackupOptions): Promise<BackupManifest> => {
  const { dataFolder, folder, onProgress } = options
  const isEncrypted = options.recipients.length > 0
  const target = isEncrypted ? createEncryptedTarget(folder, options.recipients) : createPlainTarget(folder)
  await prepareFolder(folder, dataFolder)
  const addMedia = async (): Promise<void> => {
    if (options.isMediaOnDisk)
      await target.addUnchanging(join(dataFolder, mediaFolder), join(dataPart, mediaFolder))
  }
  onProgress('collecting media')
  await addMedia()
  for (const path of inProgressFolders)
    await target.holdInProgress(join(dataFolder, path), join(dataPart, path))

  const database = await options.openDatabase()
  const connection = await openConnection(database.connection)
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
    await target.close()
    connection.discard()
    await database.stop()
  }
}

import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { BackupError, type BackupManifest } from '../../platform/backup/backup-manifest.ts'
import { exists } from '../../platform/backup/copy-files.ts'
import { readIdentities } from '../../platform/backup/encryption.ts'
import { restoreBackup } from '../../platform/backup/restore-backup.ts'
import { writeBackup } from '../../platform/backup/write-backup.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { createSecrets } from '../../platform/base/secrets.ts'
import { product } from '../../platform/base/version.ts'
import { loadSecrets } from '../roles/services.ts'
import { openDatabaseOf, openEmptyDatabase } from './database-of-backup.ts'
import type { CommandOutput } from './command-output.ts'

const fingerprintOf = (secrets: { readonly derive: (purpose: string) => Buffer }): string =>
  secrets.derive('backup fingerprint').toString('hex').slice(0, 16)

const summary = (
  folder: string,
  isEncrypted: boolean,
  { FileCount, SizeBytes, CreatedAt, Media }: BackupManifest,
) => ({
  Folder: folder,
  IsEncrypted: isEncrypted,
  CreatedAt,
  FileCount,
  SizeBytes,
  Media,
})

const bucketNote = (config: Config): string =>
  `  Media is in the bucket ${config.s3Bucket}, which the backup does not include. Back it up separately.\n`

const careOf = (recipients: readonly string[]): string =>
  recipients.length === 0
    ? '  It contains the keys of this installation. Protect it like the data folder, and keep it on another disk.\n'
    : '  It is encrypted. Only the identity of a recipient restores it: keep that away from this machine.\n'

export interface BackupWords {
  /** As given on the command line. */
  readonly folder: string
  readonly recipients: readonly string[]
}

export const backUp = async (
  config: Config,
  { folder: given, recipients }: BackupWords,
  output: CommandOutput,
  signal: AbortSignal,
): Promise<void> => {
  const folder = resolve(given)
  if (!(await exists(config.dataFolder)))
    throw new ConfigError(
      `The data folder ${config.dataFolder} does not exist. Set ZOETROPE_DATA to another folder.`,
    )
  const manifest = await writeBackup({
    dataFolder: config.dataFolder,
    folder,
    openDatabase: () => openDatabaseOf(config),
    version: product.version,
    isMediaOnDisk: config.storage === 'disk' || config.formerStorage === 'disk',
    recipients,
    masterKeyFingerprint: fingerprintOf(await loadSecrets(config)),
    signal,
    onProgress: output.progress,
  })
  const size = `${manifest.FileCount} files, ${(manifest.SizeBytes / 1_000_000).toFixed(1)} MB`
  const usesBucket = config.storage === 's3' || config.formerStorage === 's3'
  output.result(
    summary(folder, recipients.length > 0, manifest),
    `The backup is complete: ${folder} (${size}).\n${usesBucket ? bucketNote(config) : ''}${careOf(recipients)}`,
  )
}

const checkMasterKey =
  (config: Config) =>
  ({ MasterKeyFingerprint }: BackupManifest, hasKeyFile: boolean): void => {
    if (config.masterKey === null) {
      if (hasKeyFile) return
      throw new BackupError(
        'The backup is encrypted with a ZOETROPE_MASTER_KEY that it does not contain. Set ZOETROPE_MASTER_KEY first.',
      )
    }
    const fingerprint = fingerprintOf(createSecrets(config.masterKey.current))
    if (fingerprint !== MasterKeyFingerprint)
      throw new BackupError(
        hasKeyFile
          ? 'ZOETROPE_MASTER_KEY differs from the key of the backup. Unset it: the backup contains its key.'
          : 'ZOETROPE_MASTER_KEY differs from the key of the backup.',
      )
  }

/** The next start reads the restored `zoetrope.config`, so the rows must be in the database that it names. */
const checkSettings =
  (config: Config, isDatabaseChosen: boolean) =>
  (text: string): void => {
    if (isDatabaseChosen || config.databaseUrl !== null || (parseEnv(text)['DATABASE_URL'] ?? '') === '')
      return
    throw new BackupError(
      'The zoetrope.config of the backup contains a DATABASE_URL, so Zoetrope would not use the embedded database. Set DATABASE_URL to an empty database for restore and up. To move to the embedded database, run restore with an empty DATABASE_URL= and delete the line from the restored zoetrope.config.',
    )
  }

export interface RestoreWords {
  /** As given on the command line. */
  readonly folder: string
  readonly identityFile: string | undefined
  /** The environment has a DATABASE_URL, even an empty one. */
  readonly isDatabaseChosen: boolean
}

export const restore = async (
  config: Config,
  { folder: given, identityFile, isDatabaseChosen }: RestoreWords,
  output: CommandOutput,
  signal: AbortSignal,
): Promise<void> => {
  const folder = resolve(given)
  const manifest = await restoreBackup({
    folder,
    dataFolder: config.dataFolder,
    identities: identityFile === undefined ? null : await readIdentities(resolve(identityFile)),
    openDatabase: (unfinishedFolder, found) => openEmptyDatabase(config, unfinishedFolder, found),
    checkMasterKey: checkMasterKey(config),
    checkSettings: checkSettings(config, isDatabaseChosen),
    signal,
    onProgress: output.progress,
  })
  output.result(
    { ...summary(folder, identityFile !== undefined, manifest), DataFolder: config.dataFolder },
    `Restored ${config.dataFolder} to the state of ${manifest.CreatedAt}. Start it with ./zoetrope up\n`,
  )
}

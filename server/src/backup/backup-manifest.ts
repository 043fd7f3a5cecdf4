import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** What a backup folder holds; written last, so that a folder without it is known to be unfinished. */
export interface BackupManifest {
  readonly Format: 1
  readonly CreatedAt: string
  /** Of Zoetrope. */
  readonly Version: string
  readonly PostgresVersion: string
  /** In the order in which they were applied. */
  readonly Migrations: readonly { readonly Name: string; readonly Checksum: string }[]
  /** Of the job queue's tables, which it makes itself. */
  readonly QueueVersion: number
  readonly Tables: readonly BackedUpTable[]
  readonly Sequences: readonly BackedUpSequence[]
  /** Whether media lies in the folder, or in the bucket of S3 and is to be backed up there. */
  readonly Media: 'folder' | 's3'
  /** Of the master key that belongs to it: one from the environment is not in the folder. */
  readonly MasterKeyFingerprint: string
  readonly FileCount: number
  readonly SizeBytes: number
  /** Of `files.sha256`, which has the checksum of every other file. */
  readonly ChecksumsSha256: string
}

export interface BackedUpTable {
  readonly Schema: string
  readonly Name: string
  readonly Columns: readonly string[]
  /** Within the folder. */
  readonly File: string
}

export interface BackedUpSequence {
  readonly Schema: string
  readonly Name: string
  /** As text: it may be larger than a number of JavaScript holds. */
  readonly LastValue: string
}

export const manifestFile = 'manifest.json'
export const checksumsFile = 'files.sha256'

/** A sentence for the operator. */
export class BackupError extends Error {}

export const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer)
  return hash.digest('hex')
}

export const writeManifest = async (folder: string, manifest: BackupManifest): Promise<void> => {
  const temporary = join(folder, `.${manifestFile}`)
  {
    await using handle = await open(temporary, 'w', 0o600)
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
    await handle.datasync()
  }
  await rename(temporary, join(folder, manifestFile))
}

/** Throws BackupError where the folder is no backup that this program can read. */
export const readManifest = async (folder: string): Promise<BackupManifest> => {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      error.code === 'ENOENT'
        ? `${folder} holds no backup, or one that was broken off: there is no ${manifestFile}.`
        : `${join(folder, manifestFile)} cannot be read (${error.code}).`,
    )
  })
  let manifest: BackupManifest
  try {
    manifest = JSON.parse(text) as BackupManifest
  } catch {
    throw new BackupError(`${join(folder, manifestFile)} is damaged.`)
  }
  const { Format } = manifest as { Format?: unknown }
  if (Format !== 1)
    throw new BackupError(`The backup in ${folder} was made by a newer Zoetrope; restore it with that one.`)
  return manifest
}

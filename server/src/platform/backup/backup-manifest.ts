import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { schemaValues } from '../base/schema-values.ts'

/** Name of a database object: excludes characters that end a quotation or leave a folder. */
const name = Type.String({ pattern: `^[^'"\\\\/\\u0000-\\u001f]{1,63}$` })
/** Text that is safe to print on a terminal. */
const word = Type.String({ pattern: '^[\\w.:+-]{1,64}$' })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const count = Type.Integer({ minimum: 0 })

const backedUpTable = Type.Object({
  Schema: name,
  Name: name,
  Columns: Type.Array(name),
  File: Type.String({ pattern: '^database/[^/\\\\]+\\.copy\\.gz$' }),
})
const backedUpSequence = Type.Object({
  Schema: name,
  Name: name,
  /** As text, because it may exceed the safe integers of JavaScript. */
  LastValue: Type.String({ pattern: '^-?\\d{1,19}$' }),
})

/** Contents of a backup folder. Written last, so that a folder without it is known to be incomplete. */
const backupManifest = Type.Object({
  Format: Type.Literal(1),
  CreatedAt: word,
  Version: word,
  PostgresVersion: Type.String(),
  /** In the order in which they were applied. */
  Migrations: Type.Array(Type.Object({ Name: Type.String(), Checksum: sha256 })),
  /** Version of the job queue's tables, which the queue creates itself. */
  QueueVersion: count,
  Tables: Type.Array(backedUpTable),
  Sequences: Type.Array(backedUpSequence),
  /**
   * `folder` when the backup contains the media. `s3` when the media stays in the bucket and needs a separate
   * backup there.
   */
  Media: Type.Union([Type.Literal('folder'), Type.Literal('s3')]),
  /** Fingerprint of the master key; a key from the environment is not in the backup. */
  MasterKeyFingerprint: Type.String(),
  FileCount: count,
  SizeBytes: count,
  /** Checksum of `files.sha256`, which contains the checksums of all other files. */
  ChecksumsSha256: sha256,
})

export type BackupManifest = Static<typeof backupManifest>
export type BackedUpTable = Static<typeof backedUpTable>
export type BackedUpSequence = Static<typeof backedUpSequence>

export const manifestFile = 'manifest.json'
export const checksumsFile = 'files.sha256'

/** The message is a sentence for the operator. */
export class BackupError extends Error {}

/** The operator has stopped the backup or restore. */
export class BackupInterrupted extends BackupError {}

export const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer)
  return hash.digest('hex')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Throws BackupError when the folder is not a backup that this version can read. */
export const readManifest = async (
  folder: string,
  readText: (path: string) => Promise<string>,
): Promise<BackupManifest> => {
  const text = await readText(manifestFile).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof BackupError) throw error
    throw new BackupError(
      error.code === 'ENOENT'
        ? `${folder} contains no backup, or an interrupted one: ${manifestFile} is missing.`
        : `Cannot read ${join(folder, manifestFile)} (${error.code}).`,
    )
  })
  const manifest = parseJson(text)
  const { Check } = await schemaValues()
  if (Check(backupManifest, manifest)) return manifest
  const { Format } = (manifest ?? {}) as { Format?: unknown }
  throw new BackupError(
    typeof Format === 'number' && Format > 1
      ? `A newer Zoetrope made the backup in ${folder}. Restore it with that version.`
      : `${join(folder, manifestFile)} is damaged.`,
  )
}

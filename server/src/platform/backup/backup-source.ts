import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { BackupError, manifestFile } from './backup-manifest.ts'
import { copyInProgress, copyWhole, exists, linkFolder, listFiles } from './copy-files.ts'
import { decryptWith, encryptedSuffix, streamWhole } from './encryption.ts'

/** What a restore reads; all paths are relative to the folder of the backup. */
export interface BackupSource {
  readonly readText: (path: string) => Promise<string>
  readonly has: (path: string) => Promise<boolean>
  readonly restoreUnchanging: (path: string, to: string) => Promise<void>
  readonly restoreInProgress: (path: string, to: string) => Promise<void>
  /** Returns false when the backup has no such file. */
  readonly restoreFile: (path: string, to: string) => Promise<boolean>
  readonly open: (path: string) => Readable
}

export const createPlainSource = (folder: string, signal: AbortSignal): BackupSource => ({
  readText: (path) => readFile(join(folder, path), 'utf8'),
  has: (path) => exists(join(folder, path)),
  restoreUnchanging: (path, to) => linkFolder(join(folder, path), to, signal),
  restoreInProgress: (path, to) => copyInProgress(join(folder, path), to, signal),
  restoreFile: (path, to) => copyWhole(join(folder, path), to),
  open: (path) => createReadStream(join(folder, path)),
})

const createEncryptedSource = (
  folder: string,
  identities: readonly string[],
  signal: AbortSignal,
): BackupSource => {
  const decrypt = decryptWith(identities)
  const source = (path: string): string => join(folder, `${path}${encryptedSuffix}`)
  const restoreFolder = async (path: string, to: string): Promise<void> => {
    for (const name of await listFiles(join(folder, path))) {
      if (!name.endsWith(encryptedSuffix)) continue
      const plain = name.slice(0, -encryptedSuffix.length)
      await streamWhole(join(folder, path, name), decrypt(name), join(to, plain), signal)
    }
  }
  const openFile = (path: string): Readable =>
    Readable.from(decrypt(source(path))(createReadStream(source(path))), { objectMode: false })
  return {
    readText: async (path) => (await buffer(openFile(path))).toString(),
    has: (path) => exists(source(path)),
    restoreUnchanging: restoreFolder,
    restoreInProgress: restoreFolder,
    restoreFile: async (path, to) => {
      if (!(await exists(source(path)))) return false
      await streamWhole(source(path), decrypt(path), to, signal)
      return true
    },
    open: openFile,
  }
}

/** Throws BackupError when the folder needs identities and there are none, or the other way round. */
export const openSource = async (
  folder: string,
  identities: readonly string[] | null,
  signal: AbortSignal,
): Promise<BackupSource> => {
  const isEncrypted = await exists(join(folder, `${manifestFile}${encryptedSuffix}`))
  const isPlain = await exists(join(folder, manifestFile))
  if (identities === null) {
    if (isEncrypted && !isPlain)
      throw new BackupError(
        `The backup in ${folder} is encrypted. Name the file of the age identity: ./zoetrope restore ${folder} --identity <file>`,
      )
    return createPlainSource(folder, signal)
  }
  // An attacker could have put a forged plain backup in its place.
  if (isPlain && !isEncrypted)
    throw new BackupError(`The backup in ${folder} is not encrypted. Restore it without --identity.`)
  return createEncryptedSource(folder, identities, signal)
}

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './backup-manifest.ts'

/** Suffix of encrypted files: each is a file of the age format (age-encryption.org/v1). */
export const encryptedSuffix = '.age'

/** A stage of `pipeline`. */
export type Stage = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** The library expects the stream type of browsers, which Node implements. */
const toWeb = (source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  NodeReadableStream.from(source) as unknown as ReadableStream<Uint8Array>

/** Throws BackupError when one of the recipients is not valid. */
export const encryptFor = (recipients: readonly string[]): Stage => {
  const encrypter = new Encrypter()
  try {
    for (const recipient of recipients) encrypter.addRecipient(recipient)
  } catch {
    // Does not repeat the value, which may be an identity.
    throw new BackupError('A recipient must be the public key of an age identity, such as age1…')
  }
  return async function* encrypt(source) {
    yield* await encrypter.encrypt(toWeb(source))
  }
}

/** Reads an identity file as `age-keygen` writes it. Throws BackupError with what is wrong. */
export const readIdentities = async (path: string): Promise<readonly string[]> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`Cannot read the identity file ${path} (${error.code}).`)
  })
  if (/^(?:age-encryption\.org\/v1|-----BEGIN AGE)/.test(text))
    throw new BackupError(`${path} is protected by a passphrase. Decrypt it first: age -d ${path}`)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const decrypter = new Decrypter()
  try {
    for (const line of lines) decrypter.addIdentity(line.trim())
  } catch {
    lines.length = 0
  }
  if (lines.length === 0)
    throw new BackupError(`${path} is not an identity file of age, which has lines such as AGE-SECRET-KEY-1…`)
  return lines.map((line) => line.trim())
}

const noIdentityMatched = 'no identity matched'

/** The stage throws BackupError for a wrong identity, and for damage anywhere in the file. */
export const decryptWith =
  (identities: readonly string[]) =>
  (path: string): Stage => {
    const decrypter = new Decrypter()
    for (const identity of identities) decrypter.addIdentity(identity)
    return async function* decrypt(source) {
      try {
        yield* await decrypter.decrypt(toWeb(source))
      } catch (error) {
        throw new BackupError(
          (error as Error).message.startsWith(noIdentityMatched)
            ? `The identity does not open ${basename(path)}: the backup was encrypted for another recipient.`
            : `${basename(path)} is damaged, cut off or changed: it cannot be decrypted.`,
          { cause: error },
        )
      }
    }
  }

export const unchanged: Stage = (source) => source

/** Streams a file through a stage under a temporary name, so that the target is complete or absent. */
export const streamWhole = async (
  source: string | AsyncIterable<Uint8Array>,
  stage: Stage,
  to: string,
  signal: AbortSignal,
): Promise<void> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const temporary = `${to}.copying`
  const from = typeof source === 'string' ? createReadStream(source) : source
  try {
    await pipeline(from, stage, createWriteStream(temporary, { mode: 0o600 }), { signal })
    await using handle = await open(temporary, 'r+')
    await handle.datasync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await rename(temporary, to)
}

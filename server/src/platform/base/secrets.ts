import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readSecretFile, writeSecretFile } from './secret-file.ts'
import { StartupError } from './startup-error.ts'

export const wrongMasterKey = (cause: unknown): StartupError =>
  new StartupError(
    'The master key does not match the database, whose secrets were encrypted with another one. Set ZOETROPE_MASTER_KEY to the key of the node that created the database, or restore master.key from a backup.',
    { cause },
  )

/** Which processes can open a sealed value, besides the API, which has the master key. */
type Opener = 'api' | 'workers' | 'liveNodes'

/** Encrypts values that must not be in the database in plain text. */
export interface Sealer<By extends Opener> {
  readonly opener: By
  readonly seal: (plaintext: Buffer) => Buffer
  /** Throws when the text was sealed under another key or was changed. */
  readonly open: (sealed: Buffer) => Buffer
  /** False for a text under the former key of a rotation that is not complete. */
  readonly isCurrent: (sealed: Buffer) => boolean
}

/**
 * The keys of this process, all derived from the master key of the installation. Workers and live nodes have
 * no master key: they receive only the keys that they need, and the others throw.
 */
export interface Secrets extends Sealer<'api'> {
  readonly workers: Sealer<'workers'>
  readonly liveNodes: Sealer<'liveNodes'>
  readonly derive: (purpose: string) => Buffer
  /** The same of the former master key; null unless a rotation is in progress. */
  readonly former: (purpose: string) => Buffer | null
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

const openWith = (key: Buffer, sealed: Buffer): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

/** AES-256-GCM; sealed = nonce ‖ tag ‖ ciphertext. `formerKey` only opens. */
const createSealer = <By extends Opener>(
  opener: By,
  keyOf: () => Buffer,
  formerKey: Buffer | null,
): Sealer<By> => {
  let known: Buffer | undefined
  const key = (): Buffer => (known ??= keyOf())
  const openCurrent = (sealed: Buffer): Buffer | null => {
    try {
      return openWith(key(), sealed)
    } catch (error) {
      if (formerKey === null) throw error
      return null
    }
  }
  return {
    opener,
    seal: (plaintext) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key(), nonce)
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
    },
    open: (sealed) => openCurrent(sealed) ?? openWith(formerKey ?? key(), sealed),
    isCurrent: (sealed) => formerKey === null || openCurrent(sealed) !== null,
  }
}

export const sealForWorkers = 'seal for workers'
export const sealForLiveNodes = 'seal for live nodes'

const sealForApi = 'seal'
const sealingPurposes = new Set([sealForApi, sealForWorkers, sealForLiveNodes])
const formerName = (purpose: string): string => `former ${purpose}`

const secretsOf = (derive: Secrets['derive'], former: (purpose: string) => Buffer | null): Secrets => ({
  ...createSealer('api', () => derive(sealForApi), former(sealForApi)),
  workers: createSealer('workers', () => derive(sealForWorkers), former(sealForWorkers)),
  liveNodes: createSealer('liveNodes', () => derive(sealForLiveNodes), former(sealForLiveNodes)),
  derive,
  former,
})

/** The master key, and during a rotation the former one. */
export interface MasterKeys {
  readonly current: Buffer
  readonly former: Buffer | null
}

export const createSecrets = (current: Buffer, formerKey: Buffer | null = null): Secrets => {
  if (current.length !== keyBytes) throw new Error('the master key must have 32 bytes')
  const from = (masterKey: Buffer, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `zoetrope ${purpose}`, keyBytes))
  return secretsOf(
    (purpose) => from(current, purpose),
    (purpose) => (formerKey === null ? null : from(formerKey, purpose)),
  )
}

/** Keys by purpose. */
export type DerivedKeys = ReadonlyMap<string, Buffer>

/** Adds the former keys of a rotation that is not complete, which open values. */
export const deriveKeys = ({ derive, former }: Secrets, purposes: readonly string[]): DerivedKeys => {
  const formerKeys = purposes
    .filter((purpose) => sealingPurposes.has(purpose))
    .flatMap((purpose) => {
      const key = former(purpose)
      return key === null ? [] : [[formerName(purpose), key] as const]
    })
  return new Map([...purposes.map((purpose) => [purpose, derive(purpose)] as const), ...formerKeys])
}

/** Secrets of a process without the master key. */
export const createLimitedSecrets = (keys: DerivedKeys): Secrets =>
  secretsOf(
    (purpose) => {
      const key = keys.get(purpose)
      if (key === undefined) throw new Error(`this process has no key for "${purpose}"`)
      return key
    },
    (purpose) => keys.get(formerName(purpose)) ?? null,
  )

/** One word, for the environment. */
export const writeKeys = (keys: DerivedKeys): string =>
  Buffer.from(
    JSON.stringify(Object.fromEntries([...keys].map(([name, key]) => [name, key.toString('base64')]))),
  ).toString('base64url')

/** Throws for a text that `writeKeys` did not write. */
export const readKeys = (text: string): DerivedKeys => {
  const found = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  const keys = Object.entries(found).map(
    ([purpose, key]) => [purpose, Buffer.from(String(key), 'base64')] as const,
  )
  if (keys.length === 0 || keys.some(([, key]) => key.length !== keyBytes))
    throw new Error('not a list of keys')
  return new Map(keys)
}

/** Returns null for a text that is not one key in base64, or two during a rotation: the current one first. */
export const parseMasterKeys = (text: string): MasterKeys | null => {
  const [current, former = null, ...others] = text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => Buffer.from(word, 'base64'))
  const areKeys = [current, former].every((key) => key === null || key?.length === keyBytes)
  return current === undefined || !areKeys || others.length > 0 ? null : { current, former }
}

export const writeMasterKeys = (path: string, { current, former }: MasterKeys): Promise<void> =>
  writeSecretFile(
    path,
    [current, former].map((key) => (key === null ? '' : `${key.toString('base64')}\n`)).join(''),
  )

export const newMasterKey = (): Buffer => randomBytes(keyBytes)

/**
 * Reads the master key of this data folder, or creates it on the first start (0600, durable before it is
 * used).
 */
export const loadOrCreateMasterKeys = async (path: string): Promise<MasterKeys> => {
  const existing = await readSecretFile(path)
  if (existing !== null) {
    const keys = parseMasterKeys(existing)
    if (keys === null)
      throw new StartupError(`${path} does not contain a 32-byte key in base64. Restore it from your backup.`)
    return keys
  }
  const made: MasterKeys = { current: newMasterKey(), former: null }
  await writeMasterKeys(path, made)
  return made
}

export const hmacSha256 = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

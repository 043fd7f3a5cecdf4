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
}

/**
 * The keys of this process, all derived from the master key of the installation. Workers and live nodes have
 * no master key: they receive only the keys that they need, and the others throw.
 */
export interface Secrets extends Sealer<'api'> {
  readonly workers: Sealer<'workers'>
  readonly liveNodes: Sealer<'liveNodes'>
  readonly derive: (purpose: string) => Buffer
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM; sealed = nonce ‖ tag ‖ ciphertext. */
const createSealer = <By extends Opener>(opener: By, keyOf: () => Buffer): Sealer<By> => {
  let known: Buffer | undefined
  const key = (): Buffer => (known ??= keyOf())
  return {
    opener,
    seal: (plaintext) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key(), nonce)
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
    },
    open: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, nonceBytes))
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
    },
  }
}

export const sealForWorkers = 'seal for workers'
export const sealForLiveNodes = 'seal for live nodes'

const secretsOf = (derive: Secrets['derive']): Secrets => ({
  ...createSealer('api', () => derive('seal')),
  workers: createSealer('workers', () => derive(sealForWorkers)),
  liveNodes: createSealer('liveNodes', () => derive(sealForLiveNodes)),
  derive,
})

export const createSecrets = (masterKey: Buffer): Secrets => {
  if (masterKey.length !== keyBytes) throw new Error('the master key must have 32 bytes')
  return secretsOf((purpose) =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `zoetrope ${purpose}`, keyBytes)),
  )
}

/** Keys by purpose. */
export type DerivedKeys = ReadonlyMap<string, Buffer>

export const deriveKeys = ({ derive }: Secrets, purposes: readonly string[]): DerivedKeys =>
  new Map(purposes.map((purpose) => [purpose, derive(purpose)]))

/** Secrets of a process without the master key. */
export const createLimitedSecrets = (keys: DerivedKeys): Secrets =>
  secretsOf((purpose) => {
    const key = keys.get(purpose)
    if (key === undefined) throw new Error(`this process has no key for "${purpose}"`)
    return key
  })

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

/**
 * Reads the master key of this data folder, or creates it on the first start (0600, durable before it is
 * used).
 */
export const loadOrCreateMasterKey = async (path: string): Promise<Buffer> => {
  const existing = await readSecretFile(path)
  if (existing !== null) {
    const key = Buffer.from(existing, 'base64')
    if (key.length !== keyBytes)
      throw new StartupError(`${path} does not contain a 32-byte key in base64. Restore it from your backup.`)
    return key
  }
  const key = randomBytes(keyBytes)
  await writeSecretFile(path, `${key.toString('base64')}\n`)
  return key
}

export const hmacSha256 = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

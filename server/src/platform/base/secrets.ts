import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from './startup-error.ts'

export const wrongMasterKey = (cause: unknown): StartupError =>
  new StartupError(
    'The master key does not match the database, whose signing key was encrypted with another one. Set ZOETROPE_MASTER_KEY to the key of the node that created the database, or restore master.key from a backup.',
    { cause },
  )

/**
 * Encrypts secrets that must not be in the database in plain text, and derives keys from the installation's
 * master key.
 */
export interface Secrets {
  readonly seal: (plaintext: Buffer) => Buffer
  readonly open: (sealed: Buffer) => Buffer
  readonly derive: (purpose: string) => Buffer
}

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM; sealed = nonce ‖ tag ‖ ciphertext. Throws when the text was sealed under another key or was
 * changed.
 */
export const createSecrets = (masterKey: Buffer): Secrets => {
  if (masterKey.length !== 32) throw new Error('the master key must have 32 bytes')
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `zoetrope ${purpose}`, 32))
  const sealingKey = derive('seal')
  return {
    seal: (plaintext) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
    },
    open: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, nonceBytes))
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
    },
    derive,
  }
}

/**
 * Reads the master key of this data folder, or creates it on the first start (0600, durable before it is
 * used).
 */
export const loadOrCreateMasterKey = async (path: string): Promise<Buffer> => {
  const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (existing !== null) {
    const key = Buffer.from(existing.trim(), 'base64')
    if (key.length !== 32)
      throw new StartupError(`${path} does not contain a 32-byte key in base64. Restore it from your backup.`)
    return key
  }
  await mkdir(dirname(path), { recursive: true })
  const key = randomBytes(32)
  const temporary = join(dirname(path), `.master-key-${process.pid}`)
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(`${key.toString('base64')}\n`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  return key
}

export const hmacSha256 = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

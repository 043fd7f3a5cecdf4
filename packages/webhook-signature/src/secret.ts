import { randomBytes } from 'node:crypto'

const prefix = 'whsec_'

// Shorter keys can be guessed. The limit applies to decoded bytes after the prefix and to typed characters.
const leastLength = 16

/** Returns `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/**
 * Returns true for secrets that `sign` and `verify` accept: `whsec_` with base64 of at least 16 bytes, or at
 * least 16 characters.
 */
export function isUsableSecret(secret: string): boolean {
  return keyOf(secret) !== undefined
}

/**
 * Returns the HMAC keys. Throws TypeError when the list is empty or a secret is unusable; the message never
 * contains the secret.
 */
export function keysOf(secrets: readonly string[]): Buffer[] {
  if (secrets.length === 0) throw new TypeError('at least one secret is required')
  return secrets.map((secret, index) => {
    const key = keyOf(secret)
    if (!key)
      throw new TypeError(
        `secret ${index} is neither whsec_ with the base64 of ${leastLength} bytes nor ${leastLength} characters`,
      )
    return key
  })
}

function keyOf(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix))
    return secret.length >= leastLength ? Buffer.from(secret, 'utf8') : undefined
  const encoded = secret.slice(prefix.length)
  const key = Buffer.from(encoded, 'base64')
  // Node ignores characters that are not base64. A receiver's library may not, which would give both sides
  // different keys.
  return key.length >= leastLength && key.toString('base64') === encoded ? key : undefined
}

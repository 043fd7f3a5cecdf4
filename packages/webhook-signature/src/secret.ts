import { randomBytes } from 'node:crypto'

const prefix = 'whsec_'

// Shorter keys can be guessed; the same limit holds for the bytes behind the prefix and for what a person types.
const leastLength = 16

/** `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/** Whether `sign` and `verify` take the secret: `whsec_` with the base64 of at least 16 bytes, or else at least 16 characters. */
export function isUsableSecret(secret: string): boolean {
  return keyOf(secret) !== undefined
}

/** The keys of HMAC. Throws TypeError when there is none or one is unusable, never quoting it. */
export function keysOf(secrets: readonly string[]): Buffer[] {
  if (secrets.length === 0) throw new TypeError('at least one secret is needed')
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
  // Node skips what is not base64; the receiver's library may not, and then the two sides have different keys.
  return key.length >= leastLength && key.toString('base64') === encoded ? key : undefined
}

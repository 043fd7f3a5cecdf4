import { hash, randomBytes, randomUUID } from 'node:crypto'

export const newId = (): string => randomUUID()

/** Returns 256 random bits, safe in a URL: a credential that cannot be guessed. */
export const newUrlToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

import { timingSafeEqual } from 'node:crypto'
import { newUrlToken } from '../../kernel/ids.ts'
import { hmacSha256 } from '../../kernel/secrets.ts'

/** A browser in which the owner of this address has signed in before; the mark is worth nothing with another address. */
export interface KnownDevices {
  readonly markFor: (email: string) => string
  readonly isMarkFor: (mark: string, email: string) => boolean
}

export const createKnownDevices = (key: Buffer): KnownDevices => {
  const proofOf = (nonce: string, email: string): string =>
    hmacSha256(key, `${nonce} ${email.toLowerCase()}`).toString('base64url')
  return {
    markFor: (email) => {
      const nonce = newUrlToken()
      return `${nonce}.${proofOf(nonce, email)}`
    },
    isMarkFor: (mark, email) => {
      const [nonce = '', proof = ''] = mark.split('.')
      const wanted = Buffer.from(proofOf(nonce, email))
      const given = Buffer.from(proof)
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    },
  }
}

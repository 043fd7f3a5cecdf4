import { timingSafeEqual } from 'node:crypto'
import { newUrlToken } from '../../kernel/ids.ts'
import { hmacSha256 } from '../../kernel/secrets.ts'

/** A browser in which the owner of this address has signed in before; the mark is worth nothing with another address. */
export interface KnownDevices {
  /** The one that the browser has already, while it is young: with a new one at every sign-in, somebody would collect many. */
  readonly markFor: (email: string, present: string | null) => string
  readonly isMarkFor: (mark: string, email: string) => boolean
}

export const deviceMaxSeconds = 365 * 86_400

export const createKnownDevices = (key: Buffer, nowMs: () => number = Date.now): KnownDevices => {
  const proofOf = (nonce: string, madeAt: string, email: string): string =>
    hmacSha256(key, `${nonce} ${madeAt} ${email.toLowerCase()}`).toString('base64url')
  const nowSeconds = (): number => Math.floor(nowMs() / 1_000)

  const isMarkFor = (mark: string, email: string, maxSeconds = deviceMaxSeconds): boolean => {
    const [nonce = '', madeAt = '', proof = ''] = mark.split('.')
    const wanted = Buffer.from(proofOf(nonce, madeAt, email))
    const given = Buffer.from(proof)
    const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
    return isOurs && nowSeconds() - Number(madeAt) < maxSeconds
  }

  return {
    markFor: (email, present) => {
      if (present !== null && isMarkFor(present, email, deviceMaxSeconds / 2)) return present
      const [nonce, madeAt] = [newUrlToken(), String(nowSeconds())]
      return `${nonce}.${madeAt}.${proofOf(nonce, madeAt, email)}`
    },
    isMarkFor: (mark, email) => isMarkFor(mark, email),
  }
}

import { timingSafeEqual } from 'node:crypto'
import { newUrlToken } from '../../../platform/base/ids.ts'
import { hmacSha256 } from '../../../platform/base/secrets.ts'

/** Owner of the browser. `passwordHash` is null for a user without a password. */
export interface DeviceOwner {
  readonly email: string
  readonly passwordHash: string | null
}

/**
 * Recognises browsers in which the owner of this address has signed in before. The device token is invalid
 * for another address and after a password change. A thief of the old password and device tokens is then
 * unknown again.
 */
export interface KnownDevices {
  /**
   * Returns the present device token while it is recent: a new one at every sign-in would let a user collect
   * many.
   */
  readonly markFor: (owner: DeviceOwner, present: string | null) => string
  readonly isMarkFor: (mark: string, owner: DeviceOwner) => boolean
}

export const deviceMaxSeconds = 365 * 86_400

export const createKnownDevices = (key: Buffer, nowMs: () => number = Date.now): KnownDevices => {
  // The hash of a password contains no space.
  const proofOf = (nonce: string, madeAt: string, { email, passwordHash }: DeviceOwner): string =>
    hmacSha256(key, [nonce, madeAt, passwordHash ?? '', email.toLowerCase()].join(' ')).toString('base64url')
  const nowSeconds = (): number => Math.floor(nowMs() / 1_000)

  const isMarkFor = (mark: string, owner: DeviceOwner, maxSeconds = deviceMaxSeconds): boolean => {
    const [nonce = '', madeAt = '', proof = ''] = mark.split('.')
    const wanted = Buffer.from(proofOf(nonce, madeAt, owner))
    const given = Buffer.from(proof)
    const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
    return isOurs && nowSeconds() - Number(madeAt) < maxSeconds
  }

  return {
    markFor: (owner, present) => {
      if (present !== null && isMarkFor(present, owner, deviceMaxSeconds / 2)) return present
      const [nonce, madeAt] = [newUrlToken(), String(nowSeconds())]
      return `${nonce}.${madeAt}.${proofOf(nonce, madeAt, owner)}`
    },
    isMarkFor: (mark, owner) => isMarkFor(mark, owner),
  }
}

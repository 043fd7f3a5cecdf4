import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '../../../../platform/base/secrets.ts'

const lifetimeSeconds = 300

/** What a signature is for: one purpose must not serve another. */
export type ChallengePurpose = 'sign-in' | `register ${string}` | `confirm ${string}`

/**
 * Challenges contain their time and a proof of their purpose, so that unauthenticated callers cannot fill a
 * table. `useState` marks them as used after the signature has been verified.
 */
export interface Challenges {
  readonly begin: (purpose: ChallengePurpose) => Uint8Array<ArrayBuffer>
  readonly isFor: (challenge: string, purpose: ChallengePurpose) => boolean
}

const nonceBytes = 16
const timeBytes = 6

export const createChallenges = (key: Buffer, nowMs: () => number = Date.now): Challenges => {
  const nowSeconds = (): number => Math.floor(nowMs() / 1_000)
  const withProof = (head: Buffer, purpose: ChallengePurpose): Buffer =>
    Buffer.concat([head, hmacSha256(key, `${purpose} ${head.toString('hex')}`)])
  return {
    begin: (purpose) => {
      const time = Buffer.alloc(timeBytes)
      time.writeUIntBE(nowSeconds(), 0, timeBytes)
      return Uint8Array.from(withProof(Buffer.concat([randomBytes(nonceBytes), time]), purpose))
    },
    isFor: (challenge, purpose) => {
      const given = Buffer.from(challenge, 'base64url')
      const head = given.subarray(0, nonceBytes + timeBytes)
      const wanted = withProof(head, purpose)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false
      return nowSeconds() - head.readUIntBE(nonceBytes, timeBytes) <= lifetimeSeconds
    },
  }
}

import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '../../../platform/base/secrets.ts'

export const pendingSeconds = 600

export interface PendingUser {
  readonly id: number
  readonly account_id: number
  readonly password_hash: string | null
}

/**
 * Proofs that this browser has sent the password of a user and may now send a second factor. They need no
 * storage: time and password are part of the proof.
 */
export interface PendingSignIns {
  readonly begin: (user: PendingUser) => string
  /** Returns whose proof it claims to be; verify it with `isOf` for the user as stored. */
  readonly claimedBy: (proof: string) => { readonly accountId: number; readonly userId: number }
  readonly isOf: (proof: string, user: PendingUser) => boolean
}

export const createPendingSignIns = (key: Buffer, nowMs: () => number = Date.now): PendingSignIns => {
  const proofOf = ({ account_id, id, password_hash }: PendingUser, seconds: number): string => {
    const mac = hmacSha256(key, [account_id, id, seconds, password_hash ?? ''].join(' '))
    return `${account_id}.${id}.${seconds}.${mac.toString('base64url')}`
  }
  const nowSeconds = (): number => Math.floor(nowMs() / 1_000)
  return {
    begin: (user) => proofOf(user, nowSeconds()),
    claimedBy: (proof) => {
      const [accountId, userId] = proof.split('.', 2).map(Number)
      return { accountId: accountId ?? 0, userId: userId ?? 0 }
    },
    isOf: (proof, user) => {
      const seconds = Number(proof.split('.')[2])
      const wanted = Buffer.from(proofOf(user, seconds))
      const given = Buffer.from(proof)
      const isGenuine = wanted.length === given.length && timingSafeEqual(wanted, given)
      return isGenuine && nowSeconds() - seconds <= pendingSeconds
    },
  }
}

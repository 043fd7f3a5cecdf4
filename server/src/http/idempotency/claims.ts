import type { Database } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createGate } from './gate.ts'
import {
  leaseSeconds,
  type IdempotencyStore,
  type KeyOwner,
  type KeyState,
  type StoredAnswer,
} from './idempotency-store.ts'

/** Each holds a connection for as long as its handler runs: the rest of the pool stays for everything else. */
const maxOpenTransactions = 5

/** A request that has the key to itself. */
export interface Claim {
  readonly is: 'claimed'
  /** Runs the handler within the claim's transaction, if it has one. */
  readonly join: (work: () => void) => void
  /** With its answer, or null when the request failed: then it changed nothing, and the key is free for another try. */
  readonly end: (answer: StoredAnswer | null) => Promise<void>
}

export type ClaimResult = Claim | Exclude<KeyState, { is: 'free' }>

export type TryClaim = (owner: KeyOwner, fingerprint: Buffer) => Promise<ClaimResult>

/** The change and the answer are committed together: even a kill -9 leaves either both or nothing. */
export const createTransactionClaims = (database: Database, store: IdempotencyStore): TryClaim => {
  const gate = createGate(maxOpenTransactions)
  return async (owner, fingerprint) => {
    const leaveGate = await gate.enter()
    const open = await database.beginJoined().catch((error: unknown) => {
      leaveGate()
      throw error
    })
    const giveUp = (): Promise<void> => open.rollback().finally(leaveGate)
    try {
      const state = await store.lockKey(open.tx, owner, fingerprint)
      if (state.is !== 'free') {
        await giveUp()
        return state
      }
    } catch (error) {
      await giveUp().catch(() => {})
      throw error
    }
    return {
      is: 'claimed',
      join: open.join,
      end: async (answer) => {
        if (answer === null) return giveUp()
        try {
          await store.remember(open.tx, owner, fingerprint, answer)
        } catch (error) {
          await giveUp().catch(() => {})
          throw error
        }
        return open.commit().finally(leaveGate)
      },
    }
  }
}

/**
 * For bodies that may take hours, which no transaction should: the key is leased, and the answer is written after the change. A kill -9 between
 * these two frees the key when the lease is over, so that a repetition would do the work again.
 */
export const createLeaseClaims =
  (database: Database, store: IdempotencyStore, log: Log): TryClaim =>
  async (owner, fingerprint) => {
    const claimId = newId()
    const state = await database.transaction(async (tx) => {
      const found = await store.lockKey(tx, owner, fingerprint)
      if (found.is === 'free') await store.lease(tx, owner, fingerprint, claimId)
      return found
    })
    if (state.is !== 'free') return state
    const timer = setInterval(
      () => {
        // The next one makes up for one that fails.
        store.extendLease(owner, claimId).catch(() => {})
      },
      (leaseSeconds * 1_000) / 4,
    )
    return {
      is: 'claimed',
      join: (work) => work(),
      end: async (answer) => {
        clearInterval(timer)
        await store.endLease(owner, claimId, answer).catch((error: unknown) => {
          // The file is there: an answer that says so is worth more than one that could be repeated.
          log.warn({ err: error }, 'the answer to a request with an Idempotency-Key is not remembered')
        })
      },
    }
  }

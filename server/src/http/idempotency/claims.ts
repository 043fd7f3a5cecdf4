import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { Problem } from '../../kernel/problem.ts'
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
/** However many of them wait for something: other accounts go on. */
const maxOpenOfOneAccount = 3

/** A request that has the key to itself. */
export interface Claim {
  readonly is: 'claimed'
  /** Runs the handler within the claim's transaction, if it has one. */
  readonly join: (work: () => void) => void
  /** With its answer, or null when the request failed: then it changed nothing, and the key is free for another try. */
  readonly end: (answer: StoredAnswer | null) => Promise<void>
}

export type ClaimResult = Claim | Exclude<KeyState, { is: 'free' }>

/** `patienceMs` is for what stands before the claim itself; a key that is in use is not waited for. */
export type TryClaim = (owner: KeyOwner, fingerprint: Buffer, patienceMs: number) => Promise<ClaimResult>

const tooMany = (): Problem =>
  new Problem(
    'unavailable',
    'Too many requests with an Idempotency-Key are under way just now; send this one again with its key.',
    { headers: { 'Retry-After': '2' } },
  )

/** The change and the answer are committed together: even a kill -9 leaves either both or nothing. */
export const createTransactionClaims = (
  database: Database,
  store: IdempotencyStore,
  { lockWaitMs }: { readonly lockWaitMs: number },
): TryClaim => {
  const gate = createGate(maxOpenTransactions, maxOpenOfOneAccount)
  return async (owner, fingerprint, patienceMs) => {
    const leaveGate = await gate.enter(owner.accountId, patienceMs)
    if (leaveGate === null) throw tooMany()
    const open = await database.beginJoined().catch((error: unknown) => {
      leaveGate()
      throw error
    })
    const giveUp = (): Promise<void> => open.rollback().finally(leaveGate)
    try {
      // A handler that waits for a row that somebody else has locked gives its place back in the end.
      await sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`.execute(open.tx)
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

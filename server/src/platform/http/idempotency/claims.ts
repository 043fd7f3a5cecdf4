import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../log/log.ts'
import { Problem } from '../../base/problem.ts'
import { createSemaphore } from './semaphore.ts'
import {
  leaseSeconds,
  type IdempotencyStore,
  type KeyOwner,
  type KeyState,
  type StoredAnswer,
} from './idempotency-store.ts'

/**
 * Each transaction holds a connection while its handler runs: the rest of the pool stays for other requests.
 */
const maxOpenTransactions = 5
/** Requests of other accounts proceed while those of one account wait. */
const maxOpenOfOneAccount = 3

export interface Claim {
  readonly is: 'claimed'
  /** Runs the handler within the claim's transaction, if it has one. */
  readonly join: (work: () => void) => void
  /**
   * Stores the response. Null means that the request failed: it changed nothing, and the key is free for a
   * retry.
   */
  readonly end: (answer: StoredAnswer | null) => Promise<void>
}

export type ClaimResult = Claim | Exclude<KeyState, { is: 'free' }>

/** `patienceMs` limits the wait before the claim; a key in use is not waited for. */
export type TryClaim = (owner: KeyOwner, fingerprint: Buffer, patienceMs: number) => Promise<ClaimResult>

const tooMany = (): Problem =>
  new Problem('too_many_idempotent_requests', {}, { headers: { 'Retry-After': '2' } })

/** Commits the change and the response together: even a kill -9 leaves both or neither. */
export const createTransactionClaims = (
  database: Database,
  store: IdempotencyStore,
  { lockWaitMs }: { readonly lockWaitMs: number },
): TryClaim => {
  const semaphore = createSemaphore(maxOpenTransactions, maxOpenOfOneAccount)
  return async (owner, fingerprint, patienceMs) => {
    const release = await semaphore.acquire(owner.accountId, patienceMs)
    if (release === null) throw tooMany()
    const open = await database.beginJoined().catch((error: unknown) => {
      release()
      throw error
    })
    const giveUp = (): Promise<void> => open.rollback().finally(release)
    try {
      // A handler that waits for a row locked by another transaction must release its place eventually.
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
        return open.commit().finally(release)
      },
    }
  }
}

/**
 * Claims for bodies that may take hours, which is too long for a transaction. The key is leased, and the
 * response is written after the change. A kill -9 in between frees the key when the lease ends, so that a
 * retry would repeat the work.
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
        // The next extension makes up for a failed one.
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
          // The file is complete: reporting success matters more than a replayable response.
          log.warn({ err: error }, 'cannot store the response to a request with an Idempotency-Key')
        })
      },
    }
  }

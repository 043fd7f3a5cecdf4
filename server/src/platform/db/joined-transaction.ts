import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Tx = Transaction<Tables>

/** A transaction that is not bound to one function: it may span the hooks and the handler of a request. */
export interface OpenTransaction {
  readonly tx: Tx
  /**
   * In everything that `work` calls, the database's `kysely` and `transaction` use this transaction until it
   * ends.
   */
  readonly join: (work: () => void) => void
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
}

interface Scope {
  readonly tx: Tx
  isOpen: boolean
  savepoints: number
}

export interface JoinedTransactions {
  readonly begin: () => Promise<OpenTransaction>
  readonly current: () => Kysely<Tables>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Rolls back only its own changes on failure, as a separate transaction would. Not for concurrent calls. */
const runInSavepoint = async <T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> => {
  scope.savepoints += 1
  const name = sql.id(`joined_${scope.savepoints}`)
  await sql`savepoint ${name}`.execute(scope.tx)
  try {
    const result = await work(scope.tx)
    await sql`release savepoint ${name}`.execute(scope.tx)
    return result
  } catch (error) {
    await sql`rollback to savepoint ${name}`.execute(scope.tx)
    throw error
  }
}

export const createJoinedTransactions = (pool: Kysely<Tables>): JoinedTransactions => {
  const scopes = new AsyncLocalStorage<Scope>()
  const openScope = (): Scope | null => {
    const scope = scopes.getStore()
    return scope?.isOpen === true ? scope : null
  }
  return {
    begin: async () => {
      const tx = await pool.startTransaction().execute()
      const scope: Scope = { tx, isOpen: true, savepoints: 0 }
      return {
        tx,
        join: (work) => scopes.run(scope, work),
        commit: async () => {
          scope.isOpen = false
          await tx
            .commit()
            .execute()
            .catch(async (error: unknown) => {
              // Only the rollback releases the connection.
              await tx
                .rollback()
                .execute()
                .catch(() => {})
              throw error
            })
        },
        rollback: async () => {
          scope.isOpen = false
          await tx.rollback().execute()
        },
      }
    },
    current: () => openScope()?.tx ?? pool,
    transaction: (work) => {
      const scope = openScope()
      return scope === null ? pool.transaction().execute(work) : runInSavepoint(scope, work)
    },
  }
}

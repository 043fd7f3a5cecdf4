import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from './driver/connection.ts'

/**
 * Table owners and superusers bypass row-level security. Queries of an account therefore run as this role,
 * which owns nothing and cannot log in.
 */
export const tenantRole = 'zoetrope_tenant'
export const accountSetting = 'zoetrope.account'

const scopes = new AsyncLocalStorage<number>()

/**
 * Everything that `work` calls, now or later, sees only rows of this account through the pool (decision
 * 0010).
 */
export const runForAccount = <T>(accountId: number, work: () => T): T => scopes.run(accountId, work)

/** Leaves the account's scope for work that one request starts and all accounts share. */
export const runForAllAccounts = <T>(work: () => T): T => scopes.exit(work)

export const accountInScope = (): number | null => scopes.getStore() ?? null

/** Limits the connection to the rows of this account; null allows all rows. */
export const scopeConnection = async (connection: Connection, accountId: number | null): Promise<void> => {
  const [role, account] = accountId === null ? ['none', ''] : [tenantRole, String(accountId)]
  await connection.query(`select set_config('role', $1, false), set_config('${accountSetting}', $2, false)`, [
    role,
    account,
  ])
}

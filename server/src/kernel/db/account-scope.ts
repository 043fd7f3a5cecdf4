import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from './connection.ts'

/** Owners of tables and superusers pass their policies; what is done for one account is done as this role, which owns nothing and cannot sign in. */
export const tenantRole = 'zoetrope_tenant'
export const accountSetting = 'zoetrope.account'

const scopes = new AsyncLocalStorage<number>()

/** Whatever `work` calls, now or later, sees no rows of other accounts through the pool (decision 0010). */
export const runForAccount = <T>(accountId: number, work: () => T): T => scopes.run(accountId, work)

/** For what one request begins and all accounts then share. */
export const runForAllAccounts = <T>(work: () => T): T => scopes.exit(work)

export const accountInScope = (): number | null => scopes.getStore() ?? null

/** From now on the connection sees what this account may see; null is everything. */
export const scopeConnection = async (connection: Connection, accountId: number | null): Promise<void> => {
  const statements =
    accountId === null
      ? `reset role; reset ${accountSetting}`
      : `set role ${tenantRole}; set ${accountSetting} = '${accountId}'`
  await connection.run((client) => client.unsafe(statements))
}

import type { FastifyRequest } from 'fastify'
import { lockCaller } from '../identity/lock-caller.ts'
import { checkCanLetIn, checkIsUnrestricted, checkMayHandOut } from '../identity/user-rules.ts'
import type { Tx } from '../kernel/db/database.ts'

/**
 * Throws 'forbidden' unless the caller has every permission in the account. The operator of a provider
 * decides who a person is, so it could sign in as any Administrator. A key with few scopes would gain full
 * access by connecting its own provider.
 */
export const checkMayOpenSignIn = async (tx: Tx, request: FastifyRequest): Promise<void> => {
  const caller = await lockCaller(tx, request)
  checkIsUnrestricted(caller)
  checkCanLetIn(caller)
  checkMayHandOut(caller, { role: 'Administrator', projectRoles: [] })
}

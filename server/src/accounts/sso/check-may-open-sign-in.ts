import type { FastifyRequest } from 'fastify'
import { lockCaller } from '../identity/authentication/lock-caller.ts'
import { checkCanLetIn, checkIsUnrestricted, checkMayHandOut } from '../identity/users/user-rules.ts'
import type { Tx } from '../../platform/db/database.ts'

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

import type { FastifyRequest } from 'fastify'
import { lockCaller } from '../identity/lock-caller.ts'
import { checkCanLetIn, checkIsUnrestricted, checkMayHandOut } from '../identity/user-rules.ts'
import type { Tx } from '../kernel/db/database.ts'

/**
 * Whoever runs the provider says who somebody is, and could be any Administrator: a key of few scopes would gain everything by naming a provider
 * of its own. Throws 'forbidden' for who may not do everything everywhere.
 */
export const checkMayOpenSignIn = async (tx: Tx, request: FastifyRequest): Promise<void> => {
  const caller = await lockCaller(tx, request)
  checkIsUnrestricted(caller)
  checkCanLetIn(caller)
  checkMayHandOut(caller, { role: 'Administrator', projectRoles: [] })
}

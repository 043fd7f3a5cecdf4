import type { FastifyRequest } from 'fastify'
import { checkAllows, unauthorized } from '../../../platform/http/requests/authenticate.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readLiveKey } from './live-key.ts'
import { readLiveSession } from './live-session.ts'
import type { Caller } from '../permissions/principal.ts'

/**
 * Runs first in every transaction that writes users or keys. Locks the account, so that such changes run one
 * after the other; other inserts are not blocked. Reads the caller again, because the principal is cached for
 * a moment. During it, a demoted user or a revoked key could otherwise restore its own rights.
 */
export const lockCaller = async (tx: Tx, request: FastifyRequest): Promise<Caller> => {
  const { accountId, apiKeyId, sessionId } = request.principal
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  const caller =
    apiKeyId !== null
      ? await readLiveKey(tx, apiKeyId)
      : sessionId !== null
        ? await readLiveSession(tx, { uuid: sessionId })
        : null
  if (caller === null) throw unauthorized('access_revoked')
  checkAllows(caller, request.routeOptions.config.permission)
  return caller
}

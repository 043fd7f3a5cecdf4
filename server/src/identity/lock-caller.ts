import type { FastifyRequest } from 'fastify'
import { checkAllows, unauthorized } from '../http/authenticate.ts'
import type { Tx } from '../kernel/db/database.ts'
import { readLiveKey } from './live-key.ts'
import { readLiveSession } from './sessions/live-session.ts'
import type { Caller } from './principal.ts'

/**
 * Comes first in every transaction that writes users or keys. It locks the account, so that such changes are made one after the other (creating
 * other records is not held up by it), and asks the database once more who calls: a principal is believed for a moment, in which somebody who
 * was demoted, or a key that was revoked, could otherwise give itself back what it lost.
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
  if (caller === null)
    throw unauthorized('This API key or session has just been ended, or its user disabled.')
  checkAllows(caller, request.routeOptions.config.permission)
  return caller
}

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { storeSignInState, type ConnectionRow } from '../partners/store/connection-store.ts'
import { failureOf } from '../partners/provider/provider-failure.ts'

/**
 * Records the provider's failure for administrators and throws a problem without details for the person.
 * Rethrows other errors.
 */
export const recordFailure = async (
  request: FastifyRequest,
  database: Database,
  row: ConnectionRow,
  error: unknown,
): Promise<never> => {
  const failure = failureOf(error)
  request.log.warn(
    { requestId: request.id, accountId: row.account_id, reason: failure.message },
    'sign-in with the identity provider does not work',
  )
  await storeSignInState(database.kysely, row, failure)
  throw failure.kind === 'unreachable'
    ? new Problem('provider_unavailable', {}, { headers: { 'Retry-After': '30' }, cause: error })
    : new Problem('provider_refuses_client', {}, { headers: { 'Retry-After': '300' }, cause: error })
}

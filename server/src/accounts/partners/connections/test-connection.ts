import type { Tx } from '../../../platform/db/database.ts'
import { checkProvider } from './check-provider.ts'
import { checkSignIn } from './check-sign-in.ts'
import type { ConnectOptions } from './connect-provider.ts'
import {
  findConnection,
  lockAccount,
  storeSignInState,
  storeState,
  renewConnection,
  requireConnection,
  tokenRequestOf,
  type ConnectionRow,
} from '../store/connection-store.ts'
import { failureOf, type ProviderFailure } from '../provider/provider-failure.ts'
import { signInClientOf } from '../sign-in/sign-in-client.ts'
import { redirectUriOf } from './sign-in-settings.ts'

/**
 * Tests the stored settings and writes the result; returns null on success. Workers then request a new token
 * at once, even after a refusal, so that none uses a revoked one. `record` writes the audit entry in the same
 * transaction.
 */
export const testConnection = async (
  { database, secrets, agent, publicUrl }: ConnectOptions,
  accountId: number,
  record: (tx: Tx, row: ConnectionRow, failure: ProviderFailure | null) => Promise<void>,
): Promise<ProviderFailure | null> => {
  const row = await requireConnection(database.kysely, accountId)
  const request = await tokenRequestOf(database, secrets.workers, row)
  const found = await checkProvider(agent, request).catch(failureOf)
  const failure = found instanceof Error ? found : null
  // Deliveries do not depend on sign-in and continue when it fails.
  const signInFailure =
    failure === null && row.sign_in_is_enabled
      ? await checkSignIn(
          agent,
          signInClientOf(secrets, row, request),
          redirectUriOf(publicUrl, accountId),
        ).then(() => null, failureOf)
      : failure
  await database.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await record(tx, row, failure ?? signInFailure)
    const present = await findConnection(tx, accountId)
    // The connection was replaced during the test, so the result does not apply to it.
    if (present?.id !== row.id || present.version !== row.version) return
    if (row.sign_in_is_enabled) await storeSignInState(tx, row, signInFailure)
    // An unreachable provider may still answer the workers, whose token may stay valid for long.
    if (failure?.kind === 'unreachable') return
    await storeState(tx, row, failure)
    await renewConnection(tx, accountId, found instanceof Error ? null : found)
  })
  return failure ?? signInFailure
}

import type { Tx } from '../kernel/db/database.ts'
import { checkProvider } from './check-provider.ts'
import { checkSignIn } from './check-sign-in.ts'
import type { ConnectOptions } from './connect-provider.ts'
import {
  findConnection,
  lockAccount,
  noteSignIn,
  noteState,
  renewConnection,
  requireConnection,
  tokenRequestOf,
  type ConnectionRow,
} from './connection-store.ts'
import { failureOf, type ProviderFailure } from './provider-failure.ts'
import { signInClientOf } from './sign-in-client.ts'
import { redirectUriOf } from './sign-in-settings.ts'

/**
 * Tries the stored settings and notes what came of it; null = all went well. Workers then ask for a new token at once, whatever they have or wait
 * for: after a refusal too, so that none goes on with what the provider takes back. `record` leaves with what is noted.
 */
export const testConnection = async (
  { database, secrets, agent, publicUrl }: ConnectOptions,
  accountId: number,
  record: (tx: Tx, row: ConnectionRow, failure: ProviderFailure | null) => Promise<void>,
): Promise<ProviderFailure | null> => {
  const row = await requireConnection(database.kysely, accountId)
  const request = await tokenRequestOf(database, secrets, row)
  const found = await checkProvider(agent, request).catch(failureOf)
  const failure = found instanceof Error ? found : null
  // Deliveries do not depend on it, and go on where it fails.
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
    // Somebody has connected anew meanwhile: this says nothing of those settings.
    if (present?.id !== row.id || present.version !== row.version) return
    if (row.sign_in_is_enabled) await noteSignIn(tx, row, signInFailure)
    // What does not answer now may answer the workers, whose token may hold for long.
    if (failure?.kind === 'unreachable') return
    await noteState(tx, row, failure)
    await renewConnection(tx, accountId, found instanceof Error ? null : found)
  })
  return failure ?? signInFailure
}

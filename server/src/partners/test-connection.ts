import type { Tx } from '../kernel/db/database.ts'
import { checkProvider } from './check-provider.ts'
import type { ConnectOptions } from './connect-provider.ts'
import {
  findConnection,
  lockAccount,
  noteState,
  renewConnection,
  requireConnection,
  tokenRequestOf,
  type ConnectionRow,
} from './connection-store.ts'
import { failureOf, type ProviderFailure } from './provider-failure.ts'

/**
 * Tries the stored settings and notes what came of it; null = all went well. Workers then ask for a new token at once, whatever they have or wait
 * for: after a refusal too, so that none goes on with what the provider takes back. `record` leaves with what is noted.
 */
export const testConnection = async (
  { database, secrets, agent }: ConnectOptions,
  accountId: number,
  record: (tx: Tx, row: ConnectionRow, failure: ProviderFailure | null) => Promise<void>,
): Promise<ProviderFailure | null> => {
  const row = await requireConnection(database.kysely, accountId)
  const found = await checkProvider(agent, await tokenRequestOf(database, secrets, row)).catch(failureOf)
  const failure = found instanceof Error ? found : null
  await database.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await record(tx, row, failure)
    const present = await findConnection(tx, accountId)
    // Somebody has connected anew meanwhile: this says nothing of those settings.
    if (present?.id !== row.id || present.version !== row.version) return
    // What does not answer now may answer the workers, whose token may hold for long.
    if (failure?.kind === 'unreachable') return
    await noteState(tx, row, failure)
    await renewConnection(tx, accountId, found instanceof Error ? null : found)
  })
  return failure
}

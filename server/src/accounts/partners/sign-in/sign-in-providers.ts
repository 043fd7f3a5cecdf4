import { LRUCache } from 'lru-cache'
import type { Database } from '../../../platform/db/database.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { tokenRequestOf, type ConnectionRow } from '../store/connection-store.ts'
import { readDiscovery } from '../provider/discover-provider.ts'
import type { JsonObject } from '../provider/request-json.ts'
import { configureSignIn, signInClientOf } from './sign-in-client.ts'

/** Anyone can start a sign-in, so the discovery document is cached. */
const rememberedMs = 60_000

export const createSignInProviders = ({
  database,
  secrets,
  agent,
}: {
  readonly database: Database
  readonly secrets: Secrets
  readonly agent: GuardedAgent
}) => {
  const remembered = new LRUCache<string, Promise<JsonObject>>({ max: 1_000, ttl: rememberedMs })

  const discovered = (issuer: string): Promise<JsonObject> => {
    const known = remembered.get(issuer)
    if (known !== undefined) return known
    const document = readDiscovery(agent, issuer)
    remembered.set(issuer, document)
    document.catch(() => remembered.delete(issuer))
    return document
  }

  return async (row: ConnectionRow) => {
    const client = signInClientOf(secrets, row, await tokenRequestOf(database, secrets.workers, row))
    return configureSignIn(agent, client, await discovered(row.issuer))
  }
}

import type { Database } from '../../../platform/db/database.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { nodeTokenOf } from './node-token.ts'

/** Until another node takes its streams over, a node counts as there for this long. */
export const freshSeconds = 10

export interface NodeTools {
  /** Nodes belong to no account, so they are read outside the row-level security of the request. */
  readonly database: Pick<Database, 'sql'>
  readonly secrets: Secrets
}

/**
 * Calls the live node that owns a stream. Returns null when no live node does. Throws when the node does not
 * answer in time.
 */
export const callNode = async (
  { database, secrets }: NodeTools,
  nodeId: string | null,
  path: '/control/sync' | '/control/status' | '/control/clip',
  { body, timeoutMs }: { readonly body: object; readonly timeoutMs: number },
): Promise<Response | null> => {
  if (nodeId === null) return null
  const [node] = await database.sql<{ url: string }[]>`
    select url from live_nodes where id = ${nodeId} and seen_at > now() - make_interval(secs => ${freshSeconds})`
  if (node === undefined) return null
  return fetch(new URL(path, node.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${nodeTokenOf(secrets)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

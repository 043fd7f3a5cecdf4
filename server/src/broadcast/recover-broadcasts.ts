import { sql } from 'kysely'
import type { Tx } from '../kernel/db/database.ts'
import { broadcastOf } from '../live/live-broadcasts.ts'
import { lockStreamOfNode } from '../live/live-stream-store.ts'
import { endBroadcast, failBroadcast, leaveBroadcast, type StoreOptions } from './broadcast-store.ts'
import { endMessages } from './end-code.ts'
import { deadAfterSeconds, readOtherNodes, removeNode, type OtherNode } from './node-row.ts'

/** Who has the data folder of a dead node is better served with its streams: others wait a while for that one. */
const foreignAfterSeconds = 30

export interface Recovery {
  /** Takes over what nodes have left that are dead; answers how many. */
  readonly sweep: () => Promise<number>
}

interface RecoveryOptions extends StoreOptions {
  readonly disk: string
  /** Whether this very node answers at its address; null where nobody can tell. */
  readonly isThere: (node: OtherNode) => Promise<boolean | null>
}

export const createRecovery = (options: RecoveryOptions): Recovery => {
  const { database, nodeId, disk } = options

  const isDead = async (node: OtherNode): Promise<boolean> => {
    if (node.silentSeconds > foreignAfterSeconds) return true
    if (node.disk !== disk) return false
    return node.silentSeconds > deadAfterSeconds || (await options.isThere(node)) === false
  }

  const takeOver = async (node: OtherNode): Promise<void> => {
    const streams = await database.kysely
      .selectFrom('live_streams')
      .select(['account_id', 'project_id'])
      .where('node_id', '=', node.id)
      .execute()
    for (const { account_id, project_id } of streams)
      await database.transaction((tx) =>
        adopt(tx, options, node, { accountId: account_id, projectId: project_id }),
      )
    await removeNode(database, node.id)
  }

  return {
    sweep: async () => {
      const nodes = await readOtherNodes(database, nodeId)
      let count = 0
      for (const node of nodes) {
        if (!(await isDead(node))) continue
        await takeOver(node)
        count++
      }
      return count
    },
  }
}

/** The stream of a node that is gone waits for its publisher here, or is over. */
const adopt = async (
  tx: Tx,
  { nodeId, publicUrl }: StoreOptions,
  node: OtherNode,
  owner: { readonly accountId: number; readonly projectId: number },
): Promise<void> => {
  const stream = await lockStreamOfNode(tx, owner)
  if (stream.node_id !== node.id) return
  const gone = { code: 'node_lost', message: 'The server that took the stream went down.' }
  if (stream.state === 'connected') await failBroadcast(tx, publicUrl, stream, gone)
  if (stream.state === 'online') await leaveBroadcast(tx, publicUrl, stream, gone, node.seenAt)
  const isOpen = stream.state === 'online' || stream.state === 'reconnecting'
  const broadcast = isOpen ? await broadcastOf(tx, stream) : null
  const waitedSeconds =
    broadcast === null ? Infinity : await secondsSince(tx, broadcast.disconnected_at ?? node.seenAt)
  if (isOpen && waitedSeconds >= stream.reconnect_seconds) {
    const reason = { code: 'not_back', message: endMessages.not_back }
    await endBroadcast(tx, publicUrl, { ...stream, state: 'reconnecting' }, reason)
  }
  const isWaiting = isOpen && waitedSeconds < stream.reconnect_seconds
  await tx
    .updateTable('live_streams')
    .set({ node_id: isWaiting ? nodeId : null })
    .where('project_id', '=', owner.projectId)
    .execute()
}

/** By the clock of the database, which has written the others, too. */
const secondsSince = async (tx: Tx, at: Date): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from now() - ${at}::timestamptz)::float8 as seconds`.execute(tx)
  return rows[0]?.seconds ?? Infinity
}

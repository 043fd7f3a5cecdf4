import { sql } from 'kysely'
import { lockStreamOfNode } from '../live/live-stream-store.ts'
import { failBroadcast, leaveBroadcast, unlessPurged, type StoreOptions } from './broadcast-store.ts'
import type { OwnedStream } from './owned-stream.ts'

const lost = { code: 'server_failed', message: 'The server lost the stream; connect again.' }

/**
 * For a stream that its row says has a publisher at this node, while nothing of it runs here: the database wrote what it did not confirm, or did not
 * write what it was told to. `isHeld` is asked again with the row locked.
 */
export const healBroadcast = (
  { database, nodeId, publicUrl }: StoreOptions,
  { account_id, project_id, broadcast_id }: OwnedStream,
  isHeld: () => boolean,
): Promise<void> =>
  database
    .transaction(async (tx) => {
      const stream = await lockStreamOfNode(tx, { accountId: account_id, projectId: project_id })
      if (stream.node_id !== nodeId || stream.broadcast_id !== broadcast_id || isHeld()) return
      if (stream.state === 'connected') await failBroadcast(tx, publicUrl, stream, lost)
      if (stream.state === 'online') await leaveBroadcast(tx, publicUrl, stream, lost, sql<Date>`now()`)
    })
    .catch(unlessPurged)

import { sql } from 'kysely'
import { newMessage } from '../../../platform/base/message.ts'
import { liveReason } from '../../control/api/live-reason.ts'
import { lockStreamOfNode } from '../../control/store/live-stream-store.ts'
import { failBroadcast, leaveBroadcast, unlessPurged, type StoreOptions } from './broadcast-store.ts'
import type { OwnedStream } from './owned-stream.ts'

const lost = liveReason('server_failed', newMessage('live_server_lost'))

/**
 * Repairs a stream whose row shows a publisher on this node while no broadcast runs here. The database either
 * committed a write without confirming it, or lost a write. Calls `isHeld` again with the row locked.
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

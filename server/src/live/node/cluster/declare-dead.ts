import { sql } from 'kysely'
import { lockStreamOfNode } from '../../control/store/live-stream-store.ts'
import { leaveLostNode, unlessPurged, type StoreOptions } from './broadcast-store.ts'
import { backdateNode, readSupervisedNodes } from './node-row.ts'

/**
 * Marks the streams of a live node whose process has ended as having lost their publisher. Its supervisor
 * calls this. The next node on the same data folder then takes the broadcasts over at once, without waiting
 * for the dead node to time out.
 */
export const declareDead = async (
  { database, publicUrl }: Pick<StoreOptions, 'database' | 'publicUrl'>,
  supervisorId: string,
): Promise<void> => {
  for (const nodeId of await readSupervisedNodes(database, supervisorId)) {
    const streams = await database.kysely
      .selectFrom('live_streams')
      .select(['account_id as accountId', 'project_id as projectId'])
      .where('node_id', '=', nodeId)
      .execute()
    for (const owner of streams)
      await database
        .transaction(async (tx) => {
          const stream = await lockStreamOfNode(tx, owner)
          if (stream.node_id === nodeId) await leaveLostNode(tx, publicUrl, stream, sql<Date>`now()`)
        })
        .catch(unlessPurged)
    // Backdate last: a node that finds the row backdated reads the time of the loss from the broadcast.
    await backdateNode(database, nodeId)
  }
}

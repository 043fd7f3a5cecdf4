import { sql } from 'kysely'
import { liveReason } from '../../control/api/live-reason.ts'
import { newMessage } from '../../../platform/base/message.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { LiveBroadcastRow } from '../../control/store/live-broadcasts.ts'
import { broadcastOf } from '../../control/store/live-broadcasts.ts'
import { emitLive } from '../../control/api/live-events.ts'
import { writeLog } from '../../control/api/live-log.ts'
import { lockStreamOfNode, type LiveStreamRow } from '../../control/store/live-stream-store.ts'
import { cleanText, leaveLostNode, type StoreOptions } from './broadcast-store.ts'
import { leaseSeconds } from './node-row.ts'
import { readStream, type OwnedStream } from './owned-stream.ts'

export interface Claimed {
  readonly stream: OwnedStream
  readonly broadcast: LiveBroadcastRow
}

/** The key or another condition of the admission has changed, or another node has a publisher. */
export type ClaimRefusal = 'changed' | OtherOwner

export interface OtherOwner {
  readonly ownerId: string
}

export const isOtherOwner = (claimed: Claimed | ClaimRefusal): claimed is OtherOwner =>
  typeof claimed === 'object' && 'ownerId' in claimed

export interface Claimant {
  readonly remoteAddress: string
  readonly encoder: string
}

/**
 * Makes this node the owner of the stream for a new publisher. It takes over a waiting broadcast from any
 * node, or begins a new one. `authorized` is the row that admitted the publisher; a change of it since then
 * refuses the claim. `lostOwnerId` is a node that is known to be dead although its lease has not ended.
 */
export const claimStream = (
  { database, nodeId, publicUrl }: StoreOptions,
  authorized: OwnedStream,
  claimant: Claimant,
  lostOwnerId: string | null = null,
): Promise<Claimed | ClaimRefusal> =>
  database.transaction(async (tx) => {
    const owner = { accountId: authorized.account_id, projectId: authorized.project_id }
    let row = await lockStreamOfNode(tx, owner)
    const current = await readStream(tx, owner.projectId)
    if (current === undefined || !stillLetsIn(authorized, current)) return 'changed'
    const ownerId = row.node_id === nodeId ? null : row.node_id
    const isPublished = row.state === 'online' || row.state === 'connected'
    if (ownerId !== null && ownerId !== lostOwnerId && isPublished && (await isAlive(tx, ownerId)))
      return { ownerId }
    const isWaitingThere = row.state === 'reconnecting' && ownerId !== null
    await leaveLostNode(tx, publicUrl, row, isWaitingThere ? lastSignOf(ownerId) : sql<Date>`now()`)
    row = await tx
      .updateTable('live_streams')
      .set((set) => ({ node_id: nodeId, epoch: set('epoch', '+', 1), applied_version: set.ref('version') }))
      .where('project_id', '=', owner.projectId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const isWaiting = row.state === 'reconnecting'
    const broadcast = isWaiting
      ? await broadcastOf(tx, row)
      : await beginBroadcast(tx, publicUrl, row, claimant)
    const claimed = await readStream(tx, owner.projectId)
    return broadcast === null || claimed === undefined ? 'changed' : { stream: claimed, broadcast }
  })

/** Returns whether a publisher that `older` admits is also admitted by `newer`. */
export const stillLetsIn = (older: OwnedStream, newer: OwnedStream): boolean =>
  newer.is_wanted &&
  newer.current_kind === older.current_kind &&
  newer.stream_key_hash.equals(older.stream_key_hash)

/** Time of the last heartbeat of a node without a lease; now for others. A node that has stopped in order has no row. */
const lastSignOf = (nodeId: string) =>
  sql<Date>`coalesce((
    select seen_at from live_nodes
    where id = ${nodeId} and seen_at <= now() - make_interval(secs => ${leaseSeconds})
  ), now())`

const isAlive = async (tx: Tx, nodeId: string): Promise<boolean> =>
  (await tx
    .selectFrom('live_nodes')
    .select('id')
    .where('id', '=', nodeId)
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${leaseSeconds})`)
    .executeTakeFirst()) !== undefined

const beginBroadcast = async (
  tx: Tx,
  publicUrl: string,
  { account_id, project_id, kind }: Pick<LiveStreamRow, 'account_id' | 'project_id' | 'kind'>,
  claimant: Claimant,
): Promise<LiveBroadcastRow> => {
  const encoder = cleanText(claimant.encoder)
  const broadcast = await tx
    .insertInto('live_broadcasts')
    .values({
      account_id,
      project_id,
      kind,
      online_at: null,
      disconnected_at: null,
      ended_at: null,
      end_reason: null,
      publisher_address: claimant.remoteAddress,
      publisher_encoder: encoder,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const stream = await tx
    .updateTable('live_streams')
    .set((set) => ({
      state: 'connected',
      broadcast_id: broadcast.id,
      stops_done: set.ref('stops_wanted'),
      is_recording_wanted: set.ref('is_auto_recorded'),
    }))
    .where('project_id', '=', project_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitLive(tx, publicUrl, stream, 'live.connected', { broadcast })
  await writeLog(tx, stream, {
    level: 'info',
    ...liveReason(
      'connected',
      encoder === ''
        ? newMessage('live_publisher_accepted', { address: claimant.remoteAddress })
        : newMessage('live_encoder_accepted', { address: claimant.remoteAddress, encoder }),
    ),
  })
  return broadcast
}

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { liveReason } from '../../control/api/live-reason.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import { broadcastOf } from '../../control/store/live-broadcasts.ts'
import { lockStreamOfNode, type LiveStreamOwner } from '../../control/store/live-stream-store.ts'
import { endBroadcast, leaveLostNode, unlessPurged, type StoreOptions } from './broadcast-store.ts'
import { endMessages } from './end-code.ts'
import {
  heartbeatMs,
  leaseSeconds,
  readNode,
  readOrphanedStreams,
  readOtherNodes,
  removeNode,
  type OtherNode,
} from './node-row.ts'

/**
 * A node that answers, but cannot write to the database, keeps its streams and publishers for this long. Counts only the
 * time in which this node could write.
 */
export const cutOffAfterSeconds = 30
/** Two heartbeats are missing. A node that has just written one need not be asked. */
const suspectAfterSeconds = (2 * heartbeatMs) / 1_000
/** A node whose row was removed too early writes it again with its next heartbeat. */
const orphanedAfterMs = 2.5 * heartbeatMs
const doubtMs = 100

export interface Recovery {
  /**
   * Takes over the streams of dead and removed nodes. Returns how many nodes were dead and how many streams had no
   * node.
   */
  readonly sweep: () => Promise<number>
  /**
   * Runs the sweep before any publisher is admitted. Waits up to the time of a heartbeat until it is clear
   * which nodes on this disk are alive. Otherwise publishers of a node that was just killed would be refused
   * as already publishing.
   */
  readonly begin: () => Promise<void>
  /** Resolves as soon as it is clear whether another node is dead, at the latest when its lease ends. */
  readonly isLost: (otherId: string) => Promise<boolean>
  /** The other nodes at the last sweep, without those that it found dead. */
  readonly others: () => readonly OtherNode[]
}

interface RecoveryOptions extends StoreOptions {
  readonly disk: string
  /** Returns whether the same node answers at its address, or null when this cannot be determined. */
  readonly isThere: (node: OtherNode) => Promise<boolean | null>
  /** Since when no heartbeat of this node has failed, by the clock `now`. */
  readonly steadySinceMs: () => number
  /** A clock that is never set. */
  readonly now: () => number
  readonly log: Log
}

export const createRecovery = (options: RecoveryOptions): Recovery => {
  const { database, nodeId, disk, now, log } = options
  /** Time at which a missing node was first noticed, by stream and node. */
  let orphanedSinceMs = new Map<string, number>()
  let others: readonly OtherNode[] = []

  const judge = async (node: OtherNode): Promise<'alive' | 'dead' | 'unclear'> => {
    const { silentSeconds } = node
    if (silentSeconds <= suspectAfterSeconds) return 'unclear'
    const steadySeconds = (now() - options.steadySinceMs()) / 1_000
    if (Math.min(silentSeconds, steadySeconds) > cutOffAfterSeconds) return 'dead'
    const isThere = await options.isThere(node)
    if (isThere !== null) return isThere ? 'alive' : 'dead'
    // A paused node and an unreachable machine do not answer at all, and the lease may have ended meanwhile.
    const current = await readNode(database, node.id)
    const isSilent = current?.seenAt.getTime() === node.seenAt.getTime()
    return isSilent && current.silentSeconds > leaseSeconds ? 'dead' : 'unclear'
  }

  const tryAdopt = async (node: Departed, owner: LiveStreamOwner): Promise<void> => {
    try {
      await database.transaction((tx) => adopt(tx, options, node, owner)).catch(unlessPurged)
    } catch (error) {
      log.warn({ err: error, projectId: owner.projectId }, 'cannot take over a live stream yet')
    }
  }

  const takeOver = async (node: OtherNode): Promise<void> => {
    const streams = await database.kysely
      .selectFrom('live_streams')
      .select(['account_id', 'project_id'])
      .where('node_id', '=', node.id)
      .execute()
    for (const { account_id, project_id } of streams)
      await tryAdopt(node, { accountId: account_id, projectId: project_id })
    // Streams that were not taken over are orphaned from now on.
    await removeNode(database, node.id)
  }

  const adoptOrphans = async (): Promise<number> => {
    let count = 0
    const sinceMs = new Map<string, number>()
    for (const orphan of await readOrphanedStreams(database, nodeId)) {
      const key = `${orphan.projectId} ${orphan.nodeId}`
      const firstMs = orphanedSinceMs.get(key) ?? now()
      if (now() - firstMs < orphanedAfterMs) sinceMs.set(key, firstMs)
      else {
        await tryAdopt({ id: orphan.nodeId, seenAt: orphan.foundAt }, orphan)
        count++
      }
    }
    orphanedSinceMs = sinceMs
    return count
  }

  const sweep = async (): Promise<number> => {
    const nodes = await readOtherNodes(database, nodeId)
    others = nodes
    const verdicts = await Promise.all(nodes.map(judge))
    const dead = nodes.filter((_node, index) => verdicts[index] === 'dead')
    for (const node of dead) await takeOver(node)
    others = nodes.filter((node) => !dead.includes(node))
    return dead.length + (await adoptOrphans())
  }

  const isLost = async (otherId: string): Promise<boolean> => {
    const first = await readNode(database, otherId)
    for (let node = first; node !== undefined; node = await readNode(database, otherId)) {
      if (node.seenAt.getTime() !== first?.seenAt.getTime()) return false
      const verdict = await judge(node)
      if (verdict !== 'unclear') return verdict === 'dead'
      await delay(doubtMs)
    }
    return true
  }

  const readNeighbours = async (): Promise<OtherNode[]> => {
    const nodes = await readOtherNodes(database, nodeId)
    return nodes.filter((node) => node.disk === disk && node.silentSeconds <= suspectAfterSeconds)
  }

  return {
    sweep,
    isLost,
    others: () => others,
    begin: async () => {
      const firstSeen = new Map((await readNeighbours()).map(({ id, seenAt }) => [id, seenAt.getTime()]))
      const isInDoubt = ({ id, seenAt }: OtherNode): boolean => firstSeen.get(id) === seenAt.getTime()
      while ((await readNeighbours()).some(isInDoubt)) await delay(doubtMs)
      await sweep()
    },
  }
}

type Departed = Pick<OtherNode, 'id' | 'seenAt'>

/** Makes the stream of a lost node wait for its publisher here, or ends its broadcast. */
const adopt = async (
  tx: Tx,
  { nodeId, publicUrl }: StoreOptions,
  node: Departed,
  owner: LiveStreamOwner,
): Promise<void> => {
  const stream = await lockStreamOfNode(tx, owner)
  if (stream.node_id !== node.id) return
  await leaveLostNode(tx, publicUrl, stream, node.seenAt)
  const isOpen = stream.state === 'online' || stream.state === 'reconnecting'
  const broadcast = isOpen ? await broadcastOf(tx, stream) : null
  const waitedSeconds =
    broadcast === null ? Infinity : await secondsSince(tx, broadcast.disconnected_at ?? node.seenAt)
  if (isOpen && waitedSeconds >= stream.reconnect_seconds) {
    const reason = liveReason('not_back', endMessages.not_back)
    await endBroadcast(tx, publicUrl, { ...stream, state: 'reconnecting' }, reason)
  }
  const isWaiting = isOpen && waitedSeconds < stream.reconnect_seconds
  await tx
    .updateTable('live_streams')
    .set((set) => ({ node_id: isWaiting ? nodeId : null, epoch: set('epoch', '+', 1) }))
    .where('project_id', '=', owner.projectId)
    .execute()
}

/** Uses the clock of the database, which has written the other times, too. */
const secondsSince = async (tx: Tx, at: Date): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from now() - ${at}::timestamptz)::float8 as seconds`.execute(tx)
  return rows[0]?.seconds ?? Infinity
}

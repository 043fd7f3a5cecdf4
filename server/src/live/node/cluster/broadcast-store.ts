import { sql } from 'kysely'
import { newMessage } from '../../../platform/base/message.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { LiveBroadcastRow } from '../../control/store/live-broadcasts.ts'
import { emitLive, type LiveEventName } from '../../control/api/live-events.ts'
import { writeLog, type LiveLogLevel } from '../../control/api/live-log.ts'
import type { LiveEventDetails } from '../../control/api/live-record.ts'
import { liveReason, type LiveReason } from '../../control/api/live-reason.ts'
import { lockStreamOfNode, type LiveStreamRow } from '../../control/store/live-stream-store.ts'
import { idleTargets } from '../outputs/simulcast/target-states.ts'

export interface BroadcastKey {
  readonly accountId: number
  readonly projectId: number
  readonly broadcastId: number
  /** Count of changes of the owner. A node that lost the stream and got it back has another epoch. */
  readonly epoch: number
}

/**
 * Changes the rows of a broadcast and emits the events. Each method does nothing when the rows already match,
 * or when another node owns the stream.
 */
export interface BroadcastStore {
  readonly markOnline: (key: BroadcastKey) => Promise<void>
  readonly markAway: (key: BroadcastKey, reason: LiveReason) => Promise<void>
  readonly markBack: (
    key: BroadcastKey,
    publisher: { readonly address: string; readonly encoder: string },
  ) => Promise<void>
  readonly markEnded: (key: BroadcastKey, reason: LiveReason) => Promise<void>
  /** Marks a broadcast that ended before viewers could see anything. */
  readonly markFailed: (key: BroadcastKey, reason: LiveReason) => Promise<void>
  readonly markApplied: (key: BroadcastKey, version: number) => Promise<void>
  readonly warn: (key: BroadcastKey, warning: LiveReason) => Promise<void>
}

export interface StoreOptions {
  readonly database: Database
  readonly nodeId: string
  readonly publicUrl: string
}

type State = LiveStreamRow['state']

/** A state change. It updates the broadcast and then the stream, so that the event shows both. */
interface Turn {
  readonly state: State
  readonly event: LiveEventName
  readonly level: LiveLogLevel
  readonly logEntry: LiveReason
  readonly broadcast: BroadcastChange
  readonly details?: LiveEventDetails
}

type BroadcastChange = Partial<
  Pick<LiveBroadcastRow, 'end_reason' | 'publisher_address' | 'publisher_encoder'>
> & {
  readonly [Column in 'online_at' | 'disconnected_at' | 'lost_until' | 'ended_at']?: typeof now | Date | null
}

const now = sql<Date>`now()`

export const createBroadcastStore = ({ database, nodeId, publicUrl }: StoreOptions): BroadcastStore => {
  /** Runs `work` with the stream locked, if this node owns the broadcast and its state is in `from`. */
  const change = async (
    key: BroadcastKey,
    from: readonly State[],
    work: (tx: Tx, stream: LiveStreamRow) => Promise<void>,
  ): Promise<void> => {
    await database
      .transaction(async (tx) => {
        const stream = await lockStreamOfNode(tx, key)
        if (stream.node_id !== nodeId || stream.epoch !== key.epoch) return
        if (stream.broadcast_id !== key.broadcastId) return
        if (from.includes(stream.state)) await work(tx, stream)
      })
      .catch(unlessPurged)
  }

  return {
    markOnline: (key) =>
      change(key, ['connected'], async (tx, stream) => {
        await setIsLive(tx, stream, true)
        await turn(tx, publicUrl, stream, {
          state: 'online',
          event: 'live.started',
          level: 'info',
          logEntry: liveReason('started', newMessage('live_started')),
          broadcast: { online_at: now },
        })
      }),
    markAway: (key, reason) =>
      change(key, ['online'], (tx, stream) => leaveBroadcast(tx, publicUrl, stream, reason, now)),
    markBack: (key, publisher) =>
      change(key, ['reconnecting'], (tx, stream) =>
        turn(tx, publicUrl, stream, {
          state: 'online',
          event: 'live.reconnected',
          level: 'info',
          logEntry: liveReason(
            'reconnected',
            newMessage('live_publisher_back', { address: publisher.address }),
          ),
          broadcast: {
            disconnected_at: null,
            lost_until: null,
            publisher_address: publisher.address,
            publisher_encoder: cleanText(publisher.encoder),
          },
        }),
      ),
    markEnded: (key, reason) =>
      change(key, ['online', 'reconnecting'], (tx, stream) => endBroadcast(tx, publicUrl, stream, reason)),
    markFailed: (key, reason) =>
      change(key, ['connected'], (tx, stream) => failBroadcast(tx, publicUrl, stream, reason)),
    markApplied: async (key, version) => {
      await database.kysely
        .updateTable('live_streams')
        .set({ applied_version: version })
        .where('project_id', '=', key.projectId)
        .where('node_id', '=', nodeId)
        .where('epoch', '=', key.epoch)
        .where('applied_version', '<', version)
        .execute()
    },
    warn: (key, warning) =>
      change(key, ['connected', 'online', 'reconnecting'], async (tx, stream) => {
        await emitLive(tx, publicUrl, stream, 'live.warning', { warning })
        await writeLog(tx, stream, { level: 'warning', ...warning })
      }),
  }
}

/** Ignores 'not_found': a purged project has no rows left to change. */
export const unlessPurged = (error: unknown): void => {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error
}

/** PostgreSQL rejects NUL, and encoders may send any text as their name. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Records that the publisher left at `at`. The caller holds the lock on the stream, which is `online`. */
export const leaveBroadcast = (
  tx: Tx,
  publicUrl: string,
  stream: LiveStreamRow,
  reason: LiveReason,
  at: typeof now | Date,
  lostUntil: typeof now | null = null,
): Promise<void> =>
  turn(tx, publicUrl, stream, {
    state: 'reconnecting',
    event: 'live.disconnected',
    level: 'warning',
    logEntry: reason,
    broadcast: { disconnected_at: at, lost_until: lostUntil },
  })

/** Ends the broadcast. The caller holds the lock on the stream, which is `online` or `reconnecting`. */
export const endBroadcast = async (
  tx: Tx,
  publicUrl: string,
  stream: LiveStreamRow,
  reason: LiveReason,
): Promise<void> => {
  await setIsLive(tx, stream, false)
  await turn(tx, publicUrl, stream, {
    state: 'offline',
    event: 'live.ended',
    level: 'info',
    logEntry: reason,
    broadcast: { ended_at: now, end_reason: reason.code },
  })
}

/** Fails the broadcast. The caller holds the lock on the stream, which is `connected`. */
export const failBroadcast = (
  tx: Tx,
  publicUrl: string,
  stream: LiveStreamRow,
  reason: LiveReason,
): Promise<void> =>
  turn(tx, publicUrl, stream, {
    state: 'offline',
    event: 'live.failed',
    level: 'error',
    logEntry: reason,
    broadcast: { ended_at: now, end_reason: reason.code },
    details: { failure: reason },
  })

/**
 * Records that the node was lost at `at`, its last sign of life. The caller holds the lock on the stream, which may be
 * in any state.
 */
export const leaveLostNode = async (
  tx: Tx,
  publicUrl: string,
  stream: LiveStreamRow,
  at: typeof now | Date,
): Promise<void> => {
  const reason = liveReason('node_lost', newMessage('live_node_lost'))
  // Without the database, the node may have published for longer than it could write.
  if (stream.state === 'online') await leaveBroadcast(tx, publicUrl, stream, reason, at, now)
  if (stream.state === 'connected') await failBroadcast(tx, publicUrl, stream, reason)
  // A publisher that came back to a node without the database has left no trace.
  if (stream.state === 'reconnecting')
    await tx
      .updateTable('live_broadcasts')
      .set({
        lost_until: sql<Date>`greatest(lost_until, disconnected_at) + (now() - ${at}::timestamptz)`,
      })
      .where('id', '=', stream.broadcast_id)
      .execute()
}

const turn = async (tx: Tx, publicUrl: string, stream: LiveStreamRow, to: Turn): Promise<void> => {
  const broadcast = await tx
    .updateTable('live_broadcasts')
    .set(to.broadcast)
    .where('id', '=', stream.broadcast_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('live_streams')
    .set((set) => ({
      state: to.state,
      ...(to.state === 'offline' && {
        broadcast_id: null,
        stops_done: set.ref('stops_wanted'),
        is_recording_wanted: false,
      }),
    }))
    .where('project_id', '=', stream.project_id)
    .execute()
  if (to.state === 'offline') {
    await idleTargets(tx, stream)
    await tx.deleteFrom('live_journal').where('broadcast_id', '=', broadcast.id).execute()
  }
  await emitLive(tx, publicUrl, stream, to.event, { ...to.details, broadcast })
  await writeLog(tx, stream, { level: to.level, ...to.logEntry })
}

const setIsLive = async (tx: Tx, { project_id }: LiveStreamRow, isLive: boolean): Promise<void> => {
  await tx.updateTable('projects').set({ is_live: isLive }).where('id', '=', project_id).execute()
}

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Tx } from '../../../../platform/db/database.ts'
import { isPassingError } from '../../../../platform/db/driver/is-passing-error.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'
import type { TargetState } from './target-push.ts'

export interface TargetStates {
  readonly set: (targetId: number, state: TargetState | 'idle') => void
  /** Tries pending states once more at once, then gives up. */
  readonly finish: () => Promise<void>
}

/** The owner of the stream: another epoch has another one. */
export interface TargetOwner {
  readonly projectId: number
  readonly epoch: number
}

const retryMs = 1_000

/**
 * Writes only the last state of each target, so that changes during a slow write cause one more write. Retries
 * during a database outage. Writes nothing when another node owns the stream.
 */
export const createTargetStates = (
  database: Database,
  { projectId, epoch }: TargetOwner,
  log: Log,
): TargetStates => {
  const pending = new Map<number, TargetState | 'idle'>()
  const finishing = new AbortController()
  let writing: Promise<void> | null = null

  const write = async (targetId: number, state: TargetState | 'idle'): Promise<void> => {
    const isOnline = state !== 'idle' && state.state === 'online'
    // The last failure stays visible during a retry.
    const isRetry = state !== 'idle' && state.state === 'connecting' && state.restartCount > 0
    await database.kysely
      .updateTable('live_targets')
      .set({
        state: state === 'idle' ? state : state.state,
        online_since: isOnline ? sql<Date>`coalesce(online_since, now())` : null,
        ...(state !== 'idle' && { restart_count: state.restartCount }),
        ...(!isRetry && { message: state === 'idle' ? null : state.message }),
      })
      .where('id', '=', targetId)
      .where((where) =>
        where.exists(
          where
            .selectFrom('live_streams')
            .select('project_id')
            .where('project_id', '=', projectId)
            .where('epoch', '=', epoch),
        ),
      )
      .execute()
  }

  const writeAll = async (): Promise<void> => {
    for (let next = pending.entries().next(); next.done !== true; next = pending.entries().next()) {
      const [targetId, state] = next.value
      pending.delete(targetId)
      const isLastTry = finishing.signal.aborted
      try {
        await write(targetId, state)
      } catch (error) {
        log.warn({ err: error, targetId }, 'cannot store the state of a simulcast target')
        if (isLastTry || !isPassingError(error)) continue
        if (!pending.has(targetId)) pending.set(targetId, state)
        await delay(retryMs, null, { signal: finishing.signal }).catch(() => {})
      }
    }
    writing = null
  }

  return {
    set: (targetId, state) => {
      pending.set(targetId, state)
      writing ??= writeAll()
    },
    finish: async () => {
      finishing.abort()
      await writing
    },
  }
}

/** Sets the targets of a stream that turns offline to idle, because its node may have failed to store their states. */
export const idleTargets = async (
  tx: Tx,
  { account_id, project_id }: Pick<LiveStreamRow, 'account_id' | 'project_id'>,
): Promise<void> => {
  await tx
    .updateTable('live_targets')
    .set({ state: 'idle', online_since: null, message: null })
    .where('account_id', '=', account_id)
    .where('project_id', '=', project_id)
    .where('state', '<>', 'idle')
    .execute()
}

/** Resets the states that a killed process left for offline streams. A node calls this at its start. */
export const resetTargetStates = async (database: Database): Promise<void> => {
  await sql`
    update live_targets set state = 'idle', online_since = null
    from live_streams
    where live_targets.project_id = live_streams.project_id
      and live_targets.state <> 'idle' and live_streams.state = 'offline'`.execute(database.kysely)
}

import type { Database } from '../../../../platform/db/database.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { writeLog } from '../../../control/api/live-log.ts'
import { liveReason } from '../../../control/api/live-reason.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'
import type { TargetState } from './target-push.ts'

export interface TargetLog {
  /** `name` is the label of the target, or its host. */
  readonly note: (target: { readonly id: number; readonly name: string }, state: TargetState) => void
  readonly settled: () => Promise<void>
}

/**
 * Writes into the log of the stream when a target begins to get it and when it is lost. Repeated failures add nothing.
 */
export const createTargetLog = (
  database: Database,
  stream: Pick<LiveStreamRow, 'account_id' | 'project_id' | 'broadcast_id'>,
  log: Log,
): TargetLog => {
  const noted = new Map<number, 'reached' | 'lost'>()
  let written: Promise<unknown> = Promise.resolve()
  return {
    note: ({ id, name }, { state, hasFailed, message }) => {
      const now = state === 'online' ? 'reached' : hasFailed ? 'lost' : null
      if (now === null || noted.get(id) === now) return
      noted.set(id, now)
      const entry =
        now === 'reached'
          ? ({
              ...liveReason('target_online', newMessage('live_target_online', { target: name })),
              level: 'info',
            } as const)
          : ({
              ...liveReason(
                'target_lost',
                newMessage('live_target_lost', { target: name, detail: message ?? '' }),
              ),
              level: 'warning',
            } as const)
      written = written
        .then(() => writeLog(database.kysely, stream, entry))
        .catch((error: unknown) => log.warn({ err: error, targetId: id }, 'cannot log a simulcast target'))
    },
    settled: async () => {
      await written
    },
  }
}

import type { EventName } from '@zoetrope/vocabulary'
import type { Tx } from '../../../platform/db/database.ts'
import { emit } from '../../../platform/outbox/outbox.ts'
import { broadcastOf } from '../store/live-broadcasts.ts'
import { renderLive, type LiveEventDetails } from './live-record.ts'
import type { LiveStreamRow } from '../store/live-stream-store.ts'

export type LiveEventName = Extract<EventName, `live.${string}` | `recording.${string}`>

/**
 * Must be called in the transaction of the change, after the rows have changed, because the record shows
 * their current state. Locks the stream and increments its sequence. The broadcast is the current one, unless
 * the details name one that has just ended.
 */
export const emitLive = async (
  tx: Tx,
  publicUrl: string,
  { project_id }: Pick<LiveStreamRow, 'project_id'>,
  name: LiveEventName,
  details: LiveEventDetails = {},
): Promise<void> => {
  const stream = await tx
    .updateTable('live_streams')
    .set((set) => ({ sequence: set('sequence', '+', 1) }))
    .where('project_id', '=', project_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const broadcast = details.broadcast ?? (await broadcastOf(tx, stream))
  await emit(tx, {
    accountId: stream.account_id,
    projectId: stream.project_id,
    fileId: null,
    name,
    sequence: stream.sequence,
    subject: 'Live',
    record: renderLive(stream, { ...details, broadcast }, publicUrl),
  })
}

import type { Message } from '@zoetrope/vocabulary'
import { liveReason } from '../../../control/api/live-reason.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { writeLog } from '../../../control/api/live-log.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'

type Named = Pick<LiveStreamRow, 'account_id' | 'project_id' | 'broadcast_id'>

/** Writes to the log of a stream why no media arrives. */
export type LogToStream = (stream: Named, code: string, message: Message) => void

/** A source that is retried every few seconds fails for the same reason each time. */
const sameAgainMs = 300_000
const rememberedStreams = 10_000

/** Writes the same message for a stream at most once in five minutes. */
export const createLogToStream = (database: Database, log: Log): LogToStream => {
  const said = new Map<number, { readonly text: string; readonly atMs: number }>()
  return (stream, code, message) => {
    const text = `${code} ${message.text}`
    const last = said.get(stream.project_id)
    const nowMs = performance.now()
    if (last?.text === text && nowMs - last.atMs < sameAgainMs) return
    if (said.size >= rememberedStreams) said.clear()
    said.set(stream.project_id, { text, atMs: nowMs })
    writeLog(database.kysely, stream, { level: 'error', ...liveReason(code, message) }).catch(
      (error: unknown) =>
        log.warn({ err: error, projectId: stream.project_id }, 'cannot store an entry of the live log'),
    )
  }
}

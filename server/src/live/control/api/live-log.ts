import { sql, type Selectable } from 'kysely'
import { Type } from 'typebox'
import { messageParamsSchema } from '../../../platform/http/openapi/message-schema.ts'
import { storedParams } from '../../../platform/base/message.ts'
import type { Page } from '../../../platform/http/responses/paging.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import type { LiveLogTable } from '../../../platform/db/tables/live.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import type { LiveReason } from './live-reason.ts'
import type { LiveStreamOwner, LiveStreamRow } from '../store/live-stream-store.ts'
import { readOwnPage } from '../store/own-page.ts'

export type LiveLogLevel = LiveLogTable['level']

/**
 * Writes an entry for the operators of the stream: what happened and, for errors, the remedy. Never contains
 * a key.
 */
export const writeLog = async (
  queryable: Queryable,
  stream: Pick<LiveStreamRow, 'account_id' | 'project_id' | 'broadcast_id'>,
  { level, code, message, reason, params }: LiveReason & { readonly level: LiveLogLevel },
): Promise<void> => {
  await queryable
    .insertInto('live_log')
    .values({
      account_id: stream.account_id,
      project_id: stream.project_id,
      broadcast_id: stream.broadcast_id,
      level,
      code,
      // Encoders may send any text as their name.
      message: message.replaceAll('\0', '').slice(0, longestMessage).toWellFormed(),
      reason: reason ?? null,
      params: params === undefined ? null : storedParams(params),
    })
    .execute()
}

const longestMessage = 1_000

export const logRecord = (row: Selectable<LiveLogTable>) => ({
  Id: row.id,
  Level: row.level,
  Code: row.code,
  Message: row.message,
  Reason: row.reason,
  Params: row.params,
  BroadcastId: row.broadcast_id,
  OccurredAt: toTimestamp(row.occurred_at),
})

export const liveLogEntrySchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the entry.'),
    Level: Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')], {
      description: 'Severity of the entry.',
    }),
    Code: Type.String({
      description: 'Stable code for programs. New codes may be added.',
      examples: ['second_publisher'],
    }),
    Message: Type.String({ description: 'Explanation for people.' }),
    Reason: nullable(
      Type.String({ examples: ['live_publisher_refused'] }),
      'Stable name of `Message`, for translations. Null for warnings, whose `Code` is enough, and for entries of older releases.',
    ),
    Params: nullable(messageParamsSchema, 'Values in `Message`. Null without `Reason`.'),
    BroadcastId: nullable(idSchema, 'Broadcast that the entry belongs to. Null if it belongs to none.'),
    OccurredAt: described(timestampSchema, 'Time at which it happened.'),
  },
  {
    description: 'A log entry of a live stream, for operators.',
    examples: [
      {
        Id: 12,
        Level: 'error',
        Code: 'second_publisher',
        Message:
          'A publisher from 192.0.2.9 was refused: Another publisher is already sending to this live stream.',
        Reason: 'live_publisher_refused',
        Params: { address: '192.0.2.9', cause: { reason: 'live_second_publisher', params: {} } },
        BroadcastId: 7,
        OccurredAt: '2026-03-01T12:10:00.000+00:00',
      },
    ],
  },
)

export const listLog = (queryable: Queryable, owner: LiveStreamOwner, page: Page) =>
  readOwnPage(queryable.selectFrom('live_log').selectAll(), owner, page)

const rowsAtOnce = 5_000

export const dropOldLiveLog = async (database: Database, retentionDays: number): Promise<void> => {
  const before = new Date(Date.now() - retentionDays * 86_400_000)
  let dropped: number
  do {
    const { rows } = await sql`
      delete from live_log where id in (
        select id from live_log where occurred_at < ${before} order by occurred_at limit ${rowsAtOnce}
      )
      returning id`.execute(database.kysely)
    dropped = rows.length
  } while (dropped === rowsAtOnce)
}

import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Page } from '../../../platform/http/responses/paging.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { LiveRecordingsTable } from '../../../platform/db/tables/live.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { readOwnPage } from './own-page.ts'
import type { LiveStreamOwner } from './live-stream-store.ts'

export type LiveRecordingRow = Selectable<LiveRecordingsTable>

export const recordingRecord = (row: LiveRecordingRow) => ({
  Id: row.id,
  Kind: row.kind,
  BroadcastId: row.broadcast_id,
  Title: row.title,
  State: row.state,
  Message: row.message,
  FileId: row.file_id,
  StartedAt: toTimestamp(row.started_at),
  EndedAt: toTimestampOrNull(row.ended_at),
})

export const liveRecordingSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the recording.'),
    Kind: Type.Union([Type.Literal('recording'), Type.Literal('clip')], {
      description:
        '`recording`: a broadcast, or a part of it. `clip`: the last seconds of a broadcast, cut by `POST …/live/clip`.',
    }),
    BroadcastId: described(idSchema, 'Broadcast that was recorded.'),
    Title: Type.String({ description: 'Title of the recording.' }),
    State: Type.Union(
      [
        Type.Literal('recording'),
        Type.Literal('finishing'),
        Type.Literal('finished'),
        Type.Literal('failed'),
      ],
      { description: '`finished`: the file FileId holds it. `failed`: Message says why there is no file.' },
    ),
    Message: nullable(Type.String(), 'Why the recording failed or stopped early. Null otherwise.'),
    FileId: nullable(Type.Integer({ ...idSchema }), 'File that holds the recording. Null until it is made.'),
    StartedAt: described(timestampSchema, 'Time at which the recording starts.'),
    EndedAt: nullable(timestampSchema, 'Time at which the recording ended. Null before.'),
  },
  {
    description: 'A recording or a clip of a broadcast.',
    examples: [
      {
        Id: 5,
        Kind: 'recording',
        BroadcastId: 7,
        Title: 'Spring show',
        State: 'finished',
        Message: null,
        FileId: 31,
        StartedAt: '2026-03-01T12:00:01.400+00:00',
        EndedAt: '2026-03-01T13:00:02.000+00:00',
      },
    ],
  },
)

export const listRecordings = (queryable: Queryable, owner: LiveStreamOwner, page: Page) =>
  readOwnPage(queryable.selectFrom('live_recordings').selectAll(), owner, page)

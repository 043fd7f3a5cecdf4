import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { Page } from '../../../platform/http/responses/paging.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { isUnchanged } from '../../../platform/db/is-unchanged.ts'
import type { LiveTargetsTable } from '../../../platform/db/tables/live.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { LiveStreamOwner, LiveStreamRow } from '../store/live-stream-store.ts'
import { readOwnPage } from '../store/own-page.ts'
import { maskStreamUri } from '../settings/stream-uri.ts'
import { targetServerOf } from './target-address.ts'

export type LiveTargetRow = Selectable<LiveTargetsTable>

/** Each target costs the node the full bit rate of the stream once more. */
const maxTargets = 10

const fields = {
  Label: Type.String({
    maxLength: 255,
    examples: ['YouTube'],
    description: 'Name of the target, for your team.',
  }),
  IsEnabled: Type.Boolean({ description: 'Whether broadcasts are sent to the target. Default true.' }),
}

const addressFields = {
  URI: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        'RTMP or RTMPS URL with the stream key as the last part of the path. Send this, or `ServerURI` and `StreamKey`.',
      examples: ['rtmps://live.example.com/app/their-stream-key'],
    }),
  ),
  ServerURI: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        'Server URL as platforms show it, without the stream key. A new one must come with `StreamKey`.',
      examples: ['rtmps://live.example.com/app'],
    }),
  ),
  StreamKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Stream key as platforms show it. It is stored encrypted and not shown again.',
      examples: ['their-stream-key'],
    }),
  ),
}

const optionalFields = {
  Label: Type.Optional(nullable(fields.Label)),
  IsEnabled: Type.Optional(nullable(fields.IsEnabled)),
}

export const liveTargetCreateSchema = Type.Object(
  { ...optionalFields, ...addressFields },
  {
    description: 'A simulcast target: `ServerURI` and `StreamKey`, or both in one `URI`.',
    examples: [
      { Label: 'YouTube', ServerURI: 'rtmps://live.example.com/app', StreamKey: 'their-stream-key' },
    ],
  },
)

export const liveTargetUpdateSchema = Type.Object(
  { ...optionalFields, ...addressFields },
  { description: 'A partial update. Absent fields keep their values.', examples: [{ IsEnabled: false }] },
)

export type LiveTargetWrite = Static<typeof liveTargetUpdateSchema>

export const liveTargetSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the simulcast target.'),
    ...fields,
    URI: Type.String({
      description: 'RTMP or RTMPS URL. Only the last characters of the stream key are shown.',
    }),
    ServerURI: Type.String({ description: 'The same without the stream key.' }),
    CreatedAt: described(timestampSchema, 'Time at which the target was created.'),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the target.'),
  },
  {
    description: 'A simulcast target. Its state is in the status of the stream.',
    examples: [
      {
        Id: 4,
        Label: 'YouTube',
        URI: 'rtmps://live.example.com/app/…-key',
        ServerURI: 'rtmps://live.example.com/app',
        IsEnabled: true,
        CreatedAt: '2026-03-01T12:00:00.000+00:00',
        LastUpdateAt: '2026-03-01T12:00:00.000+00:00',
      },
    ],
  },
)

export const targetUriOf = ({ sealed_uri }: Pick<LiveTargetRow, 'sealed_uri'>, secrets: Secrets): string =>
  secrets.liveNodes.open(sealed_uri).toString()

export const targetRecord = (row: LiveTargetRow, secrets: Secrets) => ({
  Id: row.id,
  Label: row.label,
  URI: maskStreamUri(targetUriOf(row, secrets)),
  ServerURI: targetServerOf(targetUriOf(row, secrets)),
  IsEnabled: row.is_enabled,
  CreatedAt: toTimestamp(row.created_at),
  LastUpdateAt: toTimestamp(row.updated_at),
})

export const targetStatus = (row: LiveTargetRow) => ({
  Id: row.id,
  Label: row.label,
  State: row.state,
  Message: row.message,
  OnlineSince: toTimestampOrNull(row.online_since),
  RestartCount: row.restart_count,
})

const targetsOf = (queryable: Queryable, { accountId, projectId }: LiveStreamOwner) =>
  queryable
    .selectFrom('live_targets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)

const targetNotFound = (targetId: number, { projectId }: LiveStreamOwner): Problem =>
  new Problem('target_not_found', { targetId, projectId })

export const listTargets = (queryable: Queryable, owner: LiveStreamOwner, page: Page) =>
  readOwnPage(queryable.selectFrom('live_targets').selectAll(), owner, page)

export const allTargets = (queryable: Queryable, owner: LiveStreamOwner): Promise<LiveTargetRow[]> =>
  targetsOf(queryable, owner).orderBy('id').execute()

/** The target cannot change in a transaction that has locked the stream. */
export const findTarget = async (
  queryable: Queryable,
  owner: LiveStreamOwner,
  targetId: number,
): Promise<LiveTargetRow> => {
  const row = await targetsOf(queryable, owner).where('id', '=', targetId).executeTakeFirst()
  if (row === undefined) throw targetNotFound(targetId, owner)
  return row
}

export interface LiveTargetChange {
  readonly label?: string
  readonly is_enabled?: boolean
  readonly sealed_uri?: Buffer
}

/** The caller must hold the lock on the stream. */
export const insertTarget = async (
  tx: Tx,
  { account_id, project_id }: LiveStreamRow,
  change: LiveTargetChange & { readonly sealed_uri: Buffer },
): Promise<LiveTargetRow> => {
  const others = await allTargets(tx, { accountId: account_id, projectId: project_id })
  if (others.length >= maxTargets)
    throw new Problem('too_many_targets', { projectId: project_id, count: others.length })
  return tx
    .insertInto('live_targets')
    .values({ label: '', ...change, account_id, project_id, message: null, online_since: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes nothing when no value changes. */
export const changeTarget = async (
  tx: Tx,
  target: LiveTargetRow,
  change: LiveTargetChange,
): Promise<LiveTargetRow> => {
  if (isUnchanged(target, change)) return target
  return tx
    .updateTable('live_targets')
    .set((set) => ({ ...change, updated_at: new Date(), version: set('version', '+', 1) }))
    .where('id', '=', target.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteTarget = async (tx: Tx, { id }: LiveTargetRow): Promise<void> => {
  await tx.deleteFrom('live_targets').where('id', '=', id).execute()
}

import { sql } from 'kysely'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { hashToken } from '../../../platform/base/ids.ts'
import type { LiveStreamRow } from '../../control/store/live-stream-store.ts'

export interface OwnedStream extends LiveStreamRow {
  readonly is_deleted: boolean
  /** Whether the stream, its project and its account allow a broadcast. */
  readonly is_wanted: boolean
  /** Type that the running broadcast began with, or else the type of the next one. */
  readonly current_kind: LiveStreamRow['kind']
}

/** Of `live_streams`. */
export const currentKind = sql<LiveStreamRow['kind']>`coalesce(
  (select broadcast.kind from live_broadcasts broadcast where broadcast.id = live_streams.broadcast_id),
  live_streams.kind)`

const streams = (queryable: Queryable) =>
  queryable
    .selectFrom('live_streams')
    .innerJoin('projects', 'projects.id', 'live_streams.project_id')
    .selectAll('live_streams')
    .select([
      sql<boolean>`projects.deleted_at is not null`.as('is_deleted'),
      sql<boolean>`live_streams.is_enabled and projects.deleted_at is null
        and ${isAccountEnabled('live_streams.account_id')}`.as('is_wanted'),
      currentKind.as('current_kind'),
    ])

/** Returns all streams of this node, including those whose broadcast has just ended. */
export const readOwnedStreams = (queryable: Queryable, nodeId: string): Promise<OwnedStream[]> =>
  streams(queryable).where('live_streams.node_id', '=', nodeId).execute()

export const readStream = (queryable: Queryable, projectId: number): Promise<OwnedStream | undefined> =>
  streams(queryable).where('live_streams.project_id', '=', projectId).executeTakeFirst()

export const readStreamByKey = (queryable: Queryable, streamKey: string): Promise<OwnedStream | undefined> =>
  streams(queryable).where('live_streams.stream_key_hash', '=', hashToken(streamKey)).executeTakeFirst()

export const readStreamByPlayoutId = (
  queryable: Queryable,
  playoutId: string,
): Promise<OwnedStream | undefined> =>
  streams(queryable).where('live_streams.playout_id', '=', playoutId).executeTakeFirst()

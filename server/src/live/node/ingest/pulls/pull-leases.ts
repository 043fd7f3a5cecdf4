import { sql } from 'kysely'
import { isAccountEnabled } from '../../../../platform/db/is-account-enabled.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { currentKind, type OwnedStream } from '../../cluster/owned-stream.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'

/** For this long no other node pulls the stream; twice the time after which a node counts as dead. */
const leaseSeconds = 20
/** A lease is renewed when less than this is left. */
const renewSeconds = 10

export type LeasedStream = LiveStreamRow & Pick<OwnedStream, 'current_kind'>

export interface LeaseLimits {
  readonly maxStreams: number
  /** 0 = no limit. */
  readonly maxStreamsPerAccount: number
  /** Projects with a broadcast on this node, whatever publishes it. */
  readonly liveProjectIds: readonly number[]
}

/**
 * Returns the streams that this node pulls: those that it holds, those without a node whose broadcast waits
 * here, and others without a node while this one can admit them.
 */
export const leasePulls = async (
  database: Database,
  nodeId: string,
  { maxStreams, maxStreamsPerAccount, liveProjectIds }: LeaseLimits,
): Promise<LeasedStream[]> => {
  const mine = await pulls(database, nodeId)
  const needsRenewal = mine.some(({ is_ending }) => is_ending)
  const occupied = new Set([...liveProjectIds, ...mine.map(({ project_id }) => project_id)])
  const room = Math.max(0, maxStreams - occupied.size)
  const isLiveHere = sql<boolean>`live_streams.project_id = any(${liveProjectIds}::bigint[])`
  const mostOfAccount = maxStreamsPerAccount === 0 ? maxStreams : maxStreamsPerAccount
  const { numAffectedRows = 0n } = await sql`
    update live_streams set pull_node_id = ${nodeId}, pull_until = now() + make_interval(secs => ${leaseSeconds})
    where project_id in (
      ${withoutNode} and ${isLiveHere}
      for update of live_streams skip locked
    ) or project_id in (
      ${withoutNode} and not ${isLiveHere} and live_streams.project_id in (
        select project_id from (
          select live_streams.project_id,
            row_number() over (partition by live_streams.account_id order by live_streams.project_id) + (
              select count(*) from live_streams present
              where present.account_id = live_streams.account_id and present.project_id = any(${[...occupied]}::bigint[])
            ) as place
          from live_streams where live_streams.project_id in (${withoutNode} and not ${isLiveHere})
        ) as candidates where place <= ${mostOfAccount}
      )
      limit ${room}
      for update of live_streams skip locked
    ) or (${needsRenewal} and pull_node_id = ${nodeId} and pull_until >= now())`.execute(database.kysely)
  return numAffectedRows > 0n ? pulls(database, nodeId) : mine
}

/** Each half has its index. A broadcast remains a pull when the type of its stream changes. */
const pulledProjects = sql`
  select project_id from live_streams where kind in ('rtmp-pull', 'srt-pull', 'hls-pull') and is_enabled
  union
  select project_id from live_broadcasts
  where ended_at is null and kind in ('rtmp-pull', 'srt-pull', 'hls-pull')`

const isPulled = sql<boolean>`${currentKind} in ('rtmp-pull', 'srt-pull', 'hls-pull')`

const withoutNode = sql`
  select live_streams.project_id from live_streams
  join projects on projects.id = live_streams.project_id
  where live_streams.project_id in (${pulledProjects}) and ${isPulled} and live_streams.is_enabled
    and projects.deleted_at is null and live_streams.sealed_source_uri is not null
    and ${isAccountEnabled('live_streams.account_id')}
    and (live_streams.pull_until is null or live_streams.pull_until < now())`

const pulls = (
  database: Database,
  nodeId: string,
): Promise<(LeasedStream & { readonly is_ending: boolean })[]> =>
  database.kysely
    .selectFrom('live_streams')
    .innerJoin('projects', 'projects.id', 'live_streams.project_id')
    .selectAll('live_streams')
    .select(sql<boolean>`pull_until < now() + make_interval(secs => ${renewSeconds})`.as('is_ending'))
    .select(currentKind.as('current_kind'))
    .where(sql<boolean>`live_streams.project_id in (${pulledProjects})`)
    .where(isPulled)
    .where('is_enabled', '=', true)
    .where('projects.deleted_at', 'is', null)
    .where(isAccountEnabled('live_streams.account_id'))
    .where('pull_node_id', '=', nodeId)
    .where('pull_until', '>', sql<Date>`now()`)
    .execute()

/** Lets other nodes take over one stream at once. */
export const releasePull = async (database: Database, nodeId: string, projectId: number): Promise<void> => {
  await database.kysely
    .updateTable('live_streams')
    .set({ pull_node_id: null, pull_until: null })
    .where('project_id', '=', projectId)
    .where('pull_node_id', '=', nodeId)
    .execute()
}

/** Lets other nodes take over at once. */
export const releasePulls = async (database: Database, nodeId: string): Promise<void> => {
  await database.kysely
    .updateTable('live_streams')
    .set({ pull_node_id: null, pull_until: null })
    .where('pull_node_id', '=', nodeId)
    .execute()
}

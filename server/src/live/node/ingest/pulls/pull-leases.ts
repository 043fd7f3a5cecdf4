import { sql } from 'kysely'
import { isAccountEnabled } from '../../../../platform/db/is-account-enabled.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'

/** For this long no other node pulls the stream; twice the time after which a node counts as dead. */
const leaseSeconds = 20
/** A lease is renewed when less than this is left. */
const renewSeconds = 10

export interface LeaseLimits {
  readonly maxStreams: number
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
  { maxStreams, liveProjectIds }: LeaseLimits,
): Promise<LiveStreamRow[]> => {
  const mine = await pulls(database, nodeId)
  const needsRenewal = mine.some(({ is_ending }) => is_ending)
  const occupied = new Set([...liveProjectIds, ...mine.map(({ project_id }) => project_id)])
  const room = Math.max(0, maxStreams - occupied.size)
  const isLiveHere = sql<boolean>`wanted.project_id = any(${liveProjectIds}::bigint[])`
  const { numAffectedRows = 0n } = await sql`
    update live_streams set pull_node_id = ${nodeId}, pull_until = now() + make_interval(secs => ${leaseSeconds})
    where project_id in (
      ${withoutNode} and ${isLiveHere}
      for update of wanted skip locked
    ) or project_id in (
      ${withoutNode} and not ${isLiveHere}
      limit ${room}
      for update of wanted skip locked
    ) or (${needsRenewal} and pull_node_id = ${nodeId} and pull_until >= now())`.execute(database.kysely)
  return numAffectedRows > 0n ? pulls(database, nodeId) : mine
}

const withoutNode = sql`
  select wanted.project_id from live_streams wanted
  join projects on projects.id = wanted.project_id
  where wanted.kind in ('rtmp-pull', 'srt-pull', 'hls-pull') and wanted.is_enabled
    and projects.deleted_at is null and wanted.sealed_source_uri is not null
    and ${isAccountEnabled('wanted.account_id')}
    and (wanted.pull_until is null or wanted.pull_until < now())`

const pulls = (
  database: Database,
  nodeId: string,
): Promise<(LiveStreamRow & { readonly is_ending: boolean })[]> =>
  database.kysely
    .selectFrom('live_streams')
    .innerJoin('projects', 'projects.id', 'live_streams.project_id')
    .selectAll('live_streams')
    .select(sql<boolean>`pull_until < now() + make_interval(secs => ${renewSeconds})`.as('is_ending'))
    .where('kind', 'in', ['rtmp-pull', 'srt-pull', 'hls-pull'])
    .where('is_enabled', '=', true)
    .where('sealed_source_uri', 'is not', null)
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

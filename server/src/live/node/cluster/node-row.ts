import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { TakenPort } from '../../../platform/db/tables/live.ts'

export const heartbeatMs = 500
/**
 * Each heartbeat renews the lease of the node by the clock of the database. Without a lease, other nodes take
 * its streams unless it still answers them.
 */
export const leaseSeconds = 1.5

export interface LiveNodeRow {
  readonly id: string
  readonly url: string
  readonly publicUrl: string | null
  /** Identifies the data folder: a node that shares it finds the files that this node left. */
  readonly disk: string
  /** Id that the supervisor gave to this start of the process, and reports when it ends; null without a supervisor. */
  readonly supervisorId: string | null
}

/**
 * Writes the heartbeat and the ports that this node could not open, and returns its time. Inserts the row again if
 * another node removed it as dead.
 */
export const writeHeartbeat = async (
  database: Database,
  node: LiveNodeRow,
  takenPorts: readonly TakenPort[] = [],
): Promise<Date> => {
  const taken_ports = JSON.stringify(takenPorts)
  const { seen_at } = await database.kysely
    .insertInto('live_nodes')
    .values({
      id: node.id,
      url: node.url,
      public_url: node.publicUrl,
      disk: node.disk,
      supervisor_id: node.supervisorId,
      taken_ports,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql<Date>`now()`, taken_ports }))
    .returning('seen_at')
    .executeTakeFirstOrThrow()
  return seen_at
}

export const removeNode = async (database: Database, nodeId: string): Promise<void> => {
  await database.kysely.deleteFrom('live_nodes').where('id', '=', nodeId).execute()
}

export const readSupervisedNodes = async (database: Database, supervisorId: string): Promise<string[]> => {
  const rows = await database.kysely
    .selectFrom('live_nodes')
    .select('id')
    .where('supervisor_id', '=', supervisorId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends the lease of the node. */
export const backdateNode = async (database: Database, nodeId: string): Promise<void> => {
  await database.kysely
    .updateTable('live_nodes')
    .set({ seen_at: sql<Date>`least(seen_at, now() - make_interval(secs => ${leaseSeconds}))` })
    .where('id', '=', nodeId)
    .execute()
}

export interface OtherNode {
  readonly id: string
  readonly url: string
  readonly disk: string
  readonly silentSeconds: number
  readonly seenAt: Date
}

const nodes = ({ kysely }: Database) =>
  kysely
    .selectFrom('live_nodes')
    .select(['id', 'url', 'disk', 'seen_at as seenAt'])
    .select(sql<number>`extract(epoch from now() - seen_at)::float8`.as('silentSeconds'))

export const readOtherNodes = (database: Database, nodeId: string): Promise<OtherNode[]> =>
  nodes(database).where('id', '!=', nodeId).execute()

export const readNode = (database: Database, nodeId: string): Promise<OtherNode | undefined> =>
  nodes(database).where('id', '=', nodeId).executeTakeFirst()

/**
 * A stream whose node has no row: the node has stopped, or was taken for dead while it claimed the stream.
 */
export interface OrphanedStream {
  readonly accountId: number
  readonly projectId: number
  readonly nodeId: string
  readonly foundAt: Date
}

export const readOrphanedStreams = async (database: Database, nodeId: string): Promise<OrphanedStream[]> => {
  const rows = await database.kysely
    .selectFrom('live_streams')
    .select(['account_id as accountId', 'project_id as projectId', 'node_id as nodeId'])
    .select(sql<Date>`now()`.as('foundAt'))
    .where('node_id', '!=', nodeId)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('live_nodes').select('id').whereRef('live_nodes.id', '=', 'live_streams.node_id'),
        ),
      ),
    )
    .$narrowType<{ nodeId: string }>()
    .execute()
  return rows
}

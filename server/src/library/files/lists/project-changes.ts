import { LRUCache } from 'lru-cache'
import { createBatchLoader } from '../../../platform/db/batch-loader.ts'
import type { Database } from '../../../platform/db/database.ts'

/** State of a live project. While `epoch` stays the same, nothing in its list of files has changed. */
export interface ProjectMoment {
  readonly accountId: number
  readonly fileCount: number
  readonly epoch: number
}

interface Seen extends ProjectMoment {
  /** pg_snapshot of the committed transactions when the epoch was last confirmed. */
  readonly snapshot: string
}

export interface ProjectChanges {
  /** Returns null when the project does not exist. */
  readonly moment: (projectId: number) => Promise<ProjectMoment | null>
  /** Returns the last known epoch without a query. Data read from now on belongs to it or to a later one. */
  readonly lastEpoch: (projectId: number) => number | undefined
}

const maxProjects = 10_000
/** A snapshot in which no transaction is visible, so that any change counts as new. */
const emptySnapshot = '1:1:'

/**
 * Checks whether cached data of a project's files is current. Asks the database whether a transaction that
 * wrote them has committed since the last snapshot. Unlike a notification, this cannot be late: a check after
 * an acknowledged change, on any node, returns a new epoch.
 *
 * Purged files have no row and are not noticed; they were only in lists with `includeDeleted`.
 */
export const createProjectChanges = ({ sql }: Pick<Database, 'sql'>): ProjectChanges => {
  const known = new LRUCache<number, Seen>({ max: maxProjects })
  let lastEpoch = 0

  const ask = createBatchLoader<number, ProjectMoment>(async (projectIds) => {
    const asked = projectIds.map((id) => known.get(id))
    const rows = await sql.raw`
      select seen.position, p.account_id,
        p.file_count + coalesce((select sum(part.file_count) from project_counts part where part.project_id = p.id), 0),
        pg_current_snapshot(), (
        select true from file_list f
        where f.project_id = p.id and f.changed_in >= pg_snapshot_xmin(seen.snapshot::pg_snapshot)
          and not pg_visible_in_snapshot(f.changed_in, seen.snapshot::pg_snapshot)
        order by f.changed_in desc limit 1
      )
      from unnest(${projectIds}::bigint[], ${asked.map((one) => one?.snapshot ?? emptySnapshot)}::text[])
        with ordinality as seen (id, snapshot, position)
      join projects p on p.id = seen.id and p.deleted_at is null`
    return new Map(
      rows.map(([position, accountId, fileCount, snapshot, hasChanged]) => {
        const index = Number(position) - 1
        const projectId = projectIds[index] as number
        const found = {
          accountId: Number(accountId),
          fileCount: Number(fileCount),
          snapshot: String(snapshot),
        }
        return [projectId, settle(projectId, asked[index], found, hasChanged !== null)]
      }),
    )
  })

  /**
   * Concurrent checks may complete out of order. One that found a change always begins an epoch, because it
   * may have seen more than the check that overtook it. One that found none stores its snapshot, unless it
   * was superseded: then the known state is newer.
   */
  const settle = (
    projectId: number,
    before: Seen | undefined,
    found: Omit<Seen, 'epoch'>,
    hasChanged: boolean,
  ): ProjectMoment => {
    const present = known.get(projectId)
    const isNew =
      before === undefined || present === undefined || hasChanged || found.fileCount !== before.fileCount
    if (!isNew && present !== before) return present
    const seen = { ...found, epoch: isNew ? ++lastEpoch : present.epoch }
    known.set(projectId, seen)
    return seen
  }

  return { moment: ask, lastEpoch: (projectId) => known.peek(projectId)?.epoch }
}

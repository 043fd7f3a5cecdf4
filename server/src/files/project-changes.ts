import { LRUCache } from 'lru-cache'
import { createCoalescer } from '../kernel/db/coalesce.ts'
import type { Database } from '../kernel/db/database.ts'

/** A live project as a read finds it. As long as `epoch` stays the same, nothing in the list of its files has changed. */
export interface ProjectMoment {
  readonly accountId: number
  readonly fileCount: number
  readonly epoch: number
}

interface Seen extends ProjectMoment {
  /** pg_snapshot: what had been committed when the epoch was last found to hold. */
  readonly snapshot: string
}

export interface ProjectChanges {
  /** Null when the project does not exist. */
  readonly moment: (projectId: number) => Promise<ProjectMoment | null>
  /** The epoch that was found last, without asking: what is read from now on belongs to it or to a later one. */
  readonly lastEpoch: (projectId: number) => number | undefined
}

const maxProjects = 10_000
/** Sees nothing, so that any change is news. */
const emptySnapshot = '1:1:'

/**
 * Tells whether what this process knows of a project's files still holds, by asking the database in which transactions they were last
 * written: has one of them committed since the snapshot that was seen last? Unlike a notification the question cannot come late: whoever
 * asks after a change was acknowledged, on whatever node, gets a new epoch.
 *
 * Only rows that are there can tell: a file that is purged, which was in lists with `includeDeleted` alone, is not noticed.
 */
export const createProjectChanges = ({ sql }: Pick<Database, 'sql'>): ProjectChanges => {
  const known = new LRUCache<number, Seen>({ max: maxProjects })
  let lastEpoch = 0

  const ask = createCoalescer<number, ProjectMoment>(async (projectIds) => {
    const asked = projectIds.map((id) => known.get(id))
    const rows = await sql.raw`
      select seen.position, p.account_id, p.file_count, pg_current_snapshot(), (
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
   * Questions may be answered out of turn. One that found a change always begins an epoch: it may have seen more than the one that
   * overtook it. One that found none moves the snapshot on, unless it was overtaken: then what is known is newer than its request.
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

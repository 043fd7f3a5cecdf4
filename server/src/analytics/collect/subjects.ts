import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/db/database.ts'

/** What a playout id stands for. */
export interface Subject {
  readonly accountId: number
  readonly projectId: number
  /** Null for a live stream or a playlist of the project. */
  readonly fileId: number | null
  readonly lengthMs: number | null
  readonly isLive: boolean
  /** Custom dimensions of the project. */
  readonly customNames: readonly string[]
}

export type FindSubject = (playoutId: string) => Promise<Subject | null>

const keptMs = 60_000
const maxKept = 20_000

/** Finds the file, live stream or playlist of a playout. A file that moves counts in its new project within a minute. */
export const createSubjects = ({ kysely }: Database): FindSubject => {
  const known = new LRUCache<string, { readonly subject: Promise<Subject | null> }>({
    max: maxKept,
    ttl: keptMs,
  })
  const find = async (playoutId: string): Promise<Subject | null> => {
    const { rows } = await sql<Subject>`
      select s.*, p.analytics_dimensions as "customNames" from (
        select account_id as "accountId", project_id as "projectId", id as "fileId",
          ((properties ->> 'Length')::double precision * 1000)::bigint as "lengthMs", false as "isLive"
        from media_files where playout_id = ${playoutId}::uuid and deleted_at is null
        union all
        select account_id, project_id, null, null, true from live_streams where playout_id = ${playoutId}::uuid
        union all
        select account_id, project_id, null, null, false from playlists
        where playout_id = ${playoutId}::uuid and project_id is not null and deleted_at is null
      ) s join projects p on p.account_id = s."accountId" and p.id = s."projectId"`.execute(kysely)
    return rows[0] ?? null
  }
  return (playoutId) => {
    const kept = known.get(playoutId)
    if (kept !== undefined) return kept.subject
    const subject = find(playoutId)
    known.set(playoutId, { subject })
    subject.catch(() => known.delete(playoutId))
    return subject
  }
}

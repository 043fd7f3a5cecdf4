import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { nameRenditions, type FileRendition, type NamedRendition } from '../dimensions/renditions.ts'
import type { Database } from '../../platform/db/database.ts'

/** What a playout id stands for. */
export interface Subject {
  readonly accountId: number
  readonly projectId: number
  /** Null for a live stream or a playlist of the project. */
  readonly fileId: number | null
  readonly lengthMs: number | null
  /** Time at which the source of the file arrived; null if there is none yet. */
  readonly sourceAtMs: number | null
  readonly isLive: boolean
  /** Custom dimensions of the project. */
  readonly customNames: readonly string[]
  /** Renditions of the file; none for a live stream or a playlist. */
  readonly renditions: readonly NamedRendition[]
}

/** A row of the statement below. */
type SubjectRow = Omit<Subject, 'renditions'> & { readonly renditions: readonly FileRendition[] }

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
    const { rows } = await sql<SubjectRow>`
      select s.*, p.analytics_dimensions as "customNames", (
        select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'codec', r.codec,
          'widthPixels', r.width_pixels, 'heightPixels', r.height_pixels,
          'peakBitsPerSecond', r.peak_bits_per_second, 'averageBitsPerSecond', r.average_bits_per_second)), '[]')
        from renditions r where r.account_id = s."accountId" and r.file_id = s."fileId" and r.state <> 'encoding'
      ) as renditions from (
        select account_id as "accountId", project_id as "projectId", id as "fileId",
          ((properties ->> 'Length')::double precision * 1000)::bigint as "lengthMs",
          (extract(epoch from uploaded_at) * 1000)::bigint as "sourceAtMs", false as "isLive"
        from media_files where playout_id = ${playoutId}::uuid and deleted_at is null
        union all
        select account_id, project_id, null, null, null, true from live_streams where playout_id = ${playoutId}::uuid
        union all
        select account_id, project_id, null, null, null, false from playlists
        where playout_id = ${playoutId}::uuid and project_id is not null and deleted_at is null
      ) s join projects p on p.account_id = s."accountId" and p.id = s."projectId"`.execute(kysely)
    const [row] = rows
    return row === undefined ? null : { ...row, renditions: nameRenditions(row.renditions) }
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

import { sql, type RawBuilder } from 'kysely'
import type { Queryable, Tx } from '../../../../platform/db/database.ts'
import type { ReplacedRung } from '../replace-rung.ts'

export interface EvictableRung extends ReplacedRung {
  readonly accountId: number
  readonly projectId: number
  readonly fileId: number
  readonly mediaBlob: string
}

/**
 * Rungs with stored segments and without viewers for `keepDays`. Their source is stored, so they can be encoded again, and no
 * request waits for them.
 */
const evictable = (keepDays: number): RawBuilder<EvictableRung> => sql<EvictableRung>`
  select r.id as "renditionId", r.account_id as "accountId", f.project_id as "projectId", r.file_id as "fileId",
    r.media_blob as "mediaBlob", r.codec, r.width_pixels as "widthPixels", r.height_pixels as "heightPixels",
    r.has_closed_captions as "hasClosedCaptions", r.size_bytes as "sizeBytes", o.plan
  from on_demand_renditions o
  join renditions r on r.id = o.rendition_id and r.state in ('on_demand', 'complete')
  join media_files f on f.id = r.file_id and f.generation = r.generation and f.deleted_at is null
  where o.made_at is not null and greatest(o.made_at, o.watched_at) < now() - make_interval(days => ${keepDays}::int)
    and f.source_removed_at is null and f.source_blob = o.plan ->> 'sourceBlob'
    and exists (select from projects p where p.id = f.project_id and p.deleted_at is null)
    and not exists (
      select from on_demand_chunks c
      where c.rendition_id = o.rendition_id and c.state <> 'ready' and (c.wanted_until > now() or c.leased_until >= now())
    )`

/** Returns some of those that have been unwatched for longest. */
export const listEvictable = async (
  queryable: Queryable,
  {
    keepDays,
    except,
    limit,
  }: { readonly keepDays: number; readonly except: readonly number[]; readonly limit: number },
): Promise<readonly EvictableRung[]> => {
  const { rows } = await sql<EvictableRung>`
    ${evictable(keepDays)} and o.rendition_id <> all(${[...except]}::bigint[])
    order by greatest(o.made_at, o.watched_at) limit ${limit}`.execute(queryable)
  return rows
}

/** Locks a rung against viewers who want more of it. Returns null when it is no longer evictable. */
export const lockEvictable = async (
  tx: Tx,
  renditionId: number,
  keepDays: number,
): Promise<EvictableRung | null> => {
  // A statement of its own: the next one sees what those who held the lock have committed.
  await sql`select from on_demand_renditions where rendition_id = ${renditionId} for update`.execute(tx)
  const { rows } = await sql<EvictableRung>`
    ${evictable(keepDays)} and o.rendition_id = ${renditionId}`.execute(tx)
  return rows[0] ?? null
}

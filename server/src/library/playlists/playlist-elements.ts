import { sql, type RawBuilder } from 'kysely'
import { isPlayableState } from '../files/record/parts/file-state.ts'
import type { Queryable } from '../../platform/db/database.ts'
import type { MediaFileState } from '../../platform/db/tables/files.ts'
import { rulesOf, type ElementRow, type PlaylistRow, type PlaylistTotals } from './playlist-row.ts'
import { orderSql, rulesSql } from './rules/rule-sql.ts'

/**
 * Readers of the elements. `makers`: API users, who see every existing file. `preview`: playable files,
 * released or not. `signed`: released files, by signed link. `viewers`: released files that need no signed
 * link. Hidden files are removed before the rules' limit applies, so that a list of the newest five has five
 * for viewers too.
 */
export type Audience = 'makers' | 'preview' | 'signed' | 'viewers'

export type PlaylistSource = Pick<
  PlaylistRow,
  'account_id' | 'project_id' | 'type' | 'rules' | 'element_file_ids'
>

const playableStates = (
  ['created', 'uploaded', 'encoding', 'playable', 'finished', 'failed', 'degraded'] as const
).filter((state) => isPlayableState(state))

const isPlayable = sql<boolean>`f.state = any(${playableStates}::text[])`

const isReleased = sql<boolean>`
  ${isPlayable} and f.metadata ->> 'ReleaseStatus' = 'published'
  and coalesce((f.metadata ->> 'IsPublicAt')::timestamptz <= now(), true)
  and coalesce((f.metadata ->> 'IsPublicUntil')::timestamptz > now(), true)`

const visibleTo: Record<Audience, RawBuilder<boolean>> = {
  makers: sql`true`,
  preview: isPlayable,
  signed: isReleased,
  viewers: sql`${isReleased} and not p.token_security`,
}

/**
 * Selects the files of a playlist, one row each, in order, without deleted files and those of deleted
 * projects.
 */
const membersOf = (
  playlist: PlaylistSource,
  audience: Audience,
): RawBuilder<{ id: number; ordinal: number }> => {
  const rules = rulesOf(playlist)
  const files = sql`
    join projects p on p.account_id = f.account_id and p.id = f.project_id and p.deleted_at is null
    where f.account_id = ${playlist.account_id} and f.deleted_at is null
      and ${playlist.project_id === null ? sql`true` : sql`f.project_id = ${playlist.project_id}`}
      and ${visibleTo[audience]}`
  if (rules === null)
    return sql`
      select f.id, e.ordinal
      from unnest(${playlist.element_file_ids}::bigint[]) with ordinality as e (file_id, ordinal)
      join media_files f on f.id = e.file_id ${files}`
  // Numbers the rows after the limit; numbering all matches would sort all of them.
  return sql`
    select id, row_number() over () as ordinal from (
      select f.id
      from media_files f join file_list l on l.project_id = f.project_id and l.file_id = f.id
      ${files} and ${rulesSql(rules, { accountId: playlist.account_id, projectId: playlist.project_id })}
      order by ${orderSql(rules)} limit ${rules.Limit}
    ) as first_ones`
}

interface SelectedElement extends Omit<ElementRow, 'isPlayable'> {
  readonly state: MediaFileState
}

export const readElements = async (
  queryable: Queryable,
  playlist: PlaylistSource,
  audience: Audience,
): Promise<ElementRow[]> => {
  const { rows } = await sql<SelectedElement>`
    select f.id as "fileId", f.project_id as "projectId", f.playout_id as "playoutId", f.metadata,
      f.original_file_name as "originalFileName", f.state, f.created_at as "createdAt", f.updated_at as "updatedAt",
      (f.properties ->> 'Length')::double precision as "lengthSeconds", p.allowed_domains as "allowedDomains",
      i.public_id as "pictureId", i.access_key as "pictureKey"
    from (${membersOf(playlist, audience)}) as member
    join media_files f on f.id = member.id
    join projects p on p.id = f.project_id
    left join lateral (
      select public_id, access_key from file_pictures where file_id = f.id and is_standard order by id desc limit 1
    ) i on true
    order by member.ordinal`.execute(queryable)
  return rows.map(({ state, ...row }) => ({ ...row, isPlayable: isPlayableState(state) }))
}

/** Returns count and total length of the elements without reading them. */
export const readTotals = async (queryable: Queryable, playlist: PlaylistSource): Promise<PlaylistTotals> => {
  const { rows } = await sql<PlaylistTotals>`
    select count(*) as count, coalesce(sum((f.properties ->> 'Length')::double precision), 0) as "lengthSeconds",
      coalesce(bool_or(${isPlayable}), false) as "isPlayable"
    from (${membersOf(playlist, 'makers')}) as member
    join media_files f on f.id = member.id`.execute(queryable)
  return rows[0] ?? { count: 0, lengthSeconds: 0, isPlayable: false }
}

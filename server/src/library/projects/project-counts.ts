import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { ProjectRow } from './project-record.ts'

/** Sum of the column and of what is not added to it yet, for a table or alias of projects. */
export const countOf = (column: 'file_count' | 'storage_bytes', projects: string): string =>
  `(${projects}.${column} + coalesce((
    select sum(part.${column}) from project_counts part where part.project_id = ${projects}.id
  ), 0)::bigint)`

/** Columns that replace those of the row with the exact counts. */
export const exactCounts = (['file_count', 'storage_bytes'] as const).map((column) =>
  sql.raw<number>(countOf(column, 'projects')).as(column),
)

/**
 * Updates the exact counts of a project. Every transaction that adds or removes a file or bytes must call it,
 * with the project shared or locked. With a quota the transaction has locked the row. Without one it adds to
 * a row of `project_counts` that no other transaction holds, so that creations do not wait for each other.
 */
export const countInProject = async (
  tx: Tx,
  projectId: number,
  { files = 0, bytes = 0 }: { readonly files?: number; readonly bytes?: number },
): Promise<void> => {
  if (files === 0 && bytes === 0) return
  await sql`
    with direct as (
      update projects set file_count = file_count + ${files}::bigint, storage_bytes = storage_bytes + ${bytes}::bigint
      where id = ${projectId} and storage_quota_bytes is not null
      returning id
    ), free as (
      select id from project_counts where project_id = ${projectId} and not exists (select from direct)
      limit 1 for no key update skip locked
    ), added as (
      update project_counts part
      set file_count = part.file_count + ${files}::bigint, storage_bytes = part.storage_bytes + ${bytes}::bigint
      from free where part.id = free.id
      returning part.id
    )
    insert into project_counts (account_id, project_id, file_count, storage_bytes)
    select account_id, id, ${files}::bigint, ${bytes}::bigint from projects
    where id = ${projectId} and not exists (select from direct) and not exists (select from added)`.execute(
    tx,
  )
}

/** Adds the counts to the row of a project that the transaction has locked. Returns null without any. */
export const foldProjectCounts = async (tx: Tx, projectId: number): Promise<ProjectRow | null> => {
  const parts = await tx
    .deleteFrom('project_counts')
    .where('project_id', '=', projectId)
    .returning(['file_count', 'storage_bytes'])
    .execute()
  if (parts.length === 0) return null
  const sum = (column: 'file_count' | 'storage_bytes'): number =>
    parts.reduce((total, part) => total + part[column], 0)
  return tx
    .updateTable('projects')
    .set((set) => ({
      file_count: set('file_count', '+', sum('file_count')),
      storage_bytes: set('storage_bytes', '+', sum('storage_bytes')),
    }))
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the number of files that the restoration of their project has yet to restore. */
export const countRestoring = async (tx: Tx, projectId: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('media_files')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is not', null)
    .where('is_deleted_with_project', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

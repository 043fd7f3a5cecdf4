import { sql } from 'kysely'

const daySeconds = 86_400

/**
 * SQL condition for a deleted record: the time until which it can be restored was `laterSeconds` ago. A shorter retention time
 * holds for later deletions only. Records that were deleted before `purge_at` existed have the present one.
 */
export const isPurgeDue = (retentionDays: number, laterSeconds = 0) =>
  sql<boolean>`(
    deleted_at is not null
    and coalesce(purge_at, deleted_at + make_interval(secs => ${retentionDays * daySeconds}))
      < now() - make_interval(secs => ${laterSeconds})
  )`

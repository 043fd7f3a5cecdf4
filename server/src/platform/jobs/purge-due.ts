import { sql } from 'kysely'

const daySeconds = 86_400

/**
 * SQL condition: the time until which a deleted record can be restored ended at least `laterSeconds` ago. It was
 * fixed when the record was deleted. Records from before that was stored have the present retention time.
 */
export const isPurgeDue = (retentionDays: number, laterSeconds = 0) =>
  sql<boolean>`(
    deleted_at is not null
    and coalesce(purge_at, deleted_at + make_interval(secs => ${retentionDays * daySeconds}))
      < now() - make_interval(secs => ${laterSeconds})
  )`

import type { Database } from '../../../../platform/db/database.ts'

/** Returns those of these multipart uploads that unfinished uploads still need. */
export const findUsedMultiparts = async (
  { kysely }: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const used = await kysely
    .selectFrom('staged_uploads')
    .select('multipart_id')
    .where('multipart_id', 'in', ids)
    .execute()
  return new Set(used.flatMap(({ multipart_id }) => multipart_id ?? []))
}

import type { Database } from '../../../platform/db/database.ts'
import { stagedOnS3 } from './stagings.ts'

/** Returns the number of unfinished uploads, with those of deleted files, whose bytes are in the bucket. */
export const countStagedOnS3 = async ({ kysely }: Pick<Database, 'kysely'>): Promise<number> => {
  const uploads = await kysely
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('staged_on', '=', stagedOnS3)
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const parts = await kysely
    .selectFrom('upload_parts')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('staged_on', '=', stagedOnS3)
    .executeTakeFirstOrThrow()
  return Number(uploads.count) + Number(parts.count)
}

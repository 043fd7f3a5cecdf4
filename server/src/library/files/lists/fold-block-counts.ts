import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

const rowsPerBatch = 5_000

/** Housekeeping task: adds the counts that a trigger wrote to `file_block_counts` to `file_blocks`. */
export const foldBlockCounts = async ({ kysely }: Database): Promise<void> => {
  let folded: number
  do {
    const { rows } = await sql<{ folded: number }>`
      with parts as (
        delete from file_block_counts where id in (
          select id from file_block_counts order by id limit ${rowsPerBatch} for update skip locked
        )
        returning project_id, block, file_count
      ), stored as (
        insert into file_blocks as known (project_id, block, file_count)
        select project_id, block, sum(file_count) from parts group by 1, 2 order by 1, 2
        on conflict (project_id, block) do update set file_count = known.file_count + excluded.file_count
      )
      select count(*)::int as folded from parts`.execute(kysely)
    folded = rows[0]?.folded ?? 0
  } while (folded === rowsPerBatch)
}

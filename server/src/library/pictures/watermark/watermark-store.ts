import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { ProjectWatermarksTable } from '../../../platform/db/tables/projects.ts'

export type WatermarkRow = Selectable<ProjectWatermarksTable>

export const findWatermark = (queryable: Queryable, projectId: number): Promise<WatermarkRow | undefined> =>
  queryable
    .selectFrom('project_watermarks')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()

/** Inserts or replaces the watermark. The caller holds the lock of the project. */
export const putWatermark = (tx: Tx, row: Omit<WatermarkRow, 'updated_at'>): Promise<WatermarkRow> => {
  const values = { ...row, updated_at: new Date() }
  return tx
    .insertInto('project_watermarks')
    .values(values)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteWatermark = async (tx: Tx, projectId: number): Promise<void> => {
  await tx.deleteFrom('project_watermarks').where('project_id', '=', projectId).execute()
}

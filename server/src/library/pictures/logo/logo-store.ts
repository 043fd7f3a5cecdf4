import type { Tx } from '../../../platform/db/database.ts'
import type { ProjectRow } from '../../projects/project-record.ts'

/** Inserts or replaces the logo. The caller holds the lock of the project. */
export const putLogoPicture = async (
  tx: Tx,
  project: ProjectRow,
  stored: { readonly name: string; readonly picture: Buffer },
): Promise<void> => {
  await tx
    .insertInto('player_logos')
    .values({ ...stored, project_id: project.id, account_id: project.account_id })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(stored))
    .execute()
}

export const deleteLogoPicture = async (tx: Tx, project: ProjectRow): Promise<void> => {
  await tx.deleteFrom('player_logos').where('project_id', '=', project.id).execute()
}

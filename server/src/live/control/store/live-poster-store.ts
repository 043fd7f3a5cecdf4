import type { Queryable } from '../../../platform/db/database.ts'

export const findLivePoster = async (queryable: Queryable, playoutId: string): Promise<Buffer | null> => {
  const row = await queryable
    .selectFrom('live_posters as p')
    .innerJoin('live_streams as s', 's.project_id', 'p.project_id')
    .select('p.picture')
    .where('s.playout_id', '=', playoutId)
    .executeTakeFirst()
  return row?.picture ?? null
}

/** Keeps the newer picture when two nodes write one, and keeps none for a purged stream. */
export const putLivePoster = async (
  queryable: Queryable,
  projectId: number,
  poster: { readonly picture: Buffer; readonly takenAt: Date },
): Promise<void> => {
  await queryable
    .insertInto('live_posters')
    .columns(['project_id', 'account_id', 'picture', 'taken_at'])
    .expression((query) =>
      query
        .selectFrom('live_streams')
        .select((select) => [
          'project_id',
          'account_id',
          select.val(poster.picture).as('picture'),
          select.val(poster.takenAt).as('taken_at'),
        ])
        .where('project_id', '=', projectId),
    )
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet((set) => ({
          picture: set.ref('excluded.picture'),
          taken_at: set.ref('excluded.taken_at'),
        }))
        .whereRef('live_posters.taken_at', '<', 'excluded.taken_at'),
    )
    .execute()
}

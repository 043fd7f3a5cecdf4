import type { Database } from '../../../platform/db/database.ts'

/** Whether more media may be encoded on demand for the project today (UTC). */
export const hasBudgetLeft = async (
  { kysely }: Database,
  projectId: number,
  secondsPerDay: number,
): Promise<boolean> => {
  if (secondsPerDay === 0) return true
  const row = await kysely
    .selectFrom('on_demand_days')
    .select('encoded_seconds')
    .where('project_id', '=', projectId)
    .where('day', '=', new Date().toISOString().slice(0, 10))
    .executeTakeFirst()
  return (row?.encoded_seconds ?? 0) < secondsPerDay
}

/** Past days no longer count. */
export const dropOldEncodingDays = async ({ kysely }: Database): Promise<void> => {
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  await kysely.deleteFrom('on_demand_days').where('day', '<', before).execute()
}

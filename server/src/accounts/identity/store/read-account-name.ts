import type { Queryable } from '../../../platform/db/database.ts'

export const readAccountName = async (queryable: Queryable, accountId: number): Promise<string> => {
  const { name } = await queryable
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return name
}

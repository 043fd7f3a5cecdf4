import { sql, type RawBuilder } from 'kysely'

/** For a query that has `account_id` in the named column: false while the operator has disabled that account. */
export const isAccountEnabled = (column: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select from accounts where accounts.id = ${sql.ref(column)} and accounts.disabled_at is not null
  )`

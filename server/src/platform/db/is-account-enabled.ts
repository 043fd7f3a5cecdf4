import { sql, type RawBuilder } from 'kysely'

/** SQL condition on the named `account_id` column: false while the operator has disabled that account. */
export const isAccountEnabled = (column: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select from accounts where accounts.id = ${sql.ref(column)} and accounts.disabled_at is not null
  )`

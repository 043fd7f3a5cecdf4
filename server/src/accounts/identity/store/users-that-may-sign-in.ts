import type { Queryable } from '../../../platform/db/database.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'

/** Selects the user unless the user or the account is disabled or deleted. */
export const usersThatMaySignIn = (queryable: Queryable, accountId: number, userId: number) =>
  queryable
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'password_hash'])
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .where(isAccountEnabled('users.account_id'))

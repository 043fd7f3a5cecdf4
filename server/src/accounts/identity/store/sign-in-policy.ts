import type { Queryable } from '../../../platform/db/database.ts'

export interface SignInPolicy {
  /** Sign-ins with a password need a second factor. Identity providers decide themselves. */
  readonly requiresTwoFactors: boolean
}

export const readSignInPolicy = async (queryable: Queryable, accountId: number): Promise<SignInPolicy> => {
  const { requires_two_factors } = await queryable
    .selectFrom('accounts')
    .select('requires_two_factors')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { requiresTwoFactors: requires_two_factors }
}

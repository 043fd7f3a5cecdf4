import type { Tx } from '../../platform/db/database.ts'
import { isAccountEnabled } from '../../platform/db/is-account-enabled.ts'
import { findUserIdOf, linkIdentity, type ProviderIdentity } from '../identity/store/user-identities.ts'

export type Refusal = 'unverified-email' | 'unknown' | 'disabled' | 'somebody-else'

export type Identified =
  | {
      readonly user: {
        readonly id: number
        readonly account_id: number
        readonly email: string
        readonly password_hash: string | null
      }
    }
  /** `userId` is the user who would have been signed in. */
  | { readonly refusal: Refusal; readonly userId: number | null }

/**
 * Returns the user of this person: the one linked to the subject, else the one with the verified address and
 * no linked subject. An address may be reassigned to another person, a subject never is. Locks the user.
 */
export const identifyPerson = async (
  tx: Tx,
  identity: ProviderIdentity,
  verifiedEmail: string | null,
): Promise<Identified> => {
  const knownId = await findUserIdOf(tx, identity)
  if (knownId === null && verifiedEmail === null) return { refusal: 'unverified-email', userId: null }
  const user = await tx
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'password_hash', 'is_enabled'])
    .select(isAccountEnabled('users.account_id').as('is_account_enabled'))
    .where('account_id', '=', identity.accountId)
    .where('deleted_at', 'is', null)
    .where((where) =>
      knownId === null ? where(where.fn('lower', ['email']), '=', verifiedEmail) : where('id', '=', knownId),
    )
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user === undefined) return { refusal: 'unknown', userId: null }
  if (!user.is_enabled || !user.is_account_enabled) return { refusal: 'disabled', userId: user.id }
  const isSame =
    (knownId ?? (await findUserIdOf(tx, identity))) === user.id || (await linkIdentity(tx, identity, user.id))
  if (!isSame) return { refusal: 'somebody-else', userId: user.id }
  return { user }
}

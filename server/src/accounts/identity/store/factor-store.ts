import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'

export interface UserKey {
  readonly account_id: number
  readonly id: number
}

/** The second factors of a user that work now. */
export interface Factors {
  readonly totp: { readonly createdAt: Date; readonly lastUsedAt: Date | null } | null
  readonly passkeyCount: number
  readonly recoveryCodeCount: number
}

/** Whether the user of the query has a second factor. A passkey is one: it needs the device and its PIN. */
export const hasSecondFactor = sql<boolean>`(
  exists (select from totp_secrets t
    where t.account_id = users.account_id and t.user_id = users.id and t.confirmed_at is not null)
  or exists (select from passkeys p where p.account_id = users.account_id and p.user_id = users.id))`

export const readFactors = async (queryable: Queryable, user: UserKey): Promise<Factors> => {
  const totp = await queryable
    .selectFrom('totp_secrets')
    .select(['confirmed_at', 'last_used_at'])
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const { passkeyCount, recoveryCodeCount } = await queryable
    .selectNoFrom((select) => [
      select
        .selectFrom('passkeys')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('account_id', '=', user.account_id)
        .where('user_id', '=', user.id)
        .$asScalar()
        .$notNull()
        .as('passkeyCount'),
      select
        .selectFrom('recovery_codes')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('account_id', '=', user.account_id)
        .where('user_id', '=', user.id)
        .where('used_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('recoveryCodeCount'),
    ])
    .executeTakeFirstOrThrow()
  return {
    totp: totp?.confirmed_at == null ? null : { createdAt: totp.confirmed_at, lastUsedAt: totp.last_used_at },
    passkeyCount,
    recoveryCodeCount,
  }
}

export const isTwoFactor = ({ totp, passkeyCount }: Factors): boolean => totp !== null || passkeyCount > 0

/** Names the second factors for the message of the sign-in. */
export const namesOf = ({ totp, passkeyCount, recoveryCodeCount }: Factors): string =>
  [
    ...(totp === null ? [] : ['authenticator app']),
    ...(passkeyCount === 0 ? [] : ['passkey']),
    ...(recoveryCodeCount === 0 ? [] : ['recovery code']),
  ].join(', ')

export const deleteRecoveryCodes = async (tx: Tx, user: UserKey): Promise<void> => {
  await tx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .execute()
}

export const deleteTotp = async (tx: Tx, user: UserKey): Promise<void> => {
  await tx
    .deleteFrom('totp_secrets')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .execute()
}

export const deleteFactors = async (tx: Tx, user: UserKey): Promise<void> => {
  await deleteTotp(tx, user)
  await deleteRecoveryCodes(tx, user)
  await tx
    .deleteFrom('passkeys')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .execute()
}

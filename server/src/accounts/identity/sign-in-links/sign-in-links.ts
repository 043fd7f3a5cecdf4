import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import { hashToken, newUrlToken } from '../../../platform/base/ids.ts'
import { isAccountEnabled } from '../../../platform/db/is-account-enabled.ts'

const lifetimeMs = 600_000

const findFirstUser = (queryable: Queryable) =>
  queryable
    .selectFrom('users')
    .select(['id', 'account_id', 'role', 'is_enabled', 'deleted_at'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/**
 * Creates a link that signs the first administrator in once, within ten minutes, and revokes earlier ones.
 * Returns null when that user is disabled, deleted or no longer an Administrator. The link is for the setup
 * and must not bypass the users of an installation.
 */
export const createSignInLink = async (database: Database, publicUrl: string): Promise<string | null> => {
  const token = newUrlToken()
  return database.transaction(async (tx) => {
    await tx.deleteFrom('sign_in_links').execute()
    const user = await findFirstUser(tx)
    if (user?.role !== 'Administrator' || !user.is_enabled || user.deleted_at !== null) return null
    await tx
      .insertInto('sign_in_links')
      .values({
        token_hash: hashToken(token),
        account_id: user.account_id,
        user_id: user.id,
        expires_at: new Date(Date.now() + lifetimeMs),
      })
      .execute()
    return `${publicUrl}/console/signin#${token}`
  })
}

const openLinks = (queryable: Queryable, token: string) =>
  queryable
    .selectFrom('sign_in_links')
    .select(['account_id', 'user_id'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date())

/** Uses the link up. Returns the locked user to sign in; undefined for an invalid link. */
export const takeSignInLink = async (tx: Tx, token: string) => {
  const link = await openLinks(tx, token).executeTakeFirst()
  if (link === undefined) return undefined
  const user = await tx
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'password_hash'])
    .where('account_id', '=', link.account_id)
    .where('id', '=', link.user_id)
    .where('role', '=', 'Administrator')
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .where(isAccountEnabled('users.account_id'))
    .forNoKeyUpdate()
    .executeTakeFirst()
  // The second of two concurrent requests waited for the lock of the user, and finds the link deleted.
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  return numDeletedRows === 1n ? user : undefined
}

export const dropOldSignInLinks = async ({ kysely }: Database): Promise<void> => {
  await kysely.deleteFrom('sign_in_links').where('expires_at', '<', new Date()).execute()
}

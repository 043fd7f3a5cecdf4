import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { findConnection, type ConnectionRow } from '../partners/store/connection-store.ts'

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/**
 * Returns the account whose provider handles the address. An unknown address also goes to a provider, always
 * to the same one, preferably of an account with users in the same domain. The answer therefore does not
 * reveal whether the address is known.
 */
const accountFor = async (
  { kysely }: Database,
  email: string,
  open: readonly number[],
  rankOf: (text: string) => string,
): Promise<number | undefined> => {
  const [own, neighbours] = await Promise.all([
    kysely
      .selectFrom('users')
      .select('account_id')
      .where('deleted_at', 'is', null)
      .where((where) => where(where.fn('lower', ['email']), '=', email))
      .executeTakeFirst(),
    // Looks for one user per account, because a large mail service may have very many.
    kysely
      .selectFrom('identity_providers')
      .select('account_id')
      .where('sign_in_is_enabled', '=', true)
      .where((where) =>
        where.exists(
          where
            .selectFrom('users')
            .select('users.id')
            .whereRef('users.account_id', '=', 'identity_providers.account_id')
            .where('users.deleted_at', 'is', null)
            .where(sql`lower(split_part(users.email, '@', 2))`, '=', domainOf(email)),
        ),
      )
      .execute(),
  ])
  if (own !== undefined && open.includes(own.account_id)) return own.account_id
  const near = open.filter((id) => neighbours.some(({ account_id }) => account_id === id))
  const ranked = (near.length > 0 ? near : open).map((id) => ({ id, rank: rankOf(`${email} ${id}`) }))
  return ranked.toSorted((one, other) => (one.rank < other.rank ? -1 : 1))[0]?.id
}

export const isSsoOffered = async (database: Database): Promise<boolean> => {
  const row = await database.kysely
    .selectFrom('identity_providers')
    .select('id')
    .where('sign_in_is_enabled', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Throws 'not_found' when no account has enabled it, and 'invalid' when several have and the e-mail address
 * is missing.
 */
export const chooseConnection = async (
  database: Database,
  email: string | null,
  rankOf: (text: string) => string,
): Promise<ConnectionRow> => {
  const rows = await database.kysely
    .selectFrom('identity_providers')
    .select('account_id')
    .where('sign_in_is_enabled', '=', true)
    .orderBy('account_id')
    .execute()
  const open = rows.map(({ account_id }) => account_id)
  if (open.length > 1 && email === null) throw new Problem('sso_email_required')
  const accountId =
    open.length > 1 && email !== null
      ? await accountFor(database, email.toLowerCase(), open, rankOf)
      : open[0]
  const row = accountId === undefined ? undefined : await findConnection(database.kysely, accountId)
  if (row?.sign_in_is_enabled !== true) throw new Problem('sso_not_available')
  return row
}

import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import type { LinkKeys } from './link-keys.ts'
import type { PlayoutTokens } from './playout-token.ts'

/** Beyond the longest lifetime of a link. */
const dropAfterMs = 8 * 86_400_000

export const tokenIdSchema = Type.String({
  maxLength: 16,
  pattern: '^[A-Za-z0-9_-]{16}$',
  examples: ['Zr0wLk4tQm1xTn9c'],
})

export interface RevokeDependencies {
  readonly database: Database
  readonly tokens: PlayoutTokens
  readonly linkKeys: LinkKeys
}

/** Revokes the viewer token with this id; throws 'not_found' when it is not one of the playout. */
export const revokeLink = async (
  { database, tokens, linkKeys }: RevokeDependencies,
  of: { readonly accountId: number; readonly playoutId: string; readonly tokenId: string },
) => {
  const { accountId, playoutId, tokenId } = of
  if (!tokens.isTokenIdOf(tokenId, playoutId)) throw new Problem('signed_link_not_found', { tokenId })
  const revokedAt = new Date()
  const dropAt = new Date(revokedAt.getTime() + dropAfterMs)
  await database.kysely
    .insertInto('revoked_links')
    // The clock of the database, because other nodes read what is new since their last time.
    .values({ token_id: tokenId, account_id: accountId, revoked_at: sql<Date>`now()`, drop_at: dropAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  linkKeys.addRevoked(tokenId, dropAt)
  return { Id: tokenId, IsEnabled: false, DeletedAt: toTimestamp(revokedAt) }
}

/** Part of housekeeping. */
export const dropOldRevocations = async ({ kysely }: Database): Promise<void> => {
  await kysely.deleteFrom('revoked_links').where('drop_at', '<', new Date()).execute()
}

import type { Database } from '../../platform/db/database.ts'
import type { Problem } from '../../platform/base/problem.ts'
import { createPlayoutFinder } from '../access/playout-finder.ts'
import type { PlayoutTokens } from '../access/playout-token.ts'

export interface Refusal {
  /** `link`: a token is missing or wrong, or the link was revoked. `site`: this site may not embed the player. */
  readonly reason: 'unavailable' | 'link' | 'expired' | 'upcoming' | 'site'
  /** Null unless the playout is upcoming. */
  readonly opensAt: Date | null
}

/**
 * Returns what a viewer may know about a refused page. Only the start of a release window distinguishes a file
 * that exists from one that does not.
 */
export const createRefusals = (
  database: Database,
  tokens: PlayoutTokens,
): ((
  problem: Problem,
  request: { readonly playoutId: string; readonly token?: string },
) => Promise<Refusal>) => {
  const finder = createPlayoutFinder(database, tokens)
  return async ({ code, reason }, { playoutId, token = null }) => {
    if (reason === 'site_not_allowed') return { reason: 'site', opensAt: null }
    if (code === 'forbidden') {
      const isExpired = token !== null && tokens.hasExpired(token, playoutId)
      return { reason: isExpired ? 'expired' : 'link', opensAt: null }
    }
    const opensAt = await finder.opensAt({ playoutId, token })
    return { reason: opensAt === null ? 'unavailable' : 'upcoming', opensAt }
  }
}

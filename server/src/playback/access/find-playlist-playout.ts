import type { Database } from '../../platform/db/database.ts'
import type { PlayerLogo } from '../../platform/db/tables/projects.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { PlaylistRow } from '../../library/playlists/playlist-row.ts'
import { isPlayoutId, nothing } from './find-playout.ts'
import type { GrantedToken, PlayoutTokens } from './playout-token.ts'

export interface PlaylistPlayout {
  readonly playlist: PlaylistRow
  /** Grant of the token in the path; null without one. Element tokens get the same grant, expiry and id. */
  readonly grant: GrantedToken | null
  /**
   * Allowed domains of the playlist's project; for a playlist of all projects the projects of its elements
   * decide.
   */
  readonly allowedDomains: readonly string[]
  readonly playerColor: string | null
  readonly playerLogo: PlayerLogo | null
}

/**
 * Finds a playlist under the rules that apply to files. Throws 'not_found' unless it is published, and
 * 'forbidden' for a bad or expired token or a missing one where the project requires it.
 */
export const findPlaylistPlayout = async (
  { kysely }: Database,
  tokens: PlayoutTokens,
  request: { readonly playoutId: string; readonly token: string | null },
): Promise<PlaylistPlayout> => {
  const { playoutId, token } = request
  if (!isPlayoutId(playoutId)) throw nothing()
  const grant = token === null ? null : tokens.check(token, playoutId)
  if (token !== null && grant === null) throw new Problem('playlist_link_invalid')
  const playlist = await kysely
    .selectFrom('playlists')
    .selectAll()
    .where('playout_id', '=', playoutId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (playlist === undefined) throw nothing()
  const project =
    playlist.project_id === null
      ? { token_security: false, allowed_domains: [], player_color: null, player_logo: null }
      : await kysely
          .selectFrom('projects')
          .select(['token_security', 'allowed_domains', 'player_color', 'player_logo'])
          .where('account_id', '=', playlist.account_id)
          .where('id', '=', playlist.project_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (project === undefined) throw nothing()
  const ofProject = {
    allowedDomains: project.allowed_domains,
    playerColor: project.player_color,
    playerLogo: project.player_logo,
  }
  if (grant?.kind !== 'preview' && playlist.release_status !== 'published') throw nothing()
  if (grant === null && project.token_security) throw new Problem('playlist_link_required')
  return { playlist, grant, ...ofProject }
}

/**
 * Returns the path prefix of an element before `/v/` or `/embed/`. Under a grant it holds a token that opens
 * only this element.
 */
export const tokenPathOf = (
  tokens: PlayoutTokens,
  { grant }: Pick<PlaylistPlayout, 'grant'>,
  playoutId: string,
): string => {
  if (grant === null) return ''
  const { expiresAt, tokenId } = grant
  return `/s/${
    grant.kind === 'preview'
      ? tokens.issuePreview(playoutId, expiresAt)
      : tokens.issueViewer(playoutId, expiresAt, tokenId)
  }`
}

/**
 * A playout id belongs to a file or a playlist; both use the same addresses, so the playlist is tried second.
 */
export const fileOrPlaylist = async <T>(file: () => Promise<T>, playlist: () => Promise<T>): Promise<T> => {
  try {
    return await file()
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return playlist()
    throw error
  }
}

import type { Database } from '../kernel/db/database.ts'
import type { PlayerLogo } from '../kernel/db/tables.ts'
import { Problem } from '../kernel/problem.ts'
import type { PlaylistRow } from '../playlists/playlist-row.ts'
import { isPlayoutId, nothing } from './find-playout.ts'
import type { PlayoutTokens } from './playout-token.ts'

/** A playlist as it is asked for from outside. */
export interface PlaylistPlayout {
  readonly playlist: PlaylistRow
  /** Null in public: released elements only. A preview has them all, and hands its end on to the tokens of these. */
  readonly preview: { readonly expiresAt: Date } | null
  /** Of the playlist's own project; a playlist of all projects asks those of its elements. */
  readonly allowedDomains: readonly string[]
  /** Of its own project. */
  readonly playerColor: string | null
  readonly playerLogo: PlayerLogo | null
}

/**
 * The rules of files, for the playlist itself: published and enabled, or 404; 403 for a bad or expired token, and without one where the
 * project wants it.
 */
export const findPlaylistPlayout = async (
  { kysely }: Database,
  tokens: PlayoutTokens,
  request: { readonly playoutId: string; readonly token: string | null },
): Promise<PlaylistPlayout> => {
  const { playoutId, token } = request
  if (!isPlayoutId(playoutId)) throw nothing()
  const grant = token === null ? null : tokens.check(token, playoutId)
  if (token !== null && grant === null)
    throw new Problem(
      'forbidden',
      'This link has expired or is not valid; ask the site that embeds the playlist for a new one.',
    )
  // Only previews are signed for playlists.
  if (grant === 'viewer') throw nothing()
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
  if (token !== null) return { playlist, preview: { expiresAt: tokens.expiryOf(token) }, ...ofProject }
  if (playlist.release_status !== 'published') throw nothing()
  if (project.token_security)
    throw new Problem('forbidden', 'This playlist needs a signed link; ask the site that embeds it for one.')
  return { playlist, preview: null, ...ofProject }
}

/** What stands before `/v/` or `/embed/` of an element: in a preview a token of its own, which opens no other file. */
export const tokenPathOf = (
  tokens: PlayoutTokens,
  { preview }: Pick<PlaylistPlayout, 'preview'>,
  playoutId: string,
): string => (preview === null ? '' : `/s/${tokens.issuePreview(playoutId, preview.expiresAt)}`)

/** A playout id is that of a file or of a playlist: both answer at the same addresses. */
export const fileOrPlaylist = async <T>(file: () => Promise<T>, playlist: () => Promise<T>): Promise<T> => {
  try {
    return await file()
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return playlist()
    throw error
  }
}

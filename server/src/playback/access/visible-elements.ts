import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/db/database.ts'
import { readElements, type Audience } from '../../library/playlists/playlist-elements.ts'
import type { ElementRow, PlaylistRow } from '../../library/playlists/playlist-row.ts'
import type { PlaylistPlayout } from './find-playlist-playout.ts'

export type VisibleElements = (playout: PlaylistPlayout) => Promise<readonly ElementRow[]>

/**
 * The rules of an automatic playlist may scan every file of an account, so the result is shared for a second.
 * A withdrawn file is not served meanwhile, because its own requests are checked.
 */
const freshMs = 1_000
const maxPlaylists = 100

interface Asked {
  readonly playlist: PlaylistRow
  readonly audience: Audience
}

export const createVisibleElements = (database: Database): VisibleElements => {
  const evaluated = new LRUCache<string, readonly ElementRow[], Asked>({
    max: maxPlaylists,
    ttl: freshMs,
    // Concurrent requests share one evaluation.
    fetchMethod: (_key, _stale, { context }) =>
      readElements(database.kysely, context.playlist, context.audience),
  })
  return async ({ playlist, grant }) => {
    const audience = grant === null ? 'viewers' : grant.kind === 'viewer' ? 'signed' : 'preview'
    if (playlist.type === 'manual') return readElements(database.kysely, playlist, audience)
    const key = `${playlist.id}:${playlist.version}:${audience}`
    return (await evaluated.fetch(key, { context: { playlist, audience } })) ?? []
  }
}

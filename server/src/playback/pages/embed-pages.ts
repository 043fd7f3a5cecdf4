import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import { createCaptionTexts } from '../captions/caption-texts.ts'
import type { EmbedPage } from './embed-document.ts'
import { filePage } from './file-page.ts'
import { fileOrPlaylist, findPlaylistPlayout, tokenPathOf } from '../access/find-playlist-playout.ts'
import { nothing } from '../access/find-playout.ts'
import type { LiveAccess } from '../live/live-access.ts'
import { livePage } from './live-page.ts'
import { playlistPage } from './playlist-page.ts'
import { planStreamOf } from '../playlists/playlist-streams.ts'
import { readChapters } from './page-chapters.ts'
import { createPlayoutFinder } from '../access/playout-finder.ts'
import type { PlayoutTokens } from '../access/playout-token.ts'
import type { VisibleElements } from '../access/visible-elements.ts'

export interface EmbedDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly tokens: PlayoutTokens
  readonly visibleElements: VisibleElements
  readonly liveAccess: LiveAccess
  readonly isAnalyticsOn: boolean
}

export interface EmbedParams {
  readonly playoutId: string
  readonly token?: string
  /** Languages of the viewer, best first; without them the page has no chapters. */
  readonly languages?: readonly string[]
}

/**
 * Returns the embed page of a file, a playlist or a live stream. Throws the same problems as their media
 * routes.
 */
export const createEmbedPages = (
  dependencies: EmbedDependencies,
): ((params: EmbedParams) => Promise<EmbedPage>) => {
  const { database, tokens, isAnalyticsOn } = dependencies
  const texts = createCaptionTexts(dependencies.blobs)
  const finder = createPlayoutFinder(database, tokens)
  return ({ playoutId, token, languages = null }) => {
    const base = token === undefined ? '' : `/s/${encodeURIComponent(token)}`
    const tokenExpiresAt = token === undefined ? null : (tokens.check(token, playoutId)?.expiresAt ?? null)
    const ofPlaylist = async (): Promise<EmbedPage> => {
      const playout = await findPlaylistPlayout(database, tokens, { playoutId, token: token ?? null })
      const stream = await planStreamOf(dependencies, playout)
      if (stream.elements.length === 0) throw nothing()
      return playlistPage(playout, stream, {
        ...{ base, tokenExpiresAt, isAnalyticsOn },
        pathOf: (elementId) => tokenPathOf(tokens, playout, elementId),
      })
    }
    const ofFile = async (): Promise<EmbedPage> => {
      const playout = await finder.playout({ playoutId, token: token ?? null })
      const chapters =
        languages === null ? [] : await readChapters(database, texts, playout.fileId, languages)
      return filePage(database, playout, { playoutId, base, tokenExpiresAt, chapters, isAnalyticsOn })
    }
    return fileOrPlaylist(ofFile, () =>
      fileOrPlaylist(ofPlaylist, () =>
        livePage(
          dependencies,
          { playoutId, ...(token === undefined ? {} : { token }) },
          { base, tokenExpiresAt },
        ),
      ),
    )
  }
}

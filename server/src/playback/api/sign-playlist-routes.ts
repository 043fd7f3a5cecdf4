import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { playoutSchema } from '../../library/files/record/parts/playout-record.ts'
import { checkAllows } from '../../platform/http/requests/authenticate.ts'
import { responses, tags } from '../../platform/http/openapi/openapi.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { readTotals } from '../../library/playlists/playlist-elements.ts'
import { feedUris, feedUrisSchema, playlistLinks } from '../../library/playlists/playlist-record.ts'
import { findPlaylist } from '../../library/playlists/playlist-store.ts'
import { revokeLink, tokenIdSchema, type RevokeDependencies } from '../access/revoke-link.ts'
import {
  endOfLinks,
  exampleToken,
  exampleTokenId,
  revokedLinkSchema,
  signatureFields,
  signSchema,
} from './sign-links.ts'

const playlistParams = Type.Object({ playlistId: idSchema })

const { HLS, DASH, MP4, EmbedURI } = playoutSchema.properties
const exampleBase = `https://video.example.com/s/${exampleToken}`
const examplePlaylist = { playout_id: '0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10' }

const linksWithFeeds = (base: string, playlist: { readonly playout_id: string }, isPlayable: boolean) => {
  const links = playlistLinks(base, playlist, isPlayable)
  return { ...links, FeedURIs: { ...feedUris(base, playlist), HLS: links.HLS } }
}

const signedPlaylistSchema = Type.Object(
  { HLS, DASH, MP4, EmbedURI, FeedURIs: feedUrisSchema, ...signatureFields },
  {
    description:
      'Viewer links to a playlist, valid until `ExpiresAt`. `HLS` and `EmbedURI` are null until an element can be played. `DASH` and `MP4` are always null.',
    examples: [
      {
        ...linksWithFeeds(exampleBase, examplePlaylist, true),
        Token: exampleToken,
        TokenId: exampleTokenId,
        ExpiresAt: '2026-03-01T16:00:00+00:00',
      },
    ],
  },
)

/**
 * Registers the route that signs links to a playlist, for the viewers of a site in projects with TokenSecurity.
 */
export const registerSignPlaylistRoute = (
  app: HttpServer,
  dependencies: RevokeDependencies & { readonly publicUrl: string },
): void => {
  const { database, tokens, publicUrl } = dependencies
  app.post(
    '/modules/playlists/:playlistId/playouts/sign',
    {
      config: { permission: 'playlists:read', isProjectInRecord: true, budget: 'signatures' },
      schema: {
        operationId: 'signPlaylistPlayout',
        tags: [tags.playlists],
        summary: 'Sign playout links of a playlist',
        description:
          'Returns viewer links to the playlist, its feeds and its elements, which expire at a time of your choice. Use them in projects with `TokenSecurity`, where the public links return 403. They return 404 unless the playlist is published, and leave out unpublished elements. Also requires files:read, because the links open files.',
        params: playlistParams,
        body: signSchema,
        response: responses(
          { status: 200, schema: signedPlaylistSchema, description: 'The links and their expiry.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { principal } = request
      const { playlistId } = request.params
      const expiresAt = endOfLinks(request.body ?? {})
      const playlist = await findPlaylist(database.kysely, principal, playlistId)
      const projectId = playlist.project_id ?? undefined
      checkAllows(principal, 'playlists:read', projectId)
      checkAllows(principal, 'files:read', projectId)
      const { isPlayable } = await readTotals(database.kysely, playlist)
      const tokenId = tokens.newTokenId(playlist.playout_id)
      const token = tokens.issueViewer(playlist.playout_id, expiresAt, tokenId)
      return reply.send({
        ...linksWithFeeds(`${publicUrl}/s/${token}`, playlist, isPlayable),
        Token: token,
        TokenId: tokenId,
        ExpiresAt: toTimestamp(expiresAt),
      })
    },
  )

  app.delete(
    '/modules/playlists/:playlistId/playouts/tokens/:token',
    {
      config: { permission: 'playlists:read', isProjectInRecord: true },
      schema: {
        operationId: 'revokePlaylistToken',
        tags: [tags.playlists],
        summary: 'Revoke a signed link of a playlist',
        description:
          'Revokes viewer links to the playlist, its feeds and its elements before they expire, by the `TokenId` of their signature. All nodes refuse them within two seconds. Also requires files:read.',
        params: Type.Object({ playlistId: idSchema, token: tokenIdSchema }),
        response: responses(
          { status: 200, schema: revokedLinkSchema, description: 'The revoked token.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { principal } = request
      const { playlistId, token: tokenId } = request.params
      const playlist = await findPlaylist(database.kysely, principal, playlistId)
      const projectId = playlist.project_id ?? undefined
      checkAllows(principal, 'playlists:read', projectId)
      checkAllows(principal, 'files:read', projectId)
      const { accountId } = principal
      return reply.send(
        await revokeLink(dependencies, { accountId, playoutId: playlist.playout_id, tokenId }),
      )
    },
  )
}

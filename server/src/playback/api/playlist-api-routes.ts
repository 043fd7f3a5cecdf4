import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { playoutSchema } from '../../library/files/record/parts/playout-record.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import { Problem } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { readTotals } from '../../library/playlists/playlist-elements.ts'
import { feedUris, feedUrisSchema, playlistLinks } from '../../library/playlists/playlist-record.ts'
import { findPlaylist } from '../../library/playlists/playlist-store.ts'
import type { RevokeDependencies } from '../access/revoke-link.ts'
import { previewExpiry, previewHours, previewSchema } from './preview-links.ts'
import { registerSignPlaylistRoute } from './sign-playlist-routes.ts'

const playlistPlayoutSchema = Type.Object({
  ...playoutSchema.properties,
  Preview: Type.Object({ ...previewSchema.properties, FeedURIs: feedUrisSchema }),
})

/** Registers the playback URLs of a playlist. Editors get signed preview URLs before it is released. */
export const registerPlaylistApiRoutes = (
  app: HttpServer,
  dependencies: RevokeDependencies & { readonly publicUrl: string },
): void => {
  const { database, tokens, publicUrl } = dependencies
  registerSignPlaylistRoute(app, dependencies)
  app.get(
    '/modules/playlists/:playlistId/playouts',
    {
      config: { permission: 'playlists:read', isProjectInRecord: true },
      schema: {
        operationId: 'listPlaylistPlayouts',
        tags: [tags.playlists],
        summary: 'List playouts of a playlist',
        description: `Returns public URLs and preview URLs. Public URLs work while the playlist is published. Preview URLs play it for ${previewHours} hours with all its elements, published or not. Preview URLs also require files:read.`,
        params: Type.Object({ playlistId: idSchema }),
        querystring: Type.Object(listQuery()),
        response: responses(
          {
            status: 200,
            schema: listSchema('Playouts', playlistPlayoutSchema),
            description: 'The playouts.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { principal } = request
      const page = parsePage(request.query)
      const { playlistId } = request.params
      const playlist = await findPlaylist(database.kysely, principal, playlistId)
      if (!principal.can('files:read', playlist.project_id ?? undefined))
        throw new Problem('permission_missing', { permission: 'files:read' })
      const { isPlayable } = await readTotals(database.kysely, playlist)
      const expiresAt = previewExpiry()
      const signedUrl = `${publicUrl}/s/${tokens.issuePreview(playlist.playout_id, expiresAt)}`
      const { MP4: _, ...preview } = playlistLinks(signedUrl, playlist, isPlayable)
      const playout = {
        Id: playlist.playout_id,
        Label: 'Default',
        IsDefault: true,
        ...playlistLinks(publicUrl, playlist, isPlayable),
        Preview: {
          ...preview,
          ExpiresAt: toTimestamp(expiresAt),
          FeedURIs: { ...feedUris(signedUrl, playlist), HLS: preview.HLS },
        },
      }
      const playouts = [playout].slice(page.offset)
      const { body, etag } = renderFreshList('Playouts', playouts, { totalCount: 1, last: null }, page)
      return sendJson(request, reply, body, etag)
    },
  )
}

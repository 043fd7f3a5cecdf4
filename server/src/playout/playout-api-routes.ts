import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { hasDash, playoutSchema, playoutUris, isPlayableState } from '../files/file-record.ts'
import { findMediaFile, renditionsOf } from '../files/media-file-store.ts'
import { etagOf, sendJson } from '../http/etag.ts'
import { responses, tags } from '../http/openapi.ts'
import { idSchema, timestampSchema } from '../http/schemas.ts'
import type { Database } from '../kernel/db/database.ts'
import { toTimestamp } from '../kernel/timestamp.ts'
import type { PlayoutTokens } from './playout-token.ts'

const previewHours = 6
const fileParams = Type.Object({
  projectId: idSchema,
  fileId: idSchema,
})

const previewSchema = Type.Object({
  HLS: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
  DASH: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
  EmbedURI: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
  ExpiresAt: timestampSchema,
})

/** Where a file plays, for viewers and, signed, for its makers before it is released. */
export const registerPlayoutApiRoutes = (
  app: FastifyInstance,
  dependencies: { readonly database: Database; readonly tokens: PlayoutTokens; readonly publicUrl: string },
): void => {
  const { database, tokens, publicUrl } = dependencies
  app.get(
    '/projects/:projectId/files/:fileId/playouts',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listPlayouts',
        tags: [tags.files],
        summary: 'Get the playouts of a file',
        description: `The public URLs, which answer once the file is published, and preview URLs, which play it for ${previewHours} hours whatever its release status.`,
        params: fileParams,
        response: responses(
          {
            status: 200,
            schema: Type.Object({
              Playouts: Type.Array(Type.Object({ ...playoutSchema.properties, Preview: previewSchema })),
              TotalCount: Type.Integer(),
            }),
            description: 'The playouts.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params as { projectId: number; fileId: number }
      const file = await findMediaFile(database.kysely, {
        accountId: request.principal.accountId,
        fileId,
        projectId,
      })
      const isPlayable = isPlayableState(file.state)
      const isDashOffered = isPlayable && hasDash(await renditionsOf(database.kysely, fileId))
      // The end of an hour, so that asking again within it answers the same URLs.
      const hourMs = 3_600_000
      const expiresAt = new Date((Math.floor(Date.now() / hourMs) + previewHours + 1) * hourMs)
      const token = tokens.issuePreview(file.playout_id, expiresAt)
      const links = (base: string) => {
        const uris = playoutUris(base, file.playout_id)
        return {
          HLS: isPlayable ? uris.hls : null,
          DASH: isDashOffered ? uris.dash : null,
          EmbedURI: isPlayable ? uris.embed : null,
        }
      }
      const playout = {
        Id: file.playout_id,
        Label: 'Default',
        IsDefault: true,
        ...links(publicUrl),
        MP4: null,
        Preview: { ...links(`${publicUrl}/s/${token}`), ExpiresAt: toTimestamp(expiresAt) },
      }
      const body = JSON.stringify({ Playouts: [playout], TotalCount: 1 })
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}

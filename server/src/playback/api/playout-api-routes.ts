import { Type } from 'typebox'
import { captionRecord } from '../../library/files/record/parts/caption-record.ts'
import { isPlayableState } from '../../library/files/record/parts/file-state.ts'
import {
  extraPlayoutLinks,
  extraPlayoutSchemas,
  hasDash,
  filePlayoutSchema,
  hasStoryboard,
  playoutUris,
  storyboardUriSchema,
} from '../../library/files/record/parts/playout-record.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { mp4DownloadOf } from '../../library/files/record/parts/mp4-download.ts'
import { captionsOf, findMediaFile, renditionsOf } from '../../library/files/record/media-file-store.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import type { RevokeDependencies } from '../access/revoke-link.ts'
import { registerSignPlayoutRoute } from './sign-playout-routes.ts'
import { previewExpiry, previewHours, previewSchema } from './preview-links.ts'

const fileParams = Type.Object({
  projectId: idSchema,
  fileId: idSchema,
})

const captionsSchema = Type.Array(schemaRef('Caption'))

const playoutWithPreviewSchema = Type.Object({
  ...filePlayoutSchema.properties,
  Captions: captionsSchema,
  Preview: Type.Object({
    ...previewSchema.properties,
    MP4: filePlayoutSchema.properties.MP4,
    Storyboard: storyboardUriSchema,
    ...extraPlayoutSchemas,
    Captions: captionsSchema,
  }),
})

/** Registers the playback URLs of a file. Editors get signed preview URLs before it is released. */
export const registerPlayoutApiRoutes = (
  app: HttpServer,
  dependencies: RevokeDependencies & { readonly publicUrl: string },
): void => {
  const { database, tokens, publicUrl } = dependencies
  registerSignPlayoutRoute(app, dependencies)
  app.get(
    '/projects/:projectId/files/:fileId/playouts',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listPlayouts',
        tags: [tags.files],
        summary: 'List playouts of a file',
        description: `Returns public URLs and preview URLs. Public URLs work while the file is published. Preview URLs play it for ${previewHours} hours in any release status.`,
        params: fileParams,
        querystring: Type.Object(listQuery()),
        response: responses(
          {
            status: 200,
            schema: listSchema('Playouts', playoutWithPreviewSchema),
            description: 'The playouts.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const page = parsePage(request.query)
      const file = await findMediaFile(database.kysely, {
        accountId: request.principal.accountId,
        fileId,
        projectId,
      })
      const isPlayable = isPlayableState(file.state)
      const renditions = await renditionsOf(database.kysely, fileId)
      const isDashOffered = isPlayable && hasDash(renditions)
      const isMp4Offered = isPlayable && mp4DownloadOf(renditions) !== null
      const expiresAt = previewExpiry()
      const token = tokens.issuePreview(file.playout_id, expiresAt)
      const captions = await captionsOf(database.kysely, fileId)
      const links = (base: string) => {
        const uris = playoutUris(base, file.playout_id)
        return {
          HLS: isPlayable ? uris.hls : null,
          DASH: isDashOffered ? uris.dash : null,
          MP4: isMp4Offered ? uris.mp4 : null,
          EmbedURI: isPlayable ? uris.embed : null,
          Storyboard: hasStoryboard(file) ? uris.storyboard : null,
          ...extraPlayoutLinks(file, renditions, uris),
          Captions: captions.map((caption) => captionRecord(caption, file, base)),
        }
      }
      const playout = {
        Id: file.playout_id,
        Label: 'Default',
        IsDefault: true,
        ...links(publicUrl),
        Preview: { ...links(`${publicUrl}/s/${token}`), ExpiresAt: toTimestamp(expiresAt) },
      }
      const playouts = [playout].slice(page.offset)
      const { body, etag } = renderFreshList('Playouts', playouts, { totalCount: 1, last: null }, page)
      return sendJson(request, reply, body, etag)
    },
  )
}

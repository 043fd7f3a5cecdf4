import { Type } from 'typebox'
import { isPlayableState } from '../../library/files/record/parts/file-state.ts'
import {
  extraPlayoutLinks,
  extraPlayoutSchemas,
  hasDash,
  hasStoryboard,
  playoutUris,
  storyboardUriSchema,
} from '../../library/files/record/parts/playout-record.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { mp4DownloadOf } from '../../library/files/record/parts/mp4-download.ts'
import { findMediaFile, renditionsOf } from '../../library/files/record/media-file-store.ts'
import { responses, tags } from '../../platform/http/openapi/openapi.ts'
import { idSchema, nullable } from '../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { revokeLink, tokenIdSchema, type RevokeDependencies } from '../access/revoke-link.ts'
import {
  endOfLinks,
  exampleToken,
  exampleTokenId,
  revokedLinkSchema,
  signatureFields,
  signSchema,
} from './sign-links.ts'

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })

const uri = Type.String({ format: 'uri' })
const playoutBase = `https://video.example.com/s/${exampleToken}`
const playoutId = '0b8f8a4e-4c39-4a62-8a8e-0c1d9c6f9a10'

const signedPlayoutSchema = Type.Object(
  {
    HLS: nullable(uri),
    DASH: nullable(uri),
    MP4: nullable(uri),
    EmbedURI: nullable(uri),
    Storyboard: storyboardUriSchema,
    ...extraPlayoutSchemas,
    ...signatureFields,
  },
  {
    description:
      'Viewer links to a file, valid until `ExpiresAt`. They are null until the file can be played.',
    examples: [
      {
        HLS: `${playoutBase}/v/${playoutId}/main.m3u8`,
        DASH: `${playoutBase}/v/${playoutId}/main.mpd`,
        MP4: `${playoutBase}/v/${playoutId}/download.mp4`,
        EmbedURI: `${playoutBase}/embed/${playoutId}`,
        Storyboard: `${playoutBase}/v/${playoutId}/storyboard.vtt`,
        M4A: null,
        ThumbnailURI: `${playoutBase}/v/${playoutId}/thumbnail.jpg`,
        AnimatedURI: `${playoutBase}/v/${playoutId}/animated.webp`,
        Token: exampleToken,
        TokenId: exampleTokenId,
        ExpiresAt: '2026-03-01T16:00:00+00:00',
      },
    ],
  },
)

/**
 * Registers the route that signs links to a file, in projects with TokenSecurity. The back end of a site
 * requests one per visit.
 */
export const registerSignPlayoutRoute = (
  app: HttpServer,
  dependencies: RevokeDependencies & { readonly publicUrl: string },
): void => {
  const { database, tokens, publicUrl } = dependencies
  app.post(
    '/projects/:projectId/files/:fileId/playouts/sign',
    {
      config: { permission: 'files:read', budget: 'signatures' },
      schema: {
        operationId: 'signPlayout',
        tags: [tags.files],
        summary: 'Sign playout links of a file',
        description:
          'Returns viewer links that expire at a time of your choice. Use them in projects with `TokenSecurity`, where the public links return 403. Unlike preview links, they return 404 unless the file is published.',
        params: fileParams,
        body: signSchema,
        response: responses(
          { status: 200, schema: signedPlayoutSchema, description: 'The links and their expiry.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const { accountId } = request.principal
      const expiresAt = endOfLinks(request.body ?? {})
      const file = await findMediaFile(database.kysely, { accountId, fileId, projectId })
      const isPlayable = isPlayableState(file.state)
      const renditions = await renditionsOf(database.kysely, fileId)
      const isDashOffered = isPlayable && hasDash(renditions)
      const isMp4Offered = isPlayable && mp4DownloadOf(renditions) !== null
      const tokenId = tokens.newTokenId(file.playout_id)
      const token = tokens.issueViewer(file.playout_id, expiresAt, tokenId)
      const uris = playoutUris(`${publicUrl}/s/${token}`, file.playout_id)
      return reply.send({
        HLS: isPlayable ? uris.hls : null,
        DASH: isDashOffered ? uris.dash : null,
        MP4: isMp4Offered ? uris.mp4 : null,
        EmbedURI: isPlayable ? uris.embed : null,
        Storyboard: hasStoryboard(file) ? uris.storyboard : null,
        ...extraPlayoutLinks(file, renditions, uris),
        Token: token,
        TokenId: tokenId,
        ExpiresAt: toTimestamp(expiresAt),
      })
    },
  )

  app.delete(
    '/projects/:projectId/files/:fileId/playouts/tokens/:token',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'revokePlayoutToken',
        tags: [tags.files],
        summary: 'Revoke a signed link of a file',
        description:
          'Revokes viewer links before they expire, by the `TokenId` of their signature. All nodes refuse them within two seconds. You can revoke a token again.',
        params: Type.Object({ projectId: idSchema, fileId: idSchema, token: tokenIdSchema }),
        response: responses(
          { status: 200, schema: revokedLinkSchema, description: 'The revoked token.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId, token: tokenId } = request.params
      const { accountId } = request.principal
      const file = await findMediaFile(database.kysely, { accountId, fileId, projectId })
      return reply.send(await revokeLink(dependencies, { accountId, playoutId: file.playout_id, tokenId }))
    },
  )
}

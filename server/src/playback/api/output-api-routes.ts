import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { described, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { askHealth } from '../../live/control/nodes/ask-node.ts'
import { broadcastOf } from '../../live/control/store/live-broadcasts.ts'
import {
  liveParams,
  livePath,
  ownerOf,
  type LiveRouteDependencies,
} from '../../live/control/api/live-request.ts'
import { noHealth } from '../../live/control/nodes/live-status.ts'
import { isOnline, openLiveStream } from '../../live/control/store/live-stream-store.ts'
import {
  exampleOutput,
  liveLinks,
  liveLinksFields,
  liveOutputFields,
  outputRecord,
} from '../../live/control/api/output-record.ts'
import { revokeLink, tokenIdSchema, type RevokeDependencies } from '../access/revoke-link.ts'
import { previewExpiry, previewHours } from './preview-links.ts'
import {
  endOfLinks,
  exampleToken,
  exampleTokenId,
  revokedLinkSchema,
  signatureFields,
  signSchema,
} from './sign-links.ts'

const linksBase = `https://video.example.com/s/${exampleToken}`

const exampleLinks = {
  ...liveLinks(linksBase, { playout_id: exampleOutput.PlayoutId, is_low_latency: true }),
  ExpiresAt: '2026-03-01T16:00:00+00:00',
}

const linksDescription = 'Signed links that work until `ExpiresAt`.'

const previewLinksSchema = Type.Object(
  { ...liveLinksFields, ExpiresAt: described(timestampSchema, 'Time at which the links expire.') },
  { description: linksDescription, examples: [exampleLinks] },
)

const signedLinksSchema = Type.Object(
  { ...liveLinksFields, ...signatureFields },
  {
    description: linksDescription,
    examples: [{ ...exampleLinks, Token: exampleToken, TokenId: exampleTokenId }],
  },
)

export const liveOutputSchema = Type.Object(
  { ...liveOutputFields, Preview: previewLinksSchema },
  {
    description: 'URLs to play a live stream. They stay the same before, during and after a broadcast.',
    examples: [{ ...exampleOutput, Preview: exampleLinks }],
  },
)

/** Registers the playback URLs of a live stream. Editors get signed preview URLs before it is released. */
export const registerOutputApiRoutes = (
  app: HttpServer,
  dependencies: LiveRouteDependencies & RevokeDependencies,
): void => {
  const { database, secrets, tokens, publicUrl } = dependencies

  app.get(
    `${livePath}/output`,
    {
      config: { permission: 'live:read' },
      schema: {
        operationId: 'getLiveOutput',
        tags: [tags.live],
        summary: 'Get the live output',
        description: `Returns public URLs, embed codes and preview URLs. Public URLs work while the stream is published. Preview URLs play the stream for ${previewHours} hours in any release status.`,
        params: liveParams,
        response: responses(
          { status: 200, schema: schemaRef('LiveOutput'), description: 'The output.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const stream = await openLiveStream(database.kysely, secrets, ownerOf(request))
      const health = isOnline(stream) ? await askHealth(dependencies, stream) : noHealth
      const broadcast = await broadcastOf(database.kysely, stream)
      const expiresAt = previewExpiry()
      const token = tokens.issuePreview(stream.playout_id, expiresAt)
      const body = JSON.stringify({
        ...outputRecord(stream, { broadcast, health, publicUrl }),
        Preview: { ...liveLinks(`${publicUrl}/s/${token}`, stream), ExpiresAt: toTimestamp(expiresAt) },
      })
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.post(
    `${livePath}/output/sign`,
    {
      config: { permission: 'live:read', budget: 'signatures' },
      schema: {
        operationId: 'signLiveOutput',
        tags: [tags.live],
        summary: 'Sign live links',
        description:
          'Returns viewer links that expire at a time of your choice. Use them in projects with `TokenSecurity`, where the public links return 403. Unlike preview links, they return 404 unless the stream is published.',
        params: liveParams,
        body: signSchema,
        response: responses(
          { status: 200, schema: signedLinksSchema, description: 'The links and their expiry.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const expiresAt = endOfLinks(request.body ?? {})
      const stream = await openLiveStream(database.kysely, secrets, ownerOf(request))
      const tokenId = tokens.newTokenId(stream.playout_id)
      const token = tokens.issueViewer(stream.playout_id, expiresAt, tokenId)
      return reply.send({
        ...liveLinks(`${publicUrl}/s/${token}`, stream),
        Token: token,
        TokenId: tokenId,
        ExpiresAt: toTimestamp(expiresAt),
      })
    },
  )

  app.delete(
    `${livePath}/output/tokens/:token`,
    {
      config: { permission: 'live:read' },
      schema: {
        operationId: 'revokeLiveToken',
        tags: [tags.live],
        summary: 'Revoke a signed live link',
        description:
          'Revokes viewer links to the live stream before they expire, by the `TokenId` of their signature. All nodes refuse them within two seconds.',
        params: Type.Object({ ...liveParams.properties, token: tokenIdSchema }),
        response: responses(
          { status: 200, schema: revokedLinkSchema, description: 'The revoked token.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const stream = await openLiveStream(database.kysely, secrets, ownerOf(request))
      const { accountId } = request.principal
      const { token: tokenId } = request.params
      return reply.send(await revokeLink(dependencies, { accountId, playoutId: stream.playout_id, tokenId }))
    },
  )
}

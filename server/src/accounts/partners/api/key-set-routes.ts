import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { etagOf, namesEtag } from '../../../platform/http/responses/etag.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { clientKeySet } from '../store/client-keys.ts'
import { keySetMaxAgeSeconds, publishedKeys } from '../store/webhook-signing-keys.ts'

/** The route is public, so the key set is cached in memory. A revoked key disappears after this time. */
const rememberedMs = 1_000

const clientParams = Type.Object({ keySetUuid: Type.String({ format: 'uuid' }) })

interface KeySet {
  readonly body: string
  readonly etag: string
}

/** Renders a JWK Set (RFC 7517, section 5). */
const renderKeySet = (keys: JsonWebKey[]): KeySet => {
  const body = JSON.stringify({ keys })
  return { body, etag: etagOf(body) }
}

/** Sends a public, cacheable response, unlike the routes below /v3. */
const sendKeySet = (request: FastifyRequest, reply: FastifyReply, { body, etag }: KeySet): FastifyReply => {
  reply.header('ETag', etag).header('Cache-Control', `public, max-age=${keySetMaxAgeSeconds}`)
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('Content-Type', 'application/json; charset=utf-8').send(body)
}

/**
 * Registers the key sets: the keys that sign deliveries, and the client keys of each account for its provider.
 */
export const registerKeySetRoutes = (
  app: HttpServer,
  { database }: { readonly database: Database },
): void => {
  let remembered: { readonly untilMs: number; readonly keySet: Promise<KeySet> } | null = null

  const signingKeySet = (): Promise<KeySet> => {
    if (remembered === null || performance.now() >= remembered.untilMs) {
      const keySet = publishedKeys(database).then(renderKeySet)
      remembered = { untilMs: performance.now() + rememberedMs, keySet }
      keySet.catch(() => {
        remembered = null
      })
    }
    return remembered.keySet
  }

  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (request, reply) =>
    sendKeySet(request, reply, await signingKeySet()),
  )

  app.get(
    '/.well-known/clients/:keySetUuid/jwks.json',
    { schema: { hide: true, params: clientParams } },
    async (request, reply) => {
      const { keySetUuid } = request.params
      const keys = await clientKeySet(database, keySetUuid)
      if (keys.length === 0) throw new Problem('key_set_not_found')
      return sendKeySet(request, reply, renderKeySet(keys))
    },
  )
}

import type { FastifyReply } from 'fastify'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Database } from '../../platform/db/database.ts'
import { findLivePoster } from '../../live/control/store/live-poster-store.ts'
import { Problem } from '../../platform/base/problem.ts'
import { nothing } from '../access/find-playout.ts'
import { useAdmitOrigin } from '../access/admit-origin.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import { createAdmittedRedirects } from './admitted-redirect.ts'
import { refusalOf, type LiveAccess, type LiveStreamFacts } from './live-access.ts'
import { liveBoard, stateWithoutNode } from './live-board.ts'
import { createPassOn, patienceMs } from './pass-on.ts'
import { createSharedDelivery } from './shared-delivery.ts'
import type { ViewerRequest } from './viewer-request.ts'
import { corsHeaders, preflightHeaders, timeHeaders } from '../responses/send-media.ts'

/**
 * Serves live streams from the node that has the stream: redirects viewers who can reach it, otherwise proxies
 * it.
 */
export const registerLivePlayoutRoutes = (
  app: HttpServer,
  {
    access,
    database,
    nodeToken,
    publicUrl,
  }: {
    readonly access: LiveAccess
    readonly database: Pick<Database, 'kysely'>
    readonly nodeToken: string
    readonly publicUrl: string
  },
): void => {
  const passOn = createPassOn({ token: nodeToken, log: app.log })
  app.addHook('onClose', passOn.close)
  const shared = createSharedDelivery({ access, patienceMs, token: nodeToken })
  app.addHook('onClose', shared.close)
  const admitOrigin = useAdmitOrigin(app, publicUrl)
  const admitted = createAdmittedRedirects(nodeToken)
  app.addHook(
    'onRequest',
    directHook((_request, reply) => {
      reply.headers(corsHeaders)
    }),
  )
  // Leaves bodies unread for the proxied node.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  /** Returns the status or the poster when no node has the stream. Throws 'not_found' for other names. */
  const withoutNode = async (playoutId: string, name: string, facts: LiveStreamFacts) => {
    if (name === 'status.json') return liveBoard(facts, stateWithoutNode(facts))
    const poster = name === 'poster.jpg' ? await findLivePoster(database.kysely, playoutId) : null
    if (poster === null) throw nothing()
    return poster
  }

  const serve = async (request: PlayoutRequest<'*'>, reply: FastifyReply) => {
    const { playoutId, token = null, '*': name } = request.params
    const grant = access.grantOf(playoutId, token)
    const facts = await access.factsOf(playoutId)
    const refusal = refusalOf(facts, grant)
    if (facts === null || refusal !== null) throw refusal ?? nothing()
    const { url, isAdmitted } = admitted.take(request.raw.url ?? '', playoutId)
    if (!isAdmitted || request.headers.origin !== 'null') admitOrigin(request, facts)
    const { node } = facts
    if (node !== null && node.publicUrl !== null) {
      const nodeUrl = `${node.publicUrl.replace(/\/$/, '')}${request.raw.url}`
      const isChecked = facts.allowedDomains.length > 0 && request.headers.origin !== undefined
      const location = isChecked ? admitted.add(nodeUrl, playoutId) : nodeUrl
      return reply.code(307).header('Location', location).header('Cache-Control', 'no-store').send()
    }
    const viewer: ViewerRequest = {
      request: request.raw,
      response: reply.raw,
      id: request.id,
      address: request.ip,
      variesByOrigin: request.variesByOrigin,
      takeResponse: () => void reply.hijack(),
    }
    const asked = shared.read(request.raw, url)
    if (asked !== null) return shared.send(viewer, asked, grant)
    if (node !== null && (await passOn.pass(viewer, node.url))) return undefined
    if (request.method === 'POST') throw node === null ? nothing() : unavailable()
    if (name === 'time') return reply.headers(timeHeaders).send(new Date().toISOString())
    if (node !== null && name !== 'status.json' && name !== 'poster.jpg') throw unavailable()
    const body = await withoutNode(playoutId, name, facts)
    if (Buffer.isBuffer(body)) reply.type('image/jpeg')
    return reply.header('Cache-Control', 'public, max-age=1').send(body)
  }

  for (const base of ['/l/:playoutId', '/s/:token/l/:playoutId']) {
    const options = { schema: playoutSchema('*') }
    app.options(`${base}/*`, { schema: { hide: true } }, async (_request, reply) =>
      reply.headers(preflightHeaders).code(204).send(),
    )
    app.get(`${base}/*`, options, serve)
    app.post(`${base}/*`, options, serve)
  }
}

const unavailable = (): Problem =>
  new Problem('live_node_unavailable', {}, { headers: { 'Retry-After': '1' } })

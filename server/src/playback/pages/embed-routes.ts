import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { etagOf, namesEtag } from '../../platform/http/responses/etag.ts'
import { playerPageHeaders } from '../../platform/http/responses/page-headers.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { Problem, statusOf } from '../../platform/base/problem.ts'
import { contentSecurityPolicy, embedDocument, refusedDocument, type EmbedPage } from './embed-document.ts'
import { createEmbedPages, type EmbedDependencies } from './embed-pages.ts'
import { registerOembedRoute } from './oembed-route.ts'
import { languagesOf } from './page-chapters.ts'
import { createProblemReports } from './problem-reports.ts'
import { createRefusals, type Refusal } from './refusals.ts'
import { registerPlayerAssets, type PlayerAssets } from './player-assets.ts'
import { createOriginCheck } from '../access/allowed-origins.ts'
import { playoutSchema, type PlayoutRequest } from '../access/playout-request.ts'
import { corsHeaders, sendPreflight } from '../responses/send-media.ts'

/** The player reads the other parameters. Like the player, this route ignores invalid values. */
const querystring = Type.Object({ lang: Type.Optional(Type.Unknown()) })
type EmbedRequest = PlayoutRequest & { readonly query: Static<typeof querystring> }

const problemBody = Type.Object({
  Reason: Type.Union(
    ['failed', 'unavailable', 'link', 'expired', 'codec', 'unsupported'].map((reason) =>
      Type.Literal(reason),
    ),
  ),
  /** Error code of the engine or the browser. */
  Detail: Type.Optional(Type.String({ maxLength: 100 })),
})
type ProblemRequest = PlayoutRequest & { readonly body: Static<typeof problemBody> }

const wantsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

const frames = new Set(['iframe', 'frame', 'embed', 'object'])

const isRefusal = ({ code }: Problem): boolean => code === 'not_found' || code === 'forbidden'

/**
 * Registers the player page, for iframes and as a page of its own. With `/s/<token>` it previews unpublished
 * media.
 */
export const registerEmbedRoutes = (
  app: HttpServer,
  dependencies: EmbedDependencies & { readonly player: PlayerAssets; readonly publicUrl: string },
): void => {
  const { player, publicUrl } = dependencies
  const pageOf = createEmbedPages(dependencies)
  const refusalOf = createRefusals(dependencies.database, dependencies.tokens)
  const report = createProblemReports()
  const isOriginAllowed = createOriginCheck(publicUrl)

  /** Browsers would block the page without a word, because of its `frame-ancestors`. */
  const isForeignFrame = ({ headers }: FastifyRequest, { domains }: EmbedPage): boolean => {
    const { referer, host, 'sec-fetch-dest': destination } = headers
    if (domains === null || referer === undefined || !frames.has(String(destination))) return false
    return !isOriginAllowed({ origin: referer, host }, domains)
  }

  const embed = async (request: EmbedRequest, reply: FastifyReply) => {
    const { params, query } = request
    reply.headers(corsHeaders)
    const send = (policy: Pick<EmbedPage, 'domains' | 'mediaOrigins'>, html: string) => {
      const security = contentSecurityPolicy(policy)
      reply
        .headers(playerPageHeaders(security))
        .header('Cache-Control', 'no-cache')
        .header('Vary', 'Accept, Accept-Language')
      if (reply.statusCode === 200) {
        // The ETag covers the content security policy, because browsers cache it with the page.
        const etag = etagOf(`${security}\n${html}`)
        reply.header('ETag', etag)
        if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      }
      return reply.send(html)
    }
    try {
      const { playoutId, token } = params
      const languages = languagesOf(query.lang, request.headers['accept-language'])
      const page = await pageOf({ ...params, languages })
      if (isForeignFrame(request, page)) throw new Problem('site_not_allowed')
      return send(
        page,
        embedDocument(page, player.version, token === undefined ? { publicUrl, playoutId } : null),
      )
    } catch (error) {
      // Browsers get an error page, for example inside an iframe; programs get the error as JSON.
      if (!(error instanceof Problem) || !wantsHtml(request) || !isRefusal(error)) throw error
      const { playoutId } = request.params
      const refusal = await refusalOf(error, request.params)
      const supportId = report(request, { playoutId, reason: refusal.reason })
      reply.code(statusOf[error.code])
      const viewer = { supportId, acceptLanguage: request.headers['accept-language'] }
      return send({ domains: null }, refusedDocument(refusal, player.version, viewer))
    }
  }

  /** The state of a playout: what its page would answer. */
  const stateOf = async (params: PlayoutRequest['params']): Promise<'available' | Refusal['reason']> => {
    try {
      await pageOf(params)
      return 'available'
    } catch (error) {
      if (!(error instanceof Problem) || !isRefusal(error)) throw error
      return (await refusalOf(error, params)).reason
    }
  }

  /** The player reports a video that does not play, and shows the viewer the id of the report. */
  const reportProblem = async (request: ProblemRequest, reply: FastifyReply) => {
    const { params, body } = request
    const State = await stateOf(params)
    const supportId = report(request, {
      playoutId: params.playoutId,
      reason: body.Reason,
      ...(body.Detail === undefined ? {} : { detail: body.Detail }),
    })
    return reply.header('Cache-Control', 'no-store').send({ SupportId: supportId, State })
  }
  for (const path of ['/embed/:playoutId', '/s/:token/embed/:playoutId']) {
    app.options(path, { schema: { hide: true } }, sendPreflight)
    app.get(path, { schema: { ...playoutSchema(), querystring } }, embed)
    app.post(`${path}/problems`, { schema: { ...playoutSchema(), body: problemBody } }, reportProblem)
  }

  registerPlayerAssets(app, player)
  registerOembedRoute(app, { pageOf, publicUrl })
}

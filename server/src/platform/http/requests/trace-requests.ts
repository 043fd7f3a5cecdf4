import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redactUrl } from '../../log/log.ts'
import { openSpan, type Span } from '../../telemetry/tracing.ts'
import { directHook } from './direct-hook.ts'

/** Probes and scrapes would be most of the spans. */
const untraced = new Set(['/healthz', '/readyz', '/readyz/writes', '/metrics'])

const spans = new WeakMap<FastifyRequest, Span>()

export const spanOf = (request: FastifyRequest): Span | undefined => spans.get(request)

/** Names are the patterns of routes. Attributes follow the semantic conventions of OpenTelemetry for HTTP. */
export const traceRequests = (app: FastifyInstance): void => {
  app.addHook(
    'onRequest',
    directHook((request) => {
      const { traceparent } = request.headers
      const route = request.routeOptions.url
      if (route !== undefined && untraced.has(route)) return
      const span = openSpan(route === undefined ? request.method : `${request.method} ${route}`, {
        kind: 'server',
        parent: typeof traceparent === 'string' ? traceparent : null,
        attributes: {
          'http.request.method': request.method,
          'http.route': route ?? null,
          'url.path': redactUrl(request.url.split('?', 1)[0] ?? ''),
          'zoetrope.request_id': request.id,
        },
      })
      if (span !== null) spans.set(request, span)
    }),
  )
  app.addHook(
    'onResponse',
    directHook((request, reply) => {
      const span = spans.get(request)
      span?.set({
        'http.response.status_code': reply.statusCode,
        'zoetrope.account_id': request.principal?.accountId ?? null,
      })
      span?.end(reply.statusCode >= 500 ? new Error(`status ${reply.statusCode}`) : undefined)
    }),
  )
}

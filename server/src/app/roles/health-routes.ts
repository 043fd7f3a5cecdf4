import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, register, type Registry } from 'prom-client'
import { createHttpServer } from '../../platform/http/server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Log } from '../../platform/log/log.ts'
import { Problem } from '../../platform/base/problem.ts'
import { product } from '../../platform/base/version.ts'
import type { RunningRole } from './running-role.ts'
import type { Services } from './services.ts'

const hidden = { schema: { hide: true } }

collectDefaultMetrics({ prefix: 'zoetrope_' })

const durations = new Histogram({
  name: 'zoetrope_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last byte of its response.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
})

type CheckAccess = (request: FastifyRequest) => void

/**
 * Viewers reach this port, and the metrics show routes and load. Throws 'unauthorized' without the token, and
 * logs it once: earlier releases required none.
 */
export const requireMetricsToken = (token: string | null, log: Log): CheckAccess => {
  let hasWarned = false
  const wanted = token === null ? null : Buffer.from(`Bearer ${token}`)
  return ({ headers }) => {
    const given = Buffer.from(headers.authorization ?? '')
    if (wanted !== null && given.length === wanted.length && timingSafeEqual(given, wanted)) return
    if (!hasWarned)
      log.warn('refused a request for /metrics: it requires the token of ZOETROPE_METRICS_TOKEN')
    hasWarned = true
    throw new Problem('metrics_token_required', {}, { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
}

export const registerHealthRoutes = (
  app: FastifyInstance,
  { database, blobs }: Services,
  {
    ownMetrics = [],
    checkAccess = () => {},
  }: { readonly ownMetrics?: readonly Registry[]; readonly checkAccess?: CheckAccess } = {},
): void => {
  app.addHook(
    'onResponse',
    directHook((request, reply) => {
      const route = request.routeOptions.url ?? 'unknown'
      durations.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
    }),
  )

  app.get('/healthz', hidden, async () => ({ status: 'ok', ...product }))
  app.get('/readyz', hidden, async () => {
    try {
      await sql`select 1`.execute(database.kysely)
      await blobs.checkHealth()
    } catch (error) {
      throw new Problem('not_ready', {}, { headers: { 'Retry-After': '2' }, cause: error })
    }
    return { status: 'ready' }
  })
  app.get('/metrics', hidden, async (request, reply) => {
    checkAccess(request)
    const texts = await Promise.all([register, ...ownMetrics].map((metrics) => metrics.metrics()))
    return reply.header('Content-Type', register.contentType).send(texts.join('\n'))
  })
}

/** Starts a server for the same health routes on workers and live nodes, which have no API. */
export const startHealthServer = async (
  services: Services,
  port: number,
  ownMetrics: readonly Registry[] = [],
): Promise<RunningRole> => {
  const { host, publicUrl } = services.config
  const app = await createHttpServer({ log: services.log, publicUrl })
  registerHealthRoutes(app, services, { ownMetrics })
  await app.listen({ host, port })
  return {
    stop: () => app.close(),
  }
}

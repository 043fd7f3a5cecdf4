import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, register, type Registry } from 'prom-client'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Log } from '../../platform/log/log.ts'
import { errorBody } from '../../platform/base/error-body.ts'
import { Problem } from '../../platform/base/problem.ts'
import { StartupError } from '../../platform/base/startup-error.ts'
import { product } from '../../platform/base/version.ts'
import type { Config } from '../config/config.ts'
import { createNodeRegistry } from './node-registry.ts'
import { createReadinessCheck, type Readiness, type ReadinessCheck } from './readiness.ts'

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

/** What the health routes need of the services of a process. */
export interface HealthServices {
  readonly config: Pick<Config, 'host' | 'publicUrl' | 'dataFolder'>
  readonly database: Database
  readonly blobs: BlobStore
  readonly log: Log
}

const sendReadiness = (
  request: FastifyRequest,
  reply: FastifyReply,
  { reads, writes, isStopping }: Readiness,
  isReady: boolean,
): FastifyReply => {
  reply.header('Cache-Control', 'no-store')
  const figures = { Reads: reads, Writes: writes }
  if (isReady) return reply.send({ status: 'ready', ...figures })
  const problem = new Problem(isStopping ? 'server_stopping' : 'not_ready')
  return reply
    .code(problem.status)
    .header('Retry-After', '2')
    .send({ status: isStopping ? 'stopping' : 'not ready', ...figures, ...errorBody(problem, request.id) })
}

/** Returns the readiness, which the process ends when it stops. */
export const registerHealthRoutes = (
  app: FastifyInstance,
  { config, database, blobs, log }: HealthServices,
  {
    ownMetrics = [],
    checkAccess = () => {},
  }: { readonly ownMetrics?: readonly Registry[]; readonly checkAccess?: CheckAccess } = {},
): ReadinessCheck => {
  app.addHook(
    'onResponse',
    directHook((request, reply) => {
      const route = request.routeOptions.url ?? 'unknown'
      durations.observe(
        { method: request.method, route, status: String(reply.statusCode) },
        reply.elapsedTime / 1000,
      )
    }),
  )
  const readiness = createReadinessCheck({ database, blobs }, log)
  const nodeMetrics = createNodeRegistry({
    database,
    dataFolder: config.dataFolder,
    countConnections: () =>
      new Promise((resolve) =>
        app.server.getConnections((error, count) => resolve(error === null ? count : 0)),
      ),
  })
  const registries = [register, nodeMetrics, ...ownMetrics]

  app.get('/healthz', hidden, async () => ({ status: 'ok', ...product }))
  app.get('/readyz', hidden, async (request, reply) => {
    const found = await readiness.check()
    return sendReadiness(request, reply, found, found.reads === 'ok')
  })
  app.get('/readyz/writes', hidden, async (request, reply) => {
    const found = await readiness.check()
    return sendReadiness(request, reply, found, found.reads === 'ok' && found.writes === 'ok')
  })
  app.get('/metrics', hidden, async (request, reply) => {
    checkAccess(request)
    const texts = await Promise.all(registries.map((metrics) => metrics.metrics()))
    return reply.header('Content-Type', register.contentType).send(texts.join('\n'))
  })
  return readiness
}

export interface HealthServer {
  readonly readiness: ReadinessCheck
  readonly stop: () => Promise<void>
}

/** Starts a server for the same health routes on workers and live nodes, which have no API. */
export const startHealthServer = async (
  services: HealthServices,
  port: number,
  ownMetrics: readonly Registry[] = [],
): Promise<HealthServer> => {
  const { host, publicUrl } = services.config
  const app = await createHttpServer({ log: services.log, publicUrl })
  const readiness = registerHealthRoutes(app, services, { ownMetrics })
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `Cannot listen on ${host} port ${port} for /readyz and /metrics (${error.code}). Stop the program that uses it, or set ZOETROPE_WORKER_PORT (of a worker) or ZOETROPE_LIVE_HEALTH_PORT (of a live node) to a free port.`,
      { cause: error },
    )
  })
  return {
    readiness,
    stop: async () => {
      await app.close()
    },
  }
}

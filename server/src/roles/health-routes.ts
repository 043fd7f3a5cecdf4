import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Problem } from '../kernel/problem.ts'
import type { Services } from './services.ts'

const hidden = { schema: { hide: true } }

/** For balancers and operators: alive, ready to serve, and numbers for Prometheus. */
export const registerHealthRoutes = (app: FastifyInstance, { database, blobs }: Services): void => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'zoetrope_' })
  const durations = new Histogram({
    name: 'zoetrope_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
  })

  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async () => {
    try {
      await sql`select 1`.execute(database.kysely)
      await blobs.checkHealth()
    } catch (error) {
      throw new Problem('unavailable', 'The database or the media storage cannot be reached.', {
        headers: { 'Retry-After': '2' },
        cause: error,
      })
    }
    return { status: 'ready' }
  })
  app.get('/metrics', hidden, async (_request, reply) =>
    reply.header('Content-Type', registry.contentType).send(await registry.metrics()),
  )
}

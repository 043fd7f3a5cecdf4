import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../../platform/base/problem.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Refusals } from '../../../platform/http/limits/refusals.ts'
import { findRemoteWorker, readToken, type RemoteWorkerRow } from './remote-worker-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    remoteWorker: RemoteWorkerRow
  }
}

/** More than a busy worker needs. Each request can hold a segment in memory. */
const mostRequests = 64

export const invalidToken = (): Problem =>
  new Problem(
    'worker_token_invalid',
    {},
    { headers: { 'WWW-Authenticate': 'Bearer realm="Zoetrope workers"' } },
  )

/**
 * Admits only requests with the token of a worker, and before their body is read. The row is read each time, so a
 * revocation takes effect at once.
 */
export const protectWorkerRoutes = (
  app: FastifyInstance,
  { database, refusals }: { readonly database: Database; readonly refusals: Refusals },
): void => {
  const open = new Map<number, number>()

  const identify = async ({ headers, ip }: FastifyRequest): Promise<RemoteWorkerRow> => {
    refusals.check(ip)
    const token = readToken(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    const worker = token === null ? undefined : await findRemoteWorker(database.kysely, token.id)
    const isKnown = token !== null && worker !== undefined && timingSafeEqual(token.hash, worker.token_hash)
    if (isKnown && worker.revoked_at === null) return worker
    refusals.count(ip)
    throw invalidToken()
  }

  app.decorateRequest('remoteWorker', null as unknown as RemoteWorkerRow)
  app.addHook('onRequest', async (request, reply) => {
    const worker = await identify(request)
    const count = (open.get(worker.id) ?? 0) + 1
    if (count > mostRequests)
      throw new Problem('worker_requests_limited', {}, { headers: { 'Retry-After': '1' } })
    open.set(worker.id, count)
    reply.raw.once('close', () => {
      const left = (open.get(worker.id) ?? 1) - 1
      if (left === 0) open.delete(worker.id)
      else open.set(worker.id, left)
    })
    request.remoteWorker = worker
  })
}

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { Problem } from '../../../platform/base/problem.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import type { Refusals } from '../../../platform/http/limits/refusals.ts'
import { passCause } from '../../../platform/http/requests/pass-cause.ts'
import { invalidToken, protectWorkerRoutes } from './authenticate-worker.ts'
import type { Claim } from './chunk-leases.ts'
import { createSegmentReader } from './read-segment.ts'
import { createRemoteJobs, type RemoteDependencies } from './remote-jobs.ts'
import { findRemoteWorker, noteSeen } from './remote-worker-store.ts'

const waitMs = 20_000
const pollMs = 1_000

/** `worker-token list` prints it to the terminal of the operator. */
const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'
const machineSchema = Type.Object({
  Version: Type.String({ maxLength: 50, pattern: printable }),
  Ffmpeg: Type.String({ maxLength: 100, pattern: printable }),
  Cores: Type.Integer({ minimum: 1, maximum: 4_096 }),
  Slots: Type.Integer({ minimum: 1, maximum: 64 }),
})
const jobParams = Type.Object({ claim: Type.String({ format: 'uuid' }) })
const segmentParams = Type.Object({
  claim: Type.String({ format: 'uuid' }),
  rendition: Type.Integer({ minimum: 0, maximum: 100 }),
  index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
})
const leaseSchema = Type.Object({ DoneSeconds: Type.Number({ minimum: 0, maximum: 1e9 }) })
const failureSchema = Type.Object({
  Reason: Type.String({ minLength: 1, maxLength: 500 }),
  IsSourceAtFault: Type.Boolean(),
})

type JobRequest = FastifyRequest & { readonly params: Static<typeof jobParams> }

const claimOf = ({ params, remoteWorker }: JobRequest): Claim => ({
  claim: params.claim,
  workerId: remoteWorker.id,
})

/** Bytes of a source; both ends are in the range. */
const readRange = (header: string | undefined, sizeBytes: number): { start: number; end: number } => {
  const match = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '')
  const [start, end] = [Number(match?.[1] ?? NaN), Math.min(Number(match?.[2] ?? NaN) + 1, sizeBytes)]
  if (!(start < end))
    throw new Problem(
      'range_not_satisfiable',
      { sizeBytes },
      { headers: { 'Content-Range': `bytes */${sizeBytes}` } },
    )
  return { start, end }
}

/**
 * Registers the routes of remote workers, which are not part of the public API. A worker token is valid only for
 * these routes, and each job gives access only to its own source and segments.
 */
export const registerWorkerRoutes = (
  app: HttpServer,
  dependencies: RemoteDependencies & { readonly refusals: Refusals },
): void => {
  const { database, blobs } = dependencies
  const jobs = createRemoteJobs(dependencies)
  const useSegment = createSegmentReader()
  protectWorkerRoutes(app, dependencies)
  passCause(app)
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  const hidden = { hide: true } as const

  app.post('/jobs', { schema: { ...hidden, body: machineSchema } }, async (request, reply) => {
    const { id } = request.remoteWorker
    const { Version: version, Ffmpeg: ffmpeg, Cores: cores, Slots: slots } = request.body
    await noteSeen(database.kysely, id, { version, ffmpeg, cores, slots })
    const untilMs = performance.now() + waitMs
    while (!reply.raw.destroyed && !isClosing()) {
      // Its token may be revoked, and a result of another slot refused, while it waits.
      const worker = await findRemoteWorker(database.kysely, id)
      if (worker?.revoked_at !== null) throw invalidToken()
      if (worker.paused_because !== null) throw new Problem('worker_paused', { cause: worker.paused_because })
      const job = await jobs.claim(id)
      if (job !== null) return reply.header('Cache-Control', 'no-store').send(job)
      if (performance.now() > untilMs) break
      await delay(pollMs)
    }
    return reply.code(204).send()
  })

  let closing = false
  const isClosing = (): boolean => closing
  // A long poll must not hold up the stop of this process.
  app.addHook('preClose', async () => {
    closing = true
  })

  app.post(
    '/jobs/:claim/lease',
    { schema: { ...hidden, params: jobParams, body: leaseSchema } },
    async (request, reply) => {
      await noteSeen(database.kysely, request.remoteWorker.id)
      const isHeld = await jobs.renew(claimOf(request), request.body.DoneSeconds)
      return reply.send({ Action: isHeld ? 'continue' : 'stop' })
    },
  )

  app.get('/jobs/:claim/source', { schema: { ...hidden, params: jobParams } }, async (request, reply) => {
    const source = await jobs.source(claimOf(request), request.headers['if-match'])
    const { start, end } = readRange(request.headers.range, source.sizeBytes)
    return reply
      .code(206)
      .headers({
        'Content-Type': 'application/octet-stream',
        'Content-Length': end - start,
        'Content-Range': `bytes ${start}-${end - 1}/${source.sizeBytes}`,
        'Cache-Control': 'no-store',
      })
      .send(await blobs.stream(source.blob, { start, end }))
  })

  app.put(
    '/jobs/:claim/segments/:rendition/:index',
    { schema: { ...hidden, params: segmentParams } },
    async (request, reply) => {
      const { rendition, index } = request.params
      const claim = claimOf(request)
      await useSegment(request, await jobs.mostBytes(claim, rendition, index), (bytes) =>
        jobs.deliver(claim, rendition, index, bytes),
      )
      return reply.code(204).send()
    },
  )

  app.post('/jobs/:claim/done', { schema: { ...hidden, params: jobParams } }, async (request, reply) => {
    await jobs.finish(claimOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/jobs/:claim/failed',
    { schema: { ...hidden, params: jobParams, body: failureSchema } },
    async (request, reply) => {
      const { Reason: reason, IsSourceAtFault: isSourceAtFault } = request.body
      await jobs.fail(claimOf(request), { reason, isSourceAtFault })
      return reply.code(204).send()
    },
  )

  app.delete('/jobs/:claim', { schema: { ...hidden, params: jobParams } }, async (request, reply) => {
    await jobs.release(claimOf(request))
    return reply.code(204).send()
  })
}

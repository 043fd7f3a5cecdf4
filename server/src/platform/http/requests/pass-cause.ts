import type { FastifyInstance, FastifyRequest } from 'fastify'
import { runWithCause, type Cause } from '../../telemetry/cause.ts'
import { spanOf } from './trace-requests.ts'

export const causeOf = (request: FastifyRequest): Cause => ({
  requestId: request.id,
  traceparent: spanOf(request)?.traceparent ?? null,
})

/** Jobs and events of the handlers in this scope name the request. */
export const passCause = (app: FastifyInstance): void => {
  // A hook before the body is parsed would lose the cause while the body is read.
  app.addHook('preHandler', (request, _reply, done) => runWithCause(causeOf(request), done))
}

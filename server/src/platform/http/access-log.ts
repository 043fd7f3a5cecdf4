import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { redactUrl } from '../log/log.ts'
import { traceIdOf } from '../telemetry/tracing.ts'
import { directHook } from './requests/direct-hook.ts'
import { spanOf } from './requests/trace-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes sent on the connection before this request; null without an access log. */
    sentBefore: { readonly socket: Socket; readonly bytes: number } | null
  }
}

/** Omits the query, which may contain tokens. */
const pathOf = (url: string): string => redactUrl(url.split('?', 1)[0] ?? '')

/**
 * Logs one line per request when its response is sent or its connection ends. Without the access log,
 * requests run no hook at all.
 */
export const useAccessLog = (app: FastifyInstance): void => {
  app.decorateRequest('sentBefore', null)
  app.addHook(
    'onRequest',
    directHook((request) => {
      const { socket } = request.raw
      request.sentBefore = { socket, bytes: socket.bytesWritten }
    }),
  )
  app.addHook(
    'onResponse',
    directHook((request, reply) => {
      const { accountId, apiKeyId, userId } = request.principal ?? {}
      const { sentBefore } = request
      const span = spanOf(request)
      request.log.info(
        {
          requestId: request.id,
          method: request.method,
          route: request.routeOptions.url ?? null,
          path: pathOf(request.url),
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime * 10) / 10,
          bytes: sentBefore === null ? 0 : sentBefore.socket.bytesWritten - sentBefore.bytes,
          isComplete: reply.raw.writableFinished,
          ip: request.ip,
          ...(span === undefined ? {} : { traceId: traceIdOf(span) }),
          ...(accountId === undefined ? {} : { accountId, userId, keyId: apiKeyId }),
        },
        'request',
      )
    }),
  )
}

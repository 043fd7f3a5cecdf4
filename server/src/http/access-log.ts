import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { redactUrl } from '../kernel/log.ts'
import { directHook } from './direct-hook.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes that the connection had sent before this request; null without an access log. */
    sentBefore: { readonly socket: Socket; readonly bytes: number } | null
  }
}

/** The query is left out, because it may hold tokens. */
const pathOf = (url: string): string => redactUrl(url.split('?', 1)[0] ?? '')

/** Logs one line for each request when its answer has been sent, or its connection has ended. Without it, requests have no hook at all. */
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
      // Routes without authentication have no principal.
      const { accountId, apiKeyId, userId } = request.principal ?? {}
      const { sentBefore } = request
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
          ...(accountId === undefined ? {} : { accountId, userId, keyId: apiKeyId }),
        },
        'request',
      )
    }),
  )
}

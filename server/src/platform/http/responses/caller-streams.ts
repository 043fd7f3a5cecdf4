import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.ts'
import type { HttpServer } from '../http-server.ts'
import { callerOf, type Authenticate, type Principal } from '../requests/authenticate.ts'

export interface CallerStreams {
  /** Throws 'rate_limited' if the caller has too many open streams. The signal ends when the reader leaves or the server stops. */
  readonly send: (
    request: FastifyRequest,
    reply: FastifyReply,
    parts: (signal: AbortSignal) => AsyncIterable<string>,
  ) => FastifyReply
}

/** Long responses of a scope, of which each key or user may have a limited number at a time. */
export const createCallerStreams = (
  app: HttpServer,
  {
    limit,
    reason,
  }: { readonly limit: number; readonly reason: 'too_many_audit_streams' | 'too_many_exports' },
): CallerStreams => {
  const open = new Map<Readable, { readonly caller: string; readonly end: () => void }>()

  app.addHook('preClose', async () => {
    const streams = [...open]
    for (const [, { end }] of streams) end()
    // The database closes after this hook.
    await Promise.all(streams.map(([stream]) => finished(stream).catch(() => {})))
  })

  return {
    send: ({ method, principal }, reply, parts) => {
      reply
        .header('Cache-Control', 'no-store')
        // Disables response buffering in nginx.
        .header('X-Accel-Buffering', 'no')
      if (method === 'HEAD') return reply.send()
      const caller = callerOf(principal)
      if ([...open.values()].filter((one) => one.caller === caller).length >= limit)
        throw new Problem(reason, { limit }, { headers: { 'Retry-After': '10' } })
      const ending = new AbortController()
      const stream = Readable.from(parts(ending.signal), { objectMode: false })
      const end = (): void => ending.abort()
      open.set(stream, { caller, end })
      stream.once('close', () => {
        end()
        open.delete(stream)
      })
      return reply.send(stream)
    },
  }
}

/** Checks again whether the caller of a long stream may read. Other errors, such as an outage of the database, do not end the stream. */
export const mayStillRead =
  (authenticate: Authenticate, request: FastifyRequest, mayRead: (principal: Principal) => boolean) =>
  async (): Promise<boolean> => {
    try {
      return mayRead(await authenticate(request, 'look'))
    } catch (error) {
      return !(error instanceof Problem)
    }
  }

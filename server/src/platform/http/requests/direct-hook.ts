import type { FastifyReply, FastifyRequest } from 'fastify'

/** Wraps a synchronous hook, which avoids the cost of a promise per request. */
export const directHook =
  <Request = FastifyRequest>(hook: (request: Request, reply: FastifyReply) => void) =>
  (request: Request, reply: FastifyReply, done: (error?: Error) => void): void => {
    try {
      hook(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

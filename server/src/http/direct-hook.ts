import type { FastifyReply, FastifyRequest } from 'fastify'

/** A hook that waits for nothing: without the promise of an `async` one, which every request would pay for. */
export const directHook =
  (hook: (request: FastifyRequest, reply: FastifyReply) => void) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    try {
      hook(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

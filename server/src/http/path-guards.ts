import type { FastifyReply, FastifyRequest } from 'fastify'

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void

declare module 'fastify' {
  interface FastifyInstance {
    /** Below this prefix also what no route matches, or what cannot be routed at all, must pass the check first. */
    guardPaths: (prefix: string, check: Check) => void
  }
}

export interface PathGuards {
  readonly add: (prefix: string, check: Check) => void
  /** Throws what the check of the request's prefix throws. */
  readonly check: (...exchange: Parameters<Check>) => Promise<void>
}

/** Routes have hooks; an unknown path, a wrong method and an undecodable URL have none, but strangers are told nothing of these either. */
export const createPathGuards = (): PathGuards => {
  const guards: { prefix: string; check: Check }[] = []
  return {
    add: (prefix, check) => {
      guards.push({ prefix, check })
    },
    check: async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? ''
      for (const { prefix, check } of guards)
        if (path === prefix || path.startsWith(`${prefix}/`)) await check(request, reply)
    },
  }
}

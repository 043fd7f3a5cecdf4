import type { FastifyReply, FastifyRequest } from 'fastify'

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Every request below this prefix must pass the check first, including those without a route or with an
     * unroutable URL.
     */
    guardPaths: (prefix: string, check: Check) => void
  }
}

export interface PathGuards {
  readonly add: (prefix: string, check: Check) => void
  readonly check: (...exchange: Parameters<Check>) => Promise<void>
}

/**
 * Only routes have hooks. An unknown path, a wrong method and an undecodable URL have none, but must not
 * reveal anything to unauthenticated callers.
 */
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

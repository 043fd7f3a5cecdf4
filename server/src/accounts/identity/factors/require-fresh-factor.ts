import type { HttpServer } from '../../../platform/http/http-server.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A session must have proved a factor within the last ten minutes. API keys are not concerned. */
    needsFreshFactor?: boolean
  }
}

export const freshMs = 600_000

/**
 * Reads the session from the database, because other nodes cache it. Register this before idempotency keys,
 * so that the same request can be repeated.
 */
export const requireFreshFactor = (app: HttpServer, { kysely }: Database): void => {
  app.addHook('preHandler', (request, _reply, done) => {
    const { sessionId, accountId } = request.principal
    if (sessionId === null || request.routeOptions.config.needsFreshFactor !== true) {
      done()
      return
    }
    kysely
      .selectFrom('sessions')
      .select('uuid')
      .where('account_id', '=', accountId)
      .where('uuid', '=', sessionId)
      .where('confirmed_at', '>', new Date(Date.now() - freshMs))
      .executeTakeFirst()
      .then((row) => {
        if (row === undefined) throw new Problem('fresh_factor_required')
      })
      .then(() => done(), done)
  })
}

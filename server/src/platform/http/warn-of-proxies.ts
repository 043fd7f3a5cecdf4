import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'

/** All clients of an unconfigured proxy share one address, and so one limit: warns once. */
export const warnOfProxies = (app: FastifyInstance, trustedProxies: readonly string[], log: Log): void => {
  let isSaid = trustedProxies.length > 0
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true
      log.warn(
        { from: request.socket.remoteAddress },
        'requests come through an untrusted proxy, so limits per address count all its clients as one; set ZOETROPE_TRUST_PROXY to its address',
      )
    }
    done()
  })
}

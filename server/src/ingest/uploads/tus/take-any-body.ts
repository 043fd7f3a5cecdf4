import type { FastifyInstance } from 'fastify'
import { hasTusBody } from './tus-protocol.ts'

/**
 * Accepts bodies of this scope as streams with any Content-Type, because only the bytes decide the format.
 * Fastify would refuse an invalid media type ("mp4") before the handler runs.
 */
export const takeAnyBody = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', async (request) => {
    const { headers } = request
    if (headers['content-type'] !== undefined && !hasTusBody(request))
      headers['content-type'] = 'application/octet-stream'
  })
}

import type { FastifyInstance } from 'fastify'
import { hasTusBody } from './tus/tus-protocol.ts'

/**
 * Bodies of this scope are taken as streams, whatever their Content-Type says: what counts is what the bytes are. Fastify would refuse what is
 * no media type at all ("mp4") before a handler sees it.
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

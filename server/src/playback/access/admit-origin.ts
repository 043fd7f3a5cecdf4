import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../platform/base/problem.ts'
import { createOriginCheck } from './allowed-origins.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The response depends on the Origin header, so caches must keep one for each. */
    variesByOrigin: boolean
  }
}

/** Throws 'forbidden' for a page that the project does not allow to embed its player. */
export type AdmitOrigin = (
  request: FastifyRequest,
  playout: { readonly allowedDomains: readonly string[] },
) => void

/** Applies `AllowedDomains` to requests with an Origin header. */
export const useAdmitOrigin = (app: FastifyInstance, publicUrl: string): AdmitOrigin => {
  const isOriginAllowed = createOriginCheck(publicUrl)
  app.decorateRequest('variesByOrigin', false)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.variesByOrigin) reply.header('Vary', 'Origin')
    done(null, payload)
  })
  return (request, { allowedDomains }) => {
    if (allowedDomains.length > 0) request.variesByOrigin = true
    if (!isOriginAllowed(request.headers, allowedDomains)) throw new Problem('site_not_allowed')
  }
}

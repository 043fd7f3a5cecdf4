import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../platform/base/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The response depends on the Origin header, so caches must keep one for each. */
    variesByOrigin: boolean
  }
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)

/** Like the sources of `frame-ancestors`: a leading `*.` matches every subdomain, and no port the default one. */
const isHostOf = (domain: string, host: string): boolean =>
  domain.startsWith('*.') ? host.endsWith(domain.slice(1).toLowerCase()) : host === domain.toLowerCase()

/** Throws 'forbidden' for a page that the project does not allow to embed its player. */
export type AdmitOrigin = (
  request: FastifyRequest,
  playout: { readonly allowedDomains: readonly string[] },
) => void

/**
 * Applies `AllowedDomains` to requests with an Origin header, which browsers send from other pages. Other
 * programs can omit or forge it, so this stops other sites' players, not downloads.
 */
export const useAdmitOrigin = (app: FastifyInstance, publicUrl: string): AdmitOrigin => {
  const ownHost = hostOf(publicUrl)
  app.decorateRequest('variesByOrigin', false)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.variesByOrigin) reply.header('Vary', 'Origin')
    done(null, payload)
  })
  return (request, { allowedDomains }) => {
    if (allowedDomains.length === 0) return
    request.variesByOrigin = true
    const { origin } = request.headers
    if (origin === undefined) return
    const host = hostOf(origin)
    const isOwn = host !== null && (host === ownHost || host === request.headers.host?.toLowerCase())
    if (!isOwn && !allowedDomains.some((domain) => isHostOf(domain, host ?? '')))
      throw new Problem('site_not_allowed')
  }
}

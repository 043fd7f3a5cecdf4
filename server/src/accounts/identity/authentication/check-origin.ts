import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hmacSha256 } from '../../../platform/base/secrets.ts'
import { Problem } from '../../../platform/base/problem.ts'

/**
 * CSRF token of a session, derived from its token: only a page that can read the responses of the session
 * knows it.
 */
export const csrfTokenOf = (sessionToken: string): string =>
  hmacSha256(Buffer.from(sessionToken), 'csrf').toString('base64url')

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)

/**
 * Browsers send the origin of a request. Other programs do not, and send no cookie without being asked.
 * Besides the public address, the host that the browser used counts as this installation.
 */
export const isOwnPage = ({ headers }: FastifyRequest, publicUrl: string): boolean => {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  return (
    origin === undefined || hostOf(origin) === hostOf(publicUrl) || hostOf(origin) === host?.toLowerCase()
  )
}

export const checkOrigin = (request: FastifyRequest, publicUrl: string): void => {
  if (!isOwnPage(request, publicUrl)) throw new Problem('cross_site_request')
}

/**
 * Returns whether a page of another site sent the browser here, instead of a typed address or a bookmark. Old
 * browsers do not say.
 */
export const isSentByOtherSite = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Behind TLS with an http public URL, cookies would lack Secure, and any request without TLS would send them
 * in plain text. On a network without TLS the browser's origin is http.
 */
export const checkSignInOrigin = (request: FastifyRequest, publicUrl: string): void => {
  checkOrigin(request, publicUrl)
  if (publicUrl.startsWith('http:') && request.headers.origin?.startsWith('https:') === true)
    throw new Problem('public_url_is_http')
}

/**
 * Another site may cause a request with a cookie: only a caller with the CSRF token of the session is
 * trusted.
 */
export const checkCsrf = (request: FastifyRequest, sessionToken: string, publicUrl: string): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return
  checkOrigin(request, publicUrl)
  const sent = request.headers['x-csrf-token']
  const wanted = Buffer.from(csrfTokenOf(sessionToken))
  const given = Buffer.from(typeof sent === 'string' ? sent : '')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Problem('csrf_token_missing')
}

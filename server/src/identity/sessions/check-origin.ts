import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hmacSha256 } from '../../kernel/secrets.ts'
import { Problem } from '../../kernel/problem.ts'

/** Bound to the session, and known to those alone who may read its answers: it cannot be told from the cookie without the token itself. */
export const csrfTokenOf = (sessionToken: string): string =>
  hmacSha256(Buffer.from(sessionToken), 'csrf').toString('base64url')

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)

/**
 * Browsers say where a request comes from; programs that are none say nothing, and no cookie comes from them unasked. An address that is not
 * the public one is this installation too when the browser itself called it by that name.
 */
export const checkOrigin = ({ headers }: FastifyRequest, publicUrl: string): void => {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  const isOwn =
    origin === undefined
      ? true
      : hostOf(origin) === hostOf(publicUrl) || hostOf(origin) === host?.toLowerCase()
  if (!isOwn || (site !== undefined && site !== 'same-origin'))
    throw new Problem(
      'forbidden',
      'This request comes from another site; with a session cookie only pages of this installation may change something.',
    )
}

/** Whether a page of somebody else sent the browser here, and no person who typed the address or opened a bookmark. Old browsers do not say. */
export const isSentByOtherSite = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Behind TLS with a public URL that says http, cookies would be kept without Secure, and sent in the clear to whoever asks for the host without
 * TLS. On a network without TLS browsers say http here.
 */
export const checkSignInOrigin = (request: FastifyRequest, publicUrl: string): void => {
  checkOrigin(request, publicUrl)
  if (publicUrl.startsWith('http:') && request.headers.origin?.startsWith('https:') === true)
    throw new Problem(
      'forbidden',
      'Nobody can sign in by https here as long as the setting ZOETROPE_PUBLIC_URL begins with http: set it to the address that browsers use.',
    )
}

/** What comes with a cookie may have been sent by a page of somebody else: only who knows the session's token for it means it. */
export const checkCsrf = (request: FastifyRequest, sessionToken: string, publicUrl: string): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return
  checkOrigin(request, publicUrl)
  const sent = request.headers['x-csrf-token']
  const wanted = Buffer.from(csrfTokenOf(sessionToken))
  const given = Buffer.from(typeof sent === 'string' ? sent : '')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Problem(
      'forbidden',
      'With a session cookie a change needs the header X-CSRF-Token with the CsrfToken of GET /session.',
    )
}

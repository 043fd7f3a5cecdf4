import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  unauthorized,
  type Authenticate,
  type Principal,
} from '../../../platform/http/requests/authenticate.ts'
import type { Refusals } from '../../../platform/http/limits/refusals.ts'
import { Problem, statusOf } from '../../../platform/base/problem.ts'
import type { Caller } from '../permissions/principal.ts'
import { checkCsrf } from './check-origin.ts'
import type { LiveSession } from './live-session.ts'
import type { SessionCookies } from './session-cookie.ts'
import type { SessionUse, SessionVerifier } from './session-verifier.ts'
import type { TokenVerifier } from './verify-token.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Open to a session that must set up a second factor first. */
    isOpenWithoutFactor?: boolean
  }
}

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i

/** Returns the only Authorization header; Node would join several, or keep the first. */
const authorizationOf = ({ rawHeaders }: IncomingMessage): string | null => {
  let found: string | null = null
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length !== 'authorization'.length || name.toLowerCase() !== 'authorization') continue
    // Two headers are as invalid as a malformed one.
    found = found === null ? (rawHeaders[index + 1] as string) : ''
  }
  return found
}

const tokenOf = (header: string): string => {
  const token = bearer.exec(header)?.[1]
  if (token === undefined) throw unauthorized('authorization_malformed')
  return token
}

/** Reads the address only for a limited key, because Fastify derives it from the proxies each time. */
const checkAddress = ({ networks }: Caller, request: FastifyRequest): void => {
  if (networks !== null && !networks.contain(request.ip))
    throw new Problem('address_not_allowed', { address: request.ip })
}

export interface Authenticators {
  readonly verifier: TokenVerifier
  readonly sessions: SessionVerifier
  readonly cookies: SessionCookies
  readonly refusals: Refusals
  readonly publicUrl: string
}

/**
 * RFC 6750 2.1: accepts no token in the query or the body, and never two. A session cookie counts only
 * without an Authorization header, so that a cookie sent along never changes the caller of a request.
 */
export const createAuthenticate = ({
  verifier,
  sessions,
  cookies,
  refusals,
  publicUrl,
}: Authenticators): Authenticate => {
  const countRefusal = (request: FastifyRequest) => (error: unknown) => {
    if (error instanceof Problem && error.status === statusOf.unauthorized) refusals.count(request.ip)
    throw error
  }

  const verify = async (token: string, request: FastifyRequest): Promise<Principal> => {
    const caller = await verifier.verify(token, () => refusals.check(request.ip)).catch(countRefusal(request))
    checkAddress(caller, request)
    verifier.touch(token, request.ip)
    return caller
  }

  /** Deletes the cookie of an ended session, which the browser would otherwise send for weeks. */
  const dropEnded = (error: unknown): never => {
    if (error instanceof Problem && error.code === 'unauthorized')
      throw new Problem(error.reason, error.params, {
        headers: { ...error.headers, 'Set-Cookie': cookies.dropSession() },
      })
    throw error
  }

  const fromCookie = (request: FastifyRequest, use: SessionUse): Principal | Promise<Principal> => {
    const token = cookies.sessionOf(request.headers.cookie)
    if (token === null) throw unauthorized('authentication_required')
    // Session tokens have 256 bits and are looked up by an index, so guessing is neither feasible nor
    // expensive. Cookies of ended sessions therefore do not count as refused keys. Those of sixty colleagues
    // would otherwise lock out the next one behind the same address.
    const admit = (session: LiveSession): Principal => {
      checkCsrf(request, token, publicUrl)
      if (session.mustSetUpFactor && request.routeOptions.config.isOpenWithoutFactor !== true)
        throw new Problem('second_factor_setup_required')
      return session
    }
    const known = sessions.known(token, use)
    if (known !== null) return admit(known)
    return sessions.verify(token, use).then(admit, dropEnded)
  }

  return (request, use = 'use') => {
    const header = authorizationOf(request.raw)
    if (header === null) return fromCookie(request, use)
    const token = tokenOf(header)
    const known = verifier.known(token)
    if (known === null) return verify(token, request)
    checkAddress(known, request)
    // A refused use has put this key into the cache without recording a use.
    if (known.networks !== null) verifier.touch(token, request.ip)
    return known
  }
}

import { unauthorized, type Authenticate } from '../http/authenticate.ts'
import type { Refusals } from '../http/limits/refusals.ts'
import { Problem } from '../kernel/problem.ts'
import type { TokenVerifier } from './verify-token.ts'

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i

/** RFC 6750 2.1, and nothing else: no token in the query or the body, and never two of them. */
export const createAuthenticate =
  (verifier: TokenVerifier, refusals: Refusals): Authenticate =>
  async (request) => {
    const headers = request.raw.headersDistinct['authorization'] ?? []
    if (headers.length === 0)
      throw unauthorized('An API key is needed: send it as "Authorization: Bearer <API key>".')
    const token = headers.length === 1 ? bearer.exec(headers[0] ?? '')?.[1] : undefined
    if (token === undefined)
      throw unauthorized('The Authorization header must be exactly one "Bearer <API key>".')
    try {
      return await verifier.verify(token, () => refusals.check(request.ip))
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthorized') refusals.count(request.ip)
      throw error
    }
  }

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { unauthorized, type Authenticate, type Principal } from '../http/authenticate.ts'
import type { Refusals } from '../http/limits/refusals.ts'
import { Problem } from '../kernel/problem.ts'
import type { TokenVerifier } from './verify-token.ts'

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i

/** The one header of that name; Node would join several, or keep the first. */
const authorizationOf = ({ rawHeaders }: IncomingMessage): string | null => {
  let found: string | null = null
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length !== 'authorization'.length || name.toLowerCase() !== 'authorization') continue
    // Two are as good as one that cannot be read.
    found = found === null ? (rawHeaders[index + 1] as string) : ''
  }
  return found
}

const tokenOf = (message: IncomingMessage): string => {
  const header = authorizationOf(message)
  if (header === null)
    throw unauthorized('An API key is needed: send it as "Authorization: Bearer <API key>".')
  const token = bearer.exec(header)?.[1]
  if (token === undefined)
    throw unauthorized('The Authorization header must be exactly one "Bearer <API key>".')
  return token
}

/** RFC 6750 2.1, and nothing else: no token in the query or the body, and never two of them. */
export const createAuthenticate = (verifier: TokenVerifier, refusals: Refusals): Authenticate => {
  const verify = async (token: string, request: FastifyRequest): Promise<Principal> => {
    try {
      return await verifier.verify(token, () => refusals.check(request.ip))
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthorized') refusals.count(request.ip)
      throw error
    }
  }
  return (request) => {
    const token = tokenOf(request.raw)
    return verifier.known(token) ?? verify(token, request)
  }
}

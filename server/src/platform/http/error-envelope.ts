import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { BlobStoreUnavailableError } from '../blobs/blob-store.ts'
import { errorBody } from '../base/error-body.ts'
import { Problem } from '../base/problem.ts'
import { isServerError } from '../db/driver/connection.ts'

export const errorEnvelope = (problem: Problem, requestId: string): string =>
  JSON.stringify(errorBody(problem, requestId))

const typesOf = (request?: FastifyRequest): string => {
  const body = request?.routeOptions.schema?.body as { readonly content?: object } | undefined
  const types = Object.keys(body?.content ?? {})
  return types.length > 1 ? `${types.slice(0, -1).join(', ')} or ${types.at(-1)}` : 'application/json'
}

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`

const frameworkProblems: Record<string, (request?: FastifyRequest) => Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (request) =>
    new Problem('content_type_not_accepted', { types: typesOf(request) }),
  FST_ERR_CTP_EMPTY_TYPE: (request) => new Problem('content_type_missing', { types: typesOf(request) }),
  FST_ERR_CTP_BODY_TOO_LARGE: (request) =>
    /json/i.test(request?.headers['content-type'] ?? '')
      ? new Problem('json_too_large', { limit: sizeText(request?.routeOptions.bodyLimit ?? 1024 * 1024) })
      : new Problem('body_too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem('content_length_mismatch'),
  FST_ERR_BAD_URL: () => new Problem('path_malformed'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('address_not_found'),
  FST_ERR_ASYNC_CONSTRAINT: () => new Problem('address_not_found'),
}

/** Converts any error into a Problem; an unexpected one becomes a 500 without internals. */
export const toProblem = (error: unknown, request?: FastifyRequest): Problem => {
  // Storage details are for the operator, who reads them in the log.
  if (error instanceof BlobStoreUnavailableError || isDiskFault(error))
    return new Problem('media_storage_unavailable', {}, { headers: { 'Retry-After': '5' }, cause: error })
  if (error instanceof Problem) return error
  const fastifyError = error as FastifyError
  const known = frameworkProblems[fastifyError.code]
  if (known !== undefined) return known(request)
  if (isDatabaseDown(error))
    return new Problem('database_unavailable', {}, { headers: { 'Retry-After': '2' }, cause: error })
  if (isContention(error))
    return new Problem('concurrent_change', {}, { headers: { 'Retry-After': '1' }, cause: error })
  if (fastifyError.statusCode === 400)
    return new Problem('request_malformed', { message: fastifyError.message.replace(/\.$/, '') })
  if (fastifyError.statusCode === 404) return new Problem('address_not_found')
  if (fastifyError.statusCode === 413) return new Problem('body_too_large')
  return new Problem('internal_error', {}, { cause: error })
}

/** Linux makes a file system read-only after an error of its disk; network file systems have faults of their own. */
const diskFaultCodes = new Set(['EROFS', 'EIO', 'ESTALE', 'ENOTCONN'])
/** Sockets have these, too, but no path. */
const permissionCodes = new Set(['EACCES', 'EPERM'])

const isDiskFault = (error: unknown): boolean => {
  const { code = '', path, syscall } = error as { code?: string; path?: string; syscall?: string }
  if (syscall === undefined || syscall === 'connect') return false
  // The recursive `mkdir` of Node.js fails with ENOENT on a read-only file system.
  if (code === 'ENOENT') return syscall === 'mkdir'
  return diskFaultCodes.has(code) || (permissionCodes.has(code) && path !== undefined)
}

/** PostgreSQL: a deadlock, a serialization failure, a lock timeout. A retry is likely to succeed. */
const contentionCodes = new Set(['40P01', '40001', '55P03'])

const isContention = (error: unknown): boolean =>
  isServerError(error) && contentionCodes.has(error.code ?? '')

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'CONNECTION_CLOSED',
  // PostgreSQL: shutting down, crashed, starting, too many connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // PostgreSQL: refuses the login, such as between `migrate` and the restart in a rotation of the master key.
  '28000',
  '28P01',
  // PostgreSQL: its disk is full, until the operator frees some space.
  '53100',
  // PostgreSQL: read-only, as a standby or during a failover.
  '25006',
])

const isDatabaseDown = (error: unknown): boolean => {
  // PostgreSQL refuses the connection, or has closed it.
  if (isServerError(error) && error.severity === 'FATAL') return true
  const { code, syscall } = error as { code?: string; syscall?: string }
  if (code === undefined || !connectionCodes.has(code)) return false
  // A client that aborts its body causes the same code, but not while connecting.
  if (code.startsWith('E')) return syscall === 'connect'
  return isServerError(error) || code === 'CONNECTION_CLOSED'
}

export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply => {
  if (problem.status >= 500)
    request.log.error({ requestId: request.id, err: problem.cause ?? problem }, 'request failed')
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('X-Request-Id', request.id)
    .header('X-Content-Type-Options', 'nosniff')
    .header('Content-Type', 'application/json; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(errorEnvelope(problem, request.id))
}

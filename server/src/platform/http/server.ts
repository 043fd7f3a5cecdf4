import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import Fastify, { LogController, type FastifyRequest } from 'fastify'
import { invalidField, Problem } from '../base/problem.ts'
import type { Log } from '../log/log.ts'
import { isTracing } from '../telemetry/tracing.ts'
import { useAccessLog } from './access-log.ts'
import { errorEnvelope, sendProblem, toProblem } from './error-envelope.ts'
import { checkMessage } from './check-message.ts'
import { directHook } from './requests/direct-hook.ts'
import { jsonTypes, limitJsonBodies } from './requests/json-body-deadline.ts'
import { parseJsonBody } from './requests/json-body.ts'
import { reportIgnoredFields } from './requests/ignored-fields.ts'
import type { HttpServer } from './http-server.ts'
import { createMethodTable } from './method-table.ts'
import { createPathGuards } from './path-guards.ts'
import { addSchemas, errorSchema, openApiDocument } from './openapi/openapi.ts'
import { createIsProxy } from './limits/is-proxy.ts'
import { limitConnections } from './limits/limit-connections.ts'
import { passCause } from './requests/pass-cause.ts'
import { traceRequests } from './requests/trace-requests.ts'
import { canonicalizeQuery } from './requests/query.ts'
import { createRequestValidators } from './requests/request-validators.ts'

const jsonBodyLimitBytes = 1024 * 1024

/** Limits for clients before they are authenticated. */
interface HttpLimits {
  readonly headersMs: number
  readonly jsonBodyMs: number
  readonly connections: number
  /** Connections from one address; 0 = no limit. */
  readonly connectionsPerAddress: number
}

const defaultLimits: HttpLimits = {
  headersMs: 30_000,
  jsonBodyMs: 60_000,
  connections: 20_000,
  connectionsPerAddress: 2_000,
}

/**
 * Longer than the idle timeout of common load balancers: they close first and never use a closed connection.
 */
const keepAliveTimeoutMs = 75_000

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns the caller's id if valid, else a new one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && saneRequestId.test(sent) ? sent : randomUUID()
}

/** A request before its parameters are checked by the schema of its route. */
interface UnparsedRequest {
  readonly Params: Record<string, string>
  readonly Querystring: Record<string, unknown>
}

/** Viewer-facing ids are random UUIDs; the modules validate them. */
const uuidParameters = new Set(['playoutId', 'pictureId'])

/**
 * Ids in paths are positive integers in plain notation: refuses `1e3`, `01` and `1.0`, which JavaScript would
 * accept.
 */
const checkIds = (params: Record<string, string>): void => {
  for (const name of Object.keys(params)) {
    const value = params[name] ?? ''
    if (!name.endsWith('Id') || uuidParameters.has(name)) continue
    if (!/^[1-9][0-9]{0,15}$/.test(value) || !Number.isSafeInteger(Number(value)))
      throw invalidField(name, 'invalid_id', { value: value.slice(0, 40) })
  }
}

/** A request that Node's parser refuses never reaches Fastify, so it gets the envelope here. */
const answerClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const requestId = randomUUID()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('headers_too_large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Problem('headers_timed_out')
        : new Problem('http_malformed')
  const body = errorEnvelope(problem, requestId)
  const status = problem.code === 'timeout' ? '408 Request Timeout' : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Creates Fastify with the conventions common to the whole API; it does not depend on any feature module. */
export const createHttpServer = async (options: {
  readonly log: Log
  readonly publicUrl: string
  /** Networks of the trusted proxies: only they may set the address of a client. */
  readonly trustedProxies?: readonly string[]
  readonly limits?: Partial<HttpLimits>
  readonly hasAccessLog?: boolean
  /** Value of Strict-Transport-Security, sent while the public URL is https; null does not send it. */
  readonly hsts?: string | null
}): Promise<HttpServer> => {
  const limits = { ...defaultLimits, ...options.limits }
  // A proxy terminates TLS, so the connection does not tell; browsers ignore the header over HTTP (RFC 6797, 8.1).
  const hsts = options.publicUrl.startsWith('https:') ? (options.hsts ?? null) : null
  const guards = createPathGuards()
  const compileValidator = createRequestValidators()
  const app = Fastify({
    loggerInstance: options.log,
    // The access log writes its own lines, without headers and with secrets in paths hidden.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs 4 % of a small GET, and few requests log. Log calls add the request's
    // id themselves.
    childLoggerFactory: (log) => log,
    genReqId: requestIdOf,
    trustProxy: options.trustedProxies === undefined ? false : createIsProxy(options.trustedProxies),
    bodyLimit: jsonBodyLimitBytes,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node would refuse a missing Host with an empty body: `checkMessage` answers with the envelope.
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 10_000),
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      guards.check(request, reply as never).then(
        () => sendProblem(request, reply as never, toProblem(error)),
        (refusal: unknown) => sendProblem(request, reply as never, toProblem(refusal)),
      )
    },
    routerOptions: { maxParamLength: 500 },
    // Uses factories instead of `setValidatorCompiler`: a scope with its own schemas would fall back to
    // Fastify's compiler, which coerces bodies.
    schemaController: {
      compilersFactory: {
        buildValidator: () => compileValidator as never,
        buildSerializer: () => () => JSON.stringify,
      },
    },
  }) as unknown as HttpServer

  app.server.maxConnections = limits.connections
  limitConnections(app, {
    perAddress: limits.connectionsPerAddress,
    trustedProxies: options.trustedProxies ?? [],
  })
  // RFC 9110 10.1.1 lets a server ignore an unknown expectation; Node would answer 417 with an empty body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorate('guardPaths', guards.add)

  const methods = createMethodTable()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isForOverrides !== true) methods.add(method, url)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error, request)))

  app.removeAllContentTypeParsers()
  // Excludes `+json` types: on a route with several body types, Fastify would pass them without validation.
  limitJsonBodies(app, limits.jsonBodyMs)
  app.addContentTypeParser(jsonTypes, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, parseJsonBody(body, request.routeOptions.config.maxBodyValues))
    } catch (error) {
      done(error as Error)
    }
  })

  if (isTracing()) {
    traceRequests(app)
    passCause(app)
  }
  if (options.hasAccessLog === true || options.log.isLevelEnabled('debug')) useAccessLog(app)
  app.addHook(
    'onRequest',
    directHook((request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      if (hsts !== null) reply.header('Strict-Transport-Security', hsts)
      checkMessage(request.raw)
    }),
  )
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    guards.check(request, reply).then(() => done(methods.problemFor(request)), done)
  })
  app.addHook<UnparsedRequest>(
    'preValidation',
    directHook((request: FastifyRequest<UnparsedRequest>, reply) => {
      // An empty parameter, as in `/projects/`, means that the caller asked for another path.
      if (Object.keys(request.params).some((name) => request.params[name] === '' && name !== '*'))
        throw methods.problemFor(request)
      checkIds(request.params)
      const ignored = canonicalizeQuery(request.query, request.routeOptions.schema)
      if (ignored.length > 0) reply.header('X-Ignored-Parameters', ignored.join(', '))
    }),
  )
  reportIgnoredFields(app)
  await app.register(swagger, openApiDocument(options.publicUrl))
  addSchemas(app, { Error: errorSchema })
  return app
}

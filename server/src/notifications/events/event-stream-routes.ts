import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Authenticate, Principal } from '../../platform/http/requests/authenticate.ts'
import { errorResponses, tags } from '../../platform/http/openapi/openapi.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { Problem } from '../../platform/base/problem.ts'
import { createAddressCap } from '../../platform/http/limits/address-cap.ts'
import { afterText, eventQuery, parseAfter, parseFilter, scopeOf } from './event-filter.ts'
import { readHorizon } from './event-log.ts'
import { openEventStream, type EventStream } from './event-stream.ts'
import { createEventTail } from './event-tail.ts'

export interface EventStreamDependencies {
  readonly database: Database
  readonly log: Log
  /** Authenticates an open stream again, because it outlives the check of its key at the start. */
  readonly authenticate: Authenticate
  /** 0 = no limit. */
  readonly maxStreamsPerAddress: number
  readonly heartbeatMs?: number
}

const maxStreamsPerKey = 20
/** Below the idle time-outs of common proxies. */
const defaultHeartbeatMs = 15_000
/** Rights are read again every 1.5 s, so a stream ends within two seconds of the loss of its rights. */
const recheckMs = 400

/** Typed loosely, because the body of the reply is a stream. */
const response: Readonly<Record<number, object>> = {
  200: {
    description: 'The stream.',
    content: {
      'text/event-stream': {
        schema: Type.String({
          examples: [
            'id: 17\nevent: project.new\ndata: {"Event":"project.new","EventId":17,"OccurredAt":"2026-03-01T12:00:00.000+00:00","Sequence":1,"ProjectId":3,"Project":{"Id":3}}\n\n',
          ],
        }),
      },
    },
  },
  ...errorResponses(429),
}

const querySchema = Type.Object({
  after: Type.Optional(
    afterText(
      'Start after this `EventId`; 0 starts with the oldest stored event. Default: only new events. `Last-Event-ID` takes precedence.',
    ),
  ),
  ...eventQuery,
})

const ownerOf = ({ apiKeyId, userId }: Principal): string => apiKeyId ?? `user ${userId}`

/**
 * Returns a fingerprint of the rights of a principal. A stream ends when it changes; the client then reconnects
 * with its new rights.
 */
const rightsOf = (principal: Principal): string =>
  JSON.stringify([principal.can('events:read'), scopeOf(principal)])

/**
 * Throws 'forbidden' for pages of other origins. Browsers send the session cookie for same-site hosts, so such
 * a page could hold streams open.
 */
const checkIsOwnPage = ({ principal, headers }: FastifyRequest): void => {
  const site = headers['sec-fetch-site']
  if (principal.sessionId !== null && site !== undefined && site !== 'same-origin')
    throw new Problem('cross_site_events')
}

export const registerEventStreamRoutes = (app: HttpServer, dependencies: EventStreamDependencies): void => {
  const { database, log, authenticate, maxStreamsPerAddress, heartbeatMs = defaultHeartbeatMs } = dependencies
  const tail = createEventTail(database, log)
  const open = new Map<EventStream, FastifyRequest>()
  const ofAddresses = createAddressCap(maxStreamsPerAddress)
  let isStopping = false

  const countOf = (owner: string): number =>
    [...open.values()].filter(({ principal }) => ownerOf(principal) === owner).length

  const recheck = async (stream: EventStream, request: FastifyRequest): Promise<void> => {
    const now = await (async () => authenticate(request, 'look'))().catch((error: unknown) => {
      // Ends the stream only on a refusal. Other errors, such as a database outage, keep it open; no events are
      // sent then.
      if (error instanceof Problem) return null
      return request.principal
    })
    if (now === null || rightsOf(now) !== rightsOf(request.principal)) stream.end()
  }
  const rechecking = setInterval(() => {
    for (const [stream, request] of open) void recheck(stream, request)
  }, recheckMs).unref()

  app.addHook('preClose', async () => {
    isStopping = true
    clearInterval(rechecking)
    const streams = [...open.keys()]
    for (const stream of streams) stream.end()
    // The database closes after this hook, and a running read would delay that.
    await Promise.all([tail.stop(), ...streams.map(({ finished }) => finished())])
  })

  app.get(
    '/events/stream',
    {
      config: { permission: 'events:read' },
      schema: {
        operationId: 'streamEvents',
        tags: [tags.events],
        summary: 'Stream events',
        description:
          'Opens a stream of server-sent events (`text/event-stream`): `id` is the `EventId`, `event` the name, `data` the event as JSON. A comment every 15 s keeps the connection open. The stream begins with an `id` without `data`: where it starts. To resume after a disconnect, send the last id as `Last-Event-ID`; browsers and most libraries do this. No event is lost or repeated. A slow reader receives events at its own pace. If it takes none for 30 s, it is disconnected and can resume in the same way. The stream ends when the key is revoked, the session ends, permissions change, or the server stops. Each key or user can have 20 streams at a time on each node.',
        querystring: querySchema,
        response,
      },
    },
    async (request, reply) => {
      checkIsOwnPage(request)
      const query = request.query
      const lastEventId = request.headers['last-event-id']
      const filter = parseFilter(query)
      const { newestId, settledId } = await readHorizon(database.kysely)
      const after =
        typeof lastEventId === 'string' && lastEventId !== ''
          ? parseAfter(lastEventId, 'Last-Event-ID', newestId)
          : query.after === undefined
            ? settledId
            : parseAfter(query.after, 'after', newestId)
      reply
        .header('Content-Type', 'text/event-stream; charset=utf-8')
        .header('Cache-Control', 'no-store')
        // Disables response buffering in nginx.
        .header('X-Accel-Buffering', 'no')
        // A stopping server does not have to wait for idle connections.
        .header('Connection', 'close')
      if (request.method === 'HEAD') return reply.send()
      if (countOf(ownerOf(request.principal)) >= maxStreamsPerKey)
        throw new Problem(
          'too_many_event_streams',
          { limit: maxStreamsPerKey },
          { headers: { 'Retry-After': '10' } },
        )
      // The preClose hook has already ended the open streams and would miss this one.
      if (isStopping) throw new Problem('server_stopping', {}, { headers: { 'Retry-After': '1' } })
      const giveBack = ofAddresses.take(request.ip)
      if (giveBack === null)
        throw new Problem(
          'too_many_event_streams_of_address',
          { limit: maxStreamsPerAddress },
          { headers: { 'Retry-After': '10' } },
        )
      const stream = openEventStream({
        database,
        tail,
        log,
        scope: scopeOf(request.principal),
        filter,
        after,
        heartbeatMs,
      })
      open.set(stream, request)
      stream.body.once('close', () => {
        open.delete(stream)
        giveBack()
      })
      return reply.send(stream.body)
    },
  )
}

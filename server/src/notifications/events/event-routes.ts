import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import {
  listQuery,
  listSchema,
  nextCursorOf,
  parsePage,
  renderList,
} from '../../platform/http/responses/paging.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import type { Database } from '../../platform/db/database.ts'
import { renderEvent, type StoredEvent } from '../../platform/outbox/domain-event.ts'
import { afterText, eventQuery, occurredQuery, parseAfter, parseFilter, scopeOf } from './event-filter.ts'
import { findEvent, listEvents, readHorizon } from './event-log.ts'

const listQuerySchema = Type.Object({
  after: Type.Optional(
    afterText(
      'Events after this `EventId`, oldest first; 0 starts with the oldest stored event. To poll, send the last `EventId` that you received.',
    ),
  ),
  ...eventQuery,
  ...occurredQuery,
  ...listQuery(),
})

const eventParams = Type.Object({ eventId: idSchema })

/** Events are immutable, so their ids are enough for comparison. */
const toListed = (event: StoredEvent) => ({
  id: event.id,
  version: 1,
  record: renderEvent(event),
})

export const registerEventRoutes = (app: HttpServer, { database }: { readonly database: Database }): void => {
  const { kysely } = database

  app.get(
    '/events',
    {
      config: { permission: 'events:read' },
      schema: {
        operationId: 'listEvents',
        tags: [tags.events],
        summary: 'List events',
        description:
          'Returns the event log of the account. Webhooks carry the same events. Without `after`, the newest events come first. To poll, send `after`: the oldest come first, no event is skipped while others are being written, and `TotalCount` is the number of events that remain. Events are kept for 30 days by default; an older `after` starts with the oldest stored event. A key that is restricted to projects sees only their events. `webhook.ping` is visible only with permission to read webhooks.',
        querystring: listQuerySchema,
        response: responses({
          status: 200,
          schema: listSchema('Events', schemaRef('Event')),
          description: 'One page of the log.',
        }),
      },
    },
    async (request, reply) => {
      const query = request.query
      const isPolling = query.after !== undefined && query.cursor === undefined
      const page = parsePage({ ...query, ...(isPolling ? { sort: query.sort ?? 'asc' } : {}) })
      const filter = parseFilter(query)
      const horizon = await readHorizon(kysely)
      const after = query.after === undefined ? 0 : parseAfter(query.after, 'after', horizon.newestId)
      const range = { after, upTo: horizon.settledId }
      const found = await listEvents(kysely, scopeOf(request.principal), filter, range, page)
      const { totalCount } = found
      const listed = found.rows.map(toListed)
      const { body, etag } = renderList(
        'Events',
        {
          versions: listed.map(({ id, version }) => `${id}.${version}`).join(','),
          records: listed.map(({ record }) => record).join(','),
        },
        { totalCount, nextCursor: nextCursorOf(page, found) },
        page,
      )
      return sendJson(request, reply, body, etag)
    },
  )

  app.get(
    '/events/:eventId',
    {
      config: { permission: 'events:read' },
      schema: {
        operationId: 'getEvent',
        tags: [tags.events],
        summary: 'Get an event',
        description: 'Returns one event, for example by the `EventId` of a webhook request.',
        params: eventParams,
        response: responses({ status: 200, schema: schemaRef('Event'), description: 'The event.' }, 404),
      },
    },
    async (request, reply) => {
      const { eventId } = request.params
      const body = renderEvent(await findEvent(kysely, scopeOf(request.principal), eventId))
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}

import type { FastifyInstance } from 'fastify'
import { etagOf, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import type { Database } from '../kernel/db/database.ts'
import { readMe } from './me-record.ts'

export const registerMeRoute = (
  app: FastifyInstance,
  { database }: { readonly database: Database },
): void => {
  app.get(
    '/me',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'getMe',
        tags: [tags.users],
        summary: 'Tell who I am',
        description:
          'The account, user and key of the caller with all that it may do. Every live key may ask; a good first call to see whether a key works.',
        response: responses({ status: 200, schema: schemaRef('Me'), description: 'Who asks.' }),
      },
    },
    async (request, reply) => {
      const body = JSON.stringify(await readMe(database.kysely, request.principal))
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}

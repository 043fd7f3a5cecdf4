import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import { recordEtag, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { listQuery, listSchema, parsePage, type ListQuery } from '../http/paging.ts'
import { idSchema } from '../http/schemas.ts'
import { projectNotFound } from '../projects/project-store.ts'
import { filterQuery, parseFileFilter } from './file-filters.ts'
import { fileOrders } from './file-list-query.ts'
import type { FileReads } from './file-reads.ts'
import { fileNotFound } from './media-file-store.ts'

const projectParams = Type.Object({ projectId: idSchema })
const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })

/** What is asked most: one file, and lists of them. */
export const registerFileReadRoutes = (app: FastifyInstance, reads: FileReads): void => {
  app.get(
    '/projects/:projectId/files',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listFiles',
        tags: [tags.files],
        summary: 'List the files of a project',
        description:
          'Newest first. Page with limit and offset, or follow NextCursor with the same filters. Every filter narrows the list further; TotalCount is the exact count of what matches. Files without a length or size sort below those that have one.',
        params: projectParams,
        querystring: Type.Object({ ...listQuery([...fileOrders, 'name']), ...filterQuery }),
        response: responses(
          {
            status: 200,
            schema: listSchema('Files', schemaRef('File')),
            description: 'One page of files.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { projectId } = request.params as Static<typeof projectParams>
      const query = request.query as ListQuery & Record<string, string>
      const page = parsePage(query.orderBy === 'name' ? { ...query, orderBy: 'title' } : query, fileOrders)
      const owner = { accountId: request.principal.accountId, projectId }
      const found = await reads.list(owner, parseFileFilter(query), page)
      if (found === null) throw projectNotFound(projectId)
      return sendJson(request, reply, found.body, found.etag)
    },
  )

  app.get(
    '/projects/:projectId/files/:fileId',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'getFile',
        tags: [tags.files],
        summary: 'Get a file',
        description: 'The record as webhooks carry it: state, metadata, properties, renditions and playouts.',
        params: fileParams,
        response: responses({ status: 200, schema: schemaRef('File'), description: 'The file.' }, 404),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params as Static<typeof fileParams>
      const found = await reads.one(fileId, { accountId: request.principal.accountId, projectId })
      if (found === null) throw fileNotFound(fileId, projectId)
      return sendJson(request, reply, found.record, recordEtag(found.id, found.version))
    },
  )
}

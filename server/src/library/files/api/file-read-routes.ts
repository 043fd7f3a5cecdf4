import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import {
  listQuery,
  listSchema,
  parsePage,
  type ListQuery,
  type Page,
} from '../../../platform/http/responses/paging.ts'
import { parseIdList } from '../../../platform/http/requests/query-values.ts'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import { projectNotFound } from '../../projects/project-store.ts'
import { filterQuery, parseFileFilter } from '../lists/file-filters.ts'
import { fileOrders } from '../lists/file-list-parts.ts'
import type { FileReads } from '../lists/file-reads.ts'
import { fileNotFound } from '../record/media-file-store.ts'

const projectParams = Type.Object({ projectId: idSchema })
const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })

const filesAnswer = {
  status: 200,
  schema: listSchema('Files', schemaRef('File')),
  description: 'One page of files.',
} as const

const listDescription =
  'Returns files, newest first. Page with `limit` and `offset`, or send `NextCursor` as `cursor` with the same filters. Filters combine: a file must match all of them. `TotalCount` is the exact number of matches. Files without a length or size sort below those that have one.'

/** Parses the page; `orderBy=name` is an alias of `title`. */
const parseFilePage = (query: ListQuery): Page =>
  parsePage(query.orderBy === 'name' ? { ...query, orderBy: 'title' } : query, fileOrders)

const projectFilter = {
  projectId: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Files of any of these projects. Comma-separated list of Ids.',
      examples: ['3'],
    }),
  ),
}

/** Returns the projects that the key may read and the query names; null = all. */
const projectsAskedFor = (
  visibleIds: readonly number[] | null,
  asked: string | undefined,
): readonly number[] | null => {
  if (asked === undefined) return visibleIds
  const ids = parseIdList(asked, 'projectId')
  return visibleIds === null ? ids : ids.filter((id) => visibleIds.includes(id))
}

export const registerFileReadRoutes = (app: HttpServer, reads: FileReads): void => {
  app.get(
    '/files',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listAllFiles',
        tags: [tags.files],
        summary: 'List files of all projects',
        description: `${listDescription} Use this operation when you do not know the project, for example to find a file by \`externalId\`. A key that is restricted to projects sees only the files of these projects.`,
        querystring: Type.Object({
          ...listQuery([...fileOrders, 'name']),
          ...projectFilter,
          ...filterQuery,
        }),
        response: responses(filesAnswer),
      },
    },
    async (request, reply) => {
      const query = request.query
      const { accountId, projectIds } = request.principal
      const files = { accountId, projectIds: projectsAskedFor(projectIds, query.projectId) }
      const found = await reads.listAll(files, parseFileFilter(query), parseFilePage(query))
      return sendJson(request, reply, found.body, found.etag)
    },
  )

  app.get(
    '/projects/:projectId/files',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listFiles',
        tags: [tags.files],
        summary: 'List files of a project',
        description: listDescription,
        params: projectParams,
        querystring: Type.Object({ ...listQuery([...fileOrders, 'name']), ...filterQuery }),
        response: responses(filesAnswer, 404),
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const query = request.query
      const page = parseFilePage(query)
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
        description:
          'Returns state, metadata, properties, renditions and playouts of a file. Webhooks carry the same record.',
        params: fileParams,
        response: responses({ status: 200, schema: schemaRef('File'), description: 'The file.' }, 404),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const found = await reads.one(fileId, { accountId: request.principal.accountId, projectId })
      if (found === null) throw fileNotFound(fileId, projectId)
      return sendJson(request, reply, found.record, recordEtag(found.id, found.version))
    },
  )
}

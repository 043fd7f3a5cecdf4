import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { parseIdList } from '../../platform/http/requests/query-values.ts'
import { described, idSchema } from '../../platform/http/requests/schemas.ts'
import type { Database } from '../../platform/db/database.ts'
import { readPage } from '../../platform/db/keyset.ts'
import { countByEntry, measureCatalog } from './catalog-figures.ts'
import { createMeasured } from './measured.ts'

export const catalogUsageSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the entry.'),
    Kind: Type.Unsafe<string>({
      type: 'string',
      enum: ['category', 'videotype', 'share'],
      description: 'Kind of the entry.',
    }),
    Label: Type.String({ description: 'Name of the entry.' }),
    FileCount: Type.Integer({ minimum: 0, description: 'Number of files that use the entry.' }),
  },
  {
    description: 'Number of files that use a category, video type or share.',
    examples: [{ Id: 5, Kind: 'category', Label: 'Nature', FileCount: 41 }],
  },
)

const catalogUsageQuery = Type.Object({
  ...listQuery(),
  ids: Type.Optional(idListText('Entries with any of these Ids. Comma-separated list.', { example: 5 })),
})

export const registerCatalogUsageRoutes = (
  app: HttpServer,
  { database }: { readonly database: Database },
): void => {
  const measure = createMeasured((accountId) => measureCatalog(database.kysely, accountId))

  app.get(
    '/usage/catalog',
    {
      config: { permission: 'catalog:read' },
      schema: {
        operationId: 'listCatalogUsage',
        tags: [tags.usage],
        summary: 'List catalog usage',
        description:
          'Returns how many files use each category, video type and share, over all projects that the key sees. An entry that you delete is removed from these files.',
        querystring: catalogUsageQuery,
        response: responses({
          status: 200,
          schema: listSchema('Entries', schemaRef('CatalogUsage')),
          description: 'One page of categories, video types and shares.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds } = request.principal
      const query = request.query
      const ids = query.ids === undefined ? null : parseIdList(query.ids, 'ids')
      const page = parsePage(query)
      const matching = database.kysely
        .selectFrom('catalog_entries')
        .where('account_id', '=', accountId)
        .$if(ids !== null, (found) => found.where('id', 'in', ids ?? []))
      const found = await readPage(matching.select(['id', 'kind', 'label']), page, null)
      const { figures } = await measure(accountId)
      const counts = countByEntry(figures, projectIds)
      const { count } = await matching
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const records = found.rows.map(({ id, kind, label }) => ({
        Id: id,
        Kind: kind,
        Label: label,
        FileCount: counts.get(id) ?? 0,
      }))
      const { body, etag } = renderFreshList('Entries', records, { ...found, totalCount: count }, page)
      return sendJson(request, reply, body, etag)
    },
  )
}

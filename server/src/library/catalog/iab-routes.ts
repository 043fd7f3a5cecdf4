import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listSchema, parsePage, renderFreshList, type Page } from '../../platform/http/responses/paging.ts'
import { described, idSchema, nullable } from '../../platform/http/requests/schemas.ts'
import type { PageOf } from '../../platform/db/keyset.ts'
import { foldLabel, searchableListQuery, searchWords } from './catalog-search.ts'
import { iabCategories, type IabCategory } from './iab-taxonomy.ts'

export const iabCategorySchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the category.'),
    Label: Type.String({ description: 'Name of the category.' }),
    IABId: Type.String({ description: 'Identifier in the IAB Content Taxonomy, as OpenRTB 2.x uses it.' }),
    ParentId: nullable(idSchema, 'Category above this one. Null at the top level.'),
  },
  {
    description: 'A category of the IAB Content Taxonomy 1.0. Tier 1 categories have no parent.',
    examples: [{ Id: 1744, Label: 'World Soccer', IABId: 'IAB17-44', ParentId: 1700 }],
  },
)

const iabRecord = ({ id, label, iabId, parentId }: IabCategory) => ({
  Id: id,
  Label: label,
  IABId: iabId,
  ParentId: parentId,
})

/** Sort keys by order name. Ids are padded so that text comparison sorts them as numbers. */
const orderKeys: Record<string, (category: IabCategory) => string> = {
  created: ({ id }) => String(id).padStart(6, '0'),
  name: ({ label }) => foldLabel(label),
  label: ({ label }) => foldLabel(label),
}
const orders = Object.keys(orderKeys)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns one page of the in-memory taxonomy, with the same cursor rules as `readPage` in the database. */
const pageOf = (categories: readonly IabCategory[], page: Page): PageOf<IabCategory> => {
  const keyOf = orderKeys[page.orderBy] ?? (() => '')
  const direction = page.sort === 'asc' ? 1 : -1
  const order = (a: { id: number; key: string }, b: { id: number; key: string }): number =>
    direction * (compare(a.key, b.key) || a.id - b.id)
  const { after } = page
  const following = categories
    .map((category) => ({ category, id: category.id, key: keyOf(category) }))
    .sort(order)
    .filter((one) => after === null || order(one, { id: after.id, key: after.key ?? '' }) > 0)
    .slice(page.offset)
  const rows = following.slice(0, page.limit)
  const last = rows.at(-1)
  return {
    rows: rows.map(({ category }) => category),
    last: following.length > rows.length && last !== undefined ? { id: last.id, key: last.key } : null,
  }
}

export const registerIabRoutes = (app: HttpServer): void => {
  app.get(
    '/modules/iabcategories',
    {
      config: { permission: 'catalog:read' },
      schema: {
        operationId: 'listIabCategories',
        tags: [tags.catalog],
        summary: 'List IAB categories',
        description:
          'Returns the Content Taxonomy 1.0 of the IAB Tech Lab (CC BY 3.0), which advertising systems use. The list is read-only. The metadata of a file references its categories by `Id` or `IABId`.',
        querystring: Type.Object(searchableListQuery(orders, '`Label` or `IABId`')),
        response: responses({
          status: 200,
          schema: listSchema('IABCategories', schemaRef('IABCategory')),
          description: 'One page of IAB categories.',
        }),
      },
    },
    async (request, reply) => {
      const query = request.query
      const page = parsePage(query, orders)
      const words = searchWords(query.search)
      const matching = iabCategories.filter(({ label, iabId }) => {
        const text = `${foldLabel(label)} ${foldLabel(iabId)}`
        return words.every((word) => text.includes(word))
      })
      const found = { ...pageOf(matching, page), totalCount: matching.length }
      const { body, etag } = renderFreshList('IABCategories', found.rows.map(iabRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )
}

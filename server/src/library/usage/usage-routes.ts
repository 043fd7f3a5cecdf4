import { sql } from 'kysely'
import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { integerText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { parseIdList } from '../../platform/http/requests/query-values.ts'
import type { Database } from '../../platform/db/database.ts'
import { readPage, type SortColumn } from '../../platform/db/keyset.ts'
import { invalidField } from '../../platform/base/problem.ts'
import { createMeasured } from './measured.ts'
import { listUsageDays, maxDays } from './usage-days.ts'
import { addFigures, measureAccount, noFigures } from './usage-figures.ts'
import { figuresRecord, usageRecord } from './usage-record.ts'
import { bothScopes, projectIdParameter } from './project-scope.ts'

const defaultDays = 30

const usageQuery = Type.Object({
  days: Type.Optional(
    integerText(
      {
        description: `Number of days in \`Days\`, including today; 1–${maxDays}. Default ${defaultDays}.`,
        maxLength: 40,
      },
      { minimum: 1, maximum: maxDays, example: defaultDays },
    ),
  ),
  projectId: projectIdParameter('Usage of these projects only. Comma-separated list.'),
})

const parseDays = (text: string): number => {
  const days = Number(text)
  if (!/^[0-9]+$/.test(text) || days < 1 || days > maxDays)
    throw invalidField('days', 'not_whole_number_between', { min: 1, max: maxDays })
  return days
}

const orders: Record<string, SortColumn> = {
  storage: {
    // Projects without a quota add their bytes to project_counts first.
    expression: sql`(projects.storage_bytes + coalesce((
      select sum(part.storage_bytes) from project_counts part where part.project_id = projects.id), 0)::bigint)`,
    type: 'bigint',
  },
  name: { expression: sql`fold_text(name) collate "C"`, type: 'text' },
}
const orderNames = Object.keys(orders)

export const registerUsageRoutes = (app: HttpServer, { database }: { readonly database: Database }): void => {
  const measureUsage = createMeasured((accountId) => measureAccount(database.kysely, accountId))

  app.get(
    '/usage',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'getUsage',
        tags: [tags.usage],
        summary: 'Get storage usage',
        description:
          'Returns bytes by kind, number of files and playable seconds, now and by day. Covers all projects that the key sees, or those in `projectId`.',
        querystring: usageQuery,
        response: responses({ status: 200, schema: schemaRef('Usage'), description: 'The storage usage.' }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds: visibleIds } = request.principal
      const query = request.query
      const days = query.days === undefined ? defaultDays : parseDays(query.days)
      const asked = query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId')
      const projectIds = bothScopes(visibleIds, asked)
      const measured = await measureUsage(accountId)
      const now = [...measured.figures]
        .filter(([projectId]) => projectIds === null || projectIds.includes(projectId))
        .reduce((sum, [, figures]) => addFigures(sum, figures), noFigures)
      const past = await listUsageDays(database.kysely, accountId, { days, projectIds })
      const body = JSON.stringify(usageRecord(measured, now, past))
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.get(
    '/usage/projects',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listProjectUsage',
        tags: [tags.usage],
        summary: 'List storage usage by project',
        description: 'Returns the storage usage of each project, largest first.',
        querystring: Type.Object(listQuery(orderNames)),
        response: responses({
          status: 200,
          schema: listSchema('Projects', schemaRef('ProjectUsage')),
          description: 'One page of projects.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds } = request.principal
      const page = parsePage(request.query, orderNames)
      const { figures } = await measureUsage(accountId)
      const matching = database.kysely
        .selectFrom('projects')
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .$if(projectIds !== null, (found) => found.where('id', 'in', [...(projectIds ?? []), 0]))
      const found = await readPage(
        matching.select(['id', 'name', 'storage_quota_bytes']),
        page,
        orders[page.orderBy] ?? null,
      )
      const { count } = await matching
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const records = found.rows.map(({ id, name, storage_quota_bytes }) => ({
        ProjectId: id,
        Name: name,
        StorageQuotaBytes: storage_quota_bytes,
        ...figuresRecord(figures.get(id) ?? noFigures),
      }))
      const { body, etag } = renderFreshList('Projects', records, { ...found, totalCount: count }, page)
      return sendJson(request, reply, body, etag)
    },
  )
}

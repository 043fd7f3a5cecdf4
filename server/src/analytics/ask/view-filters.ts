import { sql } from 'kysely'
import { Type, type Static } from 'typebox'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'
import { parseIdList, parseOneOfList } from '../../platform/http/requests/query-values.ts'
import type { Queryable } from '../../platform/db/database.ts'
import type { ViewKind } from '../../platform/db/tables/analytics.ts'
import { bothScopes } from '../../library/usage/project-scope.ts'
import { directSite, unknownValue } from '../dimensions/names.ts'
import { parseDimensions, viewDimensionQuery } from './dimension-query.ts'
import { parsePeriod, periodQuery, type Period } from './sums/period.ts'
import type { AskedDimension } from './sums/read-sums.ts'
import { viewKinds } from '../sessions/view-record.ts'

export const viewFilterQuery = {
  ...periodQuery,
  projectId: Type.Optional(idListText('Views of these projects only. Comma-separated list.')),
  fileId: Type.Optional(idListText('Views of these files only. Comma-separated list.')),
  kind: Type.Optional(
    Type.String({
      description: 'Kinds of views: `viewer` (default), `bot`, `preview`. Comma-separated list.',
      maxLength: 100,
      examples: ['viewer'],
    }),
  ),
  ...viewDimensionQuery,
}

const filterQuery = Type.Object(viewFilterQuery)

export interface ViewFilters extends Period {
  readonly accountId: number
  /** Null = all. */
  readonly projectIds: readonly number[] | null
  readonly fileIds: readonly number[] | null
  readonly kinds: readonly ViewKind[]
  /** Views with all of these values. */
  readonly dimensions: readonly AskedDimension[]
}

export const parseViewFilters = (
  query: Static<typeof filterQuery>,
  { accountId, projectIds: visible }: Principal,
): ViewFilters => ({
  ...parsePeriod(query, 'hour'),
  accountId,
  projectIds: bothScopes(
    visible,
    query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId'),
  ),
  fileIds: query.fileId === undefined ? null : parseIdList(query.fileId, 'fileId'),
  kinds: query.kind === undefined ? ['viewer'] : parseOneOfList(query.kind, 'kind', viewKinds),
  dimensions: parseDimensions(query),
})

/** Records say so where a view has no value. */
const missingValue = (name: string): string => (name === 'site' ? directSite : unknownValue)

export const matchingViews = (
  queryable: Queryable,
  { accountId, projectIds, fileIds, kinds, dimensions, from, to }: ViewFilters,
) =>
  queryable
    .selectFrom('views')
    .where('account_id', '=', accountId)
    .where('ended_at', '>=', from)
    .where('ended_at', '<', to)
    .where('kind', 'in', kinds)
    .$if(projectIds !== null, (found) =>
      found.where(sql<boolean>`project_id = any(${[...(projectIds ?? [])]}::bigint[])`),
    )
    .$if(fileIds !== null, (found) =>
      found.where(sql<boolean>`file_id = any(${[...(fileIds ?? [])]}::bigint[])`),
    )
    .where((found) =>
      found.and(
        dimensions.map(
          ({ name, value }) =>
            sql<boolean>`coalesce(dimensions ->> ${name}::text, ${missingValue(name)}) = ${value}`,
        ),
      ),
    )

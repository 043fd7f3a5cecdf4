import { Type, type Static } from 'typebox'
import { booleanText, idListText } from '../../platform/http/openapi/openapi-query.ts'
import { listQuery } from '../../platform/http/responses/paging.ts'
import {
  checkText,
  parseBoolean,
  parseIdList,
  parseOneOfList,
  parseTextList,
} from '../../platform/http/requests/query-values.ts'
import { playlistOrders, type PlaylistFilter } from './playlist-store.ts'

export const orders = Object.keys(playlistOrders)

const types = ['manual', 'automatic'] as const
const releaseStatuses = ['draft', 'unpublished', 'published'] as const

const commaList = (what: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: `${what}. Comma-separated list.`,
      examples: [example],
    }),
  )

export const playlistListQuery = Type.Object({
  ...listQuery(orders),
  search: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Search words, ignoring case and accents. `Name` or `Description` must contain all of them.',
      examples: ['highlights'],
    }),
  ),
  type: commaList('manual or automatic', 'manual'),
  projectId: Type.Optional(
    idListText('Playlists of any of these projects. Comma-separated list of Ids.', {
      maxLength: 2_000,
    }),
  ),
  releaseStatus: commaList('draft, unpublished or published', 'published'),
  externalId: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Playlists with any of these `ExternalId`s, matched exactly. Comma-separated list.',
      examples: ['show-12'],
    }),
  ),
  includeDeleted: Type.Optional(
    booleanText(
      'Whether to include deleted playlists (`IsEnabled` false) that are not purged yet. Default false.',
    ),
  ),
})

type PlaylistListQuery = Static<typeof playlistListQuery>

/** Throws 'invalid' with the name of the parameter and its accepted values. */
export const parsePlaylistFilter = (query: PlaylistListQuery): PlaylistFilter => ({
  searchWords: checkText(query.search ?? '', 'search')
    .split(/\s+/)
    .filter((word) => word !== ''),
  types: query.type === undefined ? null : parseOneOfList(query.type, 'type', types),
  projectIds: query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId'),
  releaseStatuses:
    query.releaseStatus === undefined
      ? null
      : parseOneOfList(query.releaseStatus, 'releaseStatus', releaseStatuses),
  externalIds: query.externalId === undefined ? null : parseTextList(query.externalId, 'externalId'),
  includeDeleted: query.includeDeleted !== undefined && parseBoolean(query.includeDeleted, 'includeDeleted'),
})

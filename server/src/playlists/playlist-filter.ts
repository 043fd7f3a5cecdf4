import { Type } from 'typebox'
import { listQuery, type ListQuery } from '../http/paging.ts'
import { invalidField } from '../kernel/problem.ts'
import { playlistOrders, type PlaylistFilter } from './playlist-store.ts'

export const orders = Object.keys(playlistOrders)

const types = ['manual', 'automatic'] as const
const releaseStatuses = ['draft', 'unpublished', 'published'] as const

const commaList = (what: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: `${what}; several are separated by commas.`,
      examples: [example],
    }),
  )

/** The query of the list of playlists. */
export const playlistListQuery = Type.Object({
  ...listQuery(orders),
  search: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[^\\u0000]*$',
      description: 'Words that Name or Description must all hold, without regard to case and accents.',
      examples: ['highlights'],
    }),
  ),
  type: commaList('manual or automatic', 'manual'),
  projectId: commaList('Only playlists of these projects, by Id', '3'),
  releaseStatus: commaList('draft, unpublished or published', 'published'),
  includeDeleted: Type.Optional(
    Type.Boolean({ description: 'Deleted ones too, with IsEnabled false, until they are purged.' }),
  ),
})

export interface PlaylistListQuery extends ListQuery {
  readonly search?: string
  readonly type?: string
  readonly projectId?: string
  readonly releaseStatus?: string
  readonly includeDeleted?: boolean
}

const choicesOf = <const T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T[] | null => {
  if (text === undefined) return null
  const items = text.split(',').map((item) => item.trim())
  const isChoice = (item: string): item is T => (choices as readonly string[]).includes(item)
  const wrong = items.find((item) => !isChoice(item))
  if (wrong !== undefined)
    throw invalidField(name, `must be one or more of ${choices.join(', ')}, not "${wrong.slice(0, 40)}".`)
  return items.filter(isChoice)
}

const idsOf = (name: string, text: string | undefined): number[] | null => {
  if (text === undefined) return null
  return text.split(',').map((item) => {
    const id = Number(item)
    if (!/^[1-9][0-9]{0,15}$/.test(item) || !Number.isSafeInteger(id))
      throw invalidField(
        name,
        `must be a positive integer, or several separated by commas, not "${item.slice(0, 40)}".`,
      )
    return id
  })
}

/** Throws 'invalid' with the name of the parameter and what it takes. */
export const parsePlaylistFilter = (query: PlaylistListQuery): PlaylistFilter => ({
  searchWords: (query.search ?? '').split(/\s+/).filter((word) => word !== ''),
  types: choicesOf('type', query.type, types),
  projectIds: idsOf('projectId', query.projectId),
  releaseStatuses: choicesOf('releaseStatus', query.releaseStatus, releaseStatuses),
  includeDeleted: query.includeDeleted ?? false,
})

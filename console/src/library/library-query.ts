import type { zoetrope } from '../shell/api.ts'
import { firstPage, pageQuery, type PagePlace } from '../ui/lists/pager.tsx'

export type LibraryQuery = NonNullable<Parameters<typeof zoetrope.files.list>[1]>

/** The query of the library URL, as text. Filters have the same names as in the API. */
export type LibrarySearch = Readonly<Partial<Record<LibraryName, string>>>

const filterNames = [
  'search',
  'status',
  'releaseStatus',
  'isFinished',
  'isEncoded',
  'hasErrors',
  'useEncoding',
  'categoryId',
  'videotypeId',
  'tag',
  'ids',
] as const
const dayNames = ['createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'] as const
export type FilterName = (typeof filterNames)[number] | (typeof dayNames)[number]
type LibraryName = FilterName | 'orderBy' | 'sort' | 'limit' | 'trash' | keyof PagePlace

export const pageSizes = [50, 100] as const

export const limitOf = ({ limit }: LibrarySearch): number =>
  pageSizes.find((size) => String(size) === limit) ?? pageSizes[0]

/** Days are local to the user, from their first to their last millisecond. */
const instantOf = (day: string, end: 'From' | 'To'): string => {
  const at = new Date(`${day}T${end === 'From' ? '00:00:00.000' : '23:59:59.999'}`)
  // An invalid day is sent unchanged, and the API reports the error.
  return Number.isNaN(at.getTime()) ? day : at.toISOString()
}

/** The filters without paging, for actions on all matches. */
export const filterOf = (search: LibrarySearch): LibraryQuery => ({
  ...Object.fromEntries(
    filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  ),
  ...Object.fromEntries(
    dayNames.flatMap((name) => {
      const day = search[name]
      return day === undefined ? [] : [[name, instantOf(day, name.endsWith('From') ? 'From' : 'To')]]
    }),
  ),
  ...(search.trash === undefined ? {} : { includeDeleted: true, isEnabled: false }),
})

export const queryOf = (search: LibrarySearch): LibraryQuery =>
  ({
    ...filterOf(search),
    ...(search.orderBy !== undefined && { orderBy: search.orderBy }),
    ...(search.sort !== undefined && { sort: search.sort }),
    ...pageQuery(search, limitOf(search)),
  }) as LibraryQuery

/** The filters of a URL, to save them under a name. */
export const filtersIn = (search: LibrarySearch): Partial<Record<FilterName, string>> =>
  Object.fromEntries(
    [...filterNames, ...dayNames].flatMap((name) => {
      const value = search[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

export const isFiltered = (search: LibrarySearch): boolean => Object.keys(filtersIn(search)).length > 0

export type LibraryChanges = Readonly<Partial<Record<LibraryName, string | undefined>>>

/** A changed filter or order returns to the first page. */
export const withChanges = (search: LibrarySearch, changes: LibraryChanges): LibrarySearch => {
  const changed = { ...search, ...firstPage, ...changes }
  return Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== undefined && value !== ''),
  )
}

/** Removes all filters. Order and page size stay. */
export const withoutFilters = (search: LibrarySearch): LibrarySearch =>
  withChanges(search, Object.fromEntries([...filterNames, ...dayNames].map((name) => [name, undefined])))

import { Type } from 'typebox'
import { listQuery, type ListQuery } from '../http/paging.ts'

/** The query of the lists of this slice. */
export const searchableListQuery = (orders: readonly string[], searched: string) => ({
  ...listQuery(orders),
  search: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[^\\u0000]*$',
      description: `Words that ${searched} must all hold, without regard to case.`,
    }),
  ),
})

export interface SearchableListQuery extends ListQuery {
  readonly search?: string
}

/** Room for any label of 255 characters; an entry of an index of PostgreSQL holds 2.7 kB at most. */
const maxKeyLength = 510

/** The form in which labels are compared, sorted and searched. */
export const foldLabel = (label: string): string =>
  label.normalize('NFC').toLowerCase().slice(0, maxKeyLength)

export const searchWords = (search: string | undefined): string[] =>
  foldLabel(search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')

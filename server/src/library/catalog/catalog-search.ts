import { Type } from 'typebox'
import { listQuery } from '../../platform/http/responses/paging.ts'

export const searchableListQuery = (orders: readonly string[], searched: string) => ({
  ...listQuery(orders),
  search: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: '^[^\\u0000]*$',
      description: `Search words, ignoring case. ${searched} must contain all of them.`,
    }),
  ),
})

/** Long enough for any label of 255 characters. A PostgreSQL index entry holds at most 2.7 kB. */
const maxKeyLength = 510

/** Normalizes a label for comparison, sorting and search. */
export const foldLabel = (label: string): string =>
  label.normalize('NFC').toLowerCase().slice(0, maxKeyLength)

export const searchWords = (search: string | undefined): string[] =>
  foldLabel(search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')

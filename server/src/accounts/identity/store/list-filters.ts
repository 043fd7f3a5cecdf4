import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { idListText } from '../../../platform/http/openapi/openapi-query.ts'

const maxWords = 20

export const idListQuery = (description: string) =>
  idListText(`${description} Comma-separated list.`, { maxLength: 1_000, example: 7 })

export const searchQuery = (description: string) => Type.String({ description, maxLength: 200 })

/** Returns whether `text` contains every word of the search, in any order, ignoring case and accents. */
export const holdsWords = (text: RawBuilder<string>, search: string): RawBuilder<boolean> => {
  const words = search.split(/\s+/).filter((word) => word !== '')
  return sql<boolean>`not exists (select from unnest(${words.slice(0, maxWords)}::text[]) as word
    where position(fold_text(word) in fold_text(${text})) = 0)`
}

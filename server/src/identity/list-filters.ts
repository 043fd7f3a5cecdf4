import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import { invalidField } from '../kernel/problem.ts'

const maxWords = 20

/** Read as text, so that `1e3` or `5.0` are refused like any other non-integer. */
export const queryId = (description: string) => Type.String({ description, maxLength: 20, examples: ['7'] })

/** A NUL is in no stored text, and PostgreSQL takes none. */
export const searchQuery = (description: string) =>
  Type.String({ description, maxLength: 200, pattern: '^[^\\u0000]*$' })

/** Throws 'invalid' with the name of the parameter. */
export const readQueryId = (text: string | undefined, name: string): number | undefined => {
  if (text === undefined) return undefined
  const id = Number(text)
  if (!/^[1-9][0-9]*$/.test(text) || !Number.isSafeInteger(id))
    throw invalidField(name, `must be a positive integer, not "${text}".`)
  return id
}

/** Whether `text` holds every word that was searched for, in any order, in any case and with or without accents. */
export const holdsWords = (text: RawBuilder<string>, search: string): RawBuilder<boolean> => {
  const words = search.split(/\s+/).filter((word) => word !== '')
  return sql<boolean>`not exists (select from unnest(${words.slice(0, maxWords)}::text[]) as word
    where position(fold_text(word) in fold_text(${text})) = 0)`
}

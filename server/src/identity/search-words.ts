import { sql, type RawBuilder } from 'kysely'

const maxWords = 20

/** Whether `text` holds every word that was searched for, in any order and case; `%`, `_` and `\` mean themselves. */
export const holdsWords = (text: RawBuilder<string>, search: string): RawBuilder<boolean> => {
  const words = search.split(/\s+/).filter((word) => word !== '').slice(0, maxWords)
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return sql<boolean>`${text} ilike all (${patterns}::text[])`
}

import type { FastifySchema } from 'fastify'
import { canonicalMember, familiesOf } from './query-families.ts'

const namesOf = (schema: FastifySchema | undefined): string[] => {
  const query = schema?.querystring as { properties?: Record<string, unknown> } | undefined
  return query?.properties === undefined ? [] : Object.keys(query.properties)
}

/**
 * Matches query parameters case-insensitively. Renames them in place to the spelling of the schema, removes
 * unknown ones and returns their names for `X-Ignored-Parameters`.
 */
export const canonicalizeQuery = (
  query: Record<string, unknown>,
  schema: FastifySchema | undefined,
): string[] => {
  const sent = Object.keys(query)
  if (sent.length === 0) return []
  const names = namesOf(schema)
  const families = familiesOf(names)
  const known = new Map(
    names.filter((name) => !name.endsWith('.*')).map((name) => [name.toLowerCase(), name]),
  )
  const ignored: string[] = []
  for (const name of sent) {
    const canonical = known.get(name.toLowerCase()) ?? canonicalMember(families, name) ?? undefined
    if (canonical === name) continue
    const value = query[name]
    delete query[name]
    if (canonical === undefined) ignored.push(headerSafe(name))
    // A list is refused, as for a parameter that is given twice in the same case.
    else query[canonical] = Object.hasOwn(query, canonical) ? [query[canonical], value].flat() : value
  }
  return ignored
}

const headerSafe = (name: string): string => name.replace(/[^A-Za-z0-9_.[\]-]/g, '?').slice(0, 60)

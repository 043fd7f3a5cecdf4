import { invalidField, type Problem } from '../../base/problem.ts'
import { isDay } from '../../base/timestamp.ts'
import { parseInstant } from './schemas.ts'

/**
 * Parsers for list filters. An invalid value answers 400 with the name of the parameter and the accepted
 * values.
 */

const refused = (name: string, takes: string, value: string): Problem =>
  invalidField(name, 'invalid_value', { expected: takes, value: value.slice(0, 40) })

const maxItems = 500

/** Refuses NUL and lone surrogates, which PostgreSQL cannot store. */
export const checkText = (text: string, name: string): string => {
  if (text.includes('\0') || !text.isWellFormed()) throw refused(name, 'plain text without NUL', '')
  return text
}

export const parseBoolean = (text: string, name: string): boolean => {
  if (text !== 'true' && text !== 'false') throw refused(name, 'true or false', text)
  return text === 'true'
}

const parseItems = <Item>(
  text: string,
  name: string,
  takes: string,
  parseItem: (item: string) => Item | null,
): Item[] => {
  const items = text.split(',')
  if (items.length > maxItems) throw invalidField(name, 'too_many_values', { max: maxItems })
  return items.map((item) => {
    const parsed = parseItem(item)
    if (parsed === null)
      throw invalidField(name, 'invalid_list_value', { expected: takes, value: item.slice(0, 40) })
    return parsed
  })
}

export const parseOneOfList = <Value extends string>(
  text: string,
  name: string,
  values: readonly Value[],
): Value[] =>
  parseItems(
    text,
    name,
    `one of ${values.join(', ')}`,
    (item) => values.find((value) => value === item) ?? null,
  )

export const parseIdList = (text: string, name: string): number[] =>
  parseItems(text, name, 'a positive integer', (item) =>
    /^[1-9][0-9]{0,15}$/.test(item) && Number.isSafeInteger(Number(item)) ? Number(item) : null,
  )

export const parseTextList = (text: string, name: string): string[] =>
  parseItems(checkText(text, name), name, 'a text', (item) => (item === '' ? null : item))

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

/** A plus that the caller forgot to encode arrives as a space. */
export const parseInstantParameter = (text: string, name: string): Date => {
  const written = text.replace(' ', '+')
  if (!instant.test(written) || !isDay(written.slice(0, 10)))
    throw refused(name, 'a point in time such as 2026-03-01T12:00:00+00:00', text)
  return parseInstant(written, name)
}

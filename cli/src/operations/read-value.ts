import { UsageError } from '../usage-error.ts'
import type { FieldType } from './operation.ts'

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const numberOf = (text: string, name: string, isWhole: boolean): number => {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (isWhole && Number.isInteger(number) && number > Number.MAX_SAFE_INTEGER)
    throw new UsageError(`${name} must be at most ${Number.MAX_SAFE_INTEGER}, not "${text}".`)
  if (!Number.isFinite(number) || (isWhole && !Number.isSafeInteger(number)))
    throw new UsageError(`${name} must be a ${isWhole ? 'whole ' : ''}number, not "${text}".`)
  return number
}

const readers: Readonly<Record<FieldType, (text: string, name: string) => unknown>> = {
  string: (text) => text,
  integer: (text, name) => numberOf(text, name, true),
  number: (text, name) => numberOf(text, name, false),
  boolean: (text, name) => {
    if (text !== 'true' && text !== 'false')
      throw new UsageError(`${name} must be true or false, not "${text}".`)
    return text === 'true'
  },
  strings: itemsOf,
  integers: (text, name) => itemsOf(text).map((item) => numberOf(item, name, true)),
  // Invalid JSON is text, so the title of a custom field needs no quotation marks.
  json: (text) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text
    }
  },
}

/** Parses a typed value; `null` clears any field. Lists may be JSON or items separated by commas. */
export const readValue = (text: string, type: FieldType, name: string): unknown => {
  if (text === 'null') return null
  if ((type === 'strings' || type === 'integers') && text.startsWith('[')) return readers.json(text, name)
  return readers[type](text, name)
}

import { PlaylistError } from './playlist-error.ts'

const controlCharacters = /\p{Cc}/u

// RFC 8216bis 4.3: clients reject the whole playlist when a reference such as {$name} has no EXT-X-DEFINE.
const variableReference = /\{\$[A-Za-z0-9_-]+\}/

/**
 * Returns the text as a quoted string (RFC 8216bis 4.2). Throws PlaylistError when the text contains quotes,
 * control characters or a variable reference.
 */
export function quoted(text: string): string {
  if (text.includes('"') || controlCharacters.test(text) || !text.isWellFormed())
    throw new PlaylistError(
      `${JSON.stringify(text)} contains quotes or control characters, which a quoted string must not have.`,
    )
  if (variableReference.test(text))
    throw new PlaylistError(`${JSON.stringify(text)} contains a variable reference. Remove "{$".`)
  return `"${text}"`
}

/** Makes user-supplied text, such as a track title, safe for a quoted string. */
export function quotableText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll('"', '\u2019')
    .replaceAll('{$', '{ $')
    .replace(/\p{Cc}+/gu, ' ')
}

/**
 * Checks a URI that is written on its own line or between quotes. A leading '#' would turn the line into a
 * comment.
 */
export function checkedUri(uri: string): string {
  if (!/^[^\s"#][^\s"]*$/.test(uri) || controlCharacters.test(uri) || !uri.isWellFormed())
    throw new PlaylistError(
      `A URI must not be empty, start with "#" or contain spaces, quotes or control characters: ${JSON.stringify(uri)}.`,
    )
  if (variableReference.test(uri))
    throw new PlaylistError(`${JSON.stringify(uri)} contains a variable reference. Remove "{$".`)
  return uri
}

/**
 * Formats a decimal-integer (RFC 8216bis 4.2). Values up to 2^53 - 1 are allowed, which JavaScript represents
 * exactly.
 */
export function wholeNumber(name: string, value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new PlaylistError(`${name} must be a whole number from 0, not ${value}.`)
  return String(value)
}

/** Returns `NAME=value,…` and omits attributes without a value. */
export function writeAttributes(attributes: Record<string, string | undefined>): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(',')
}

/** Attributes of one tag. Each getter checks the value type that the tag's definition requires. */
export interface AttributeList {
  string: (name: string) => string | undefined
  token: (name: string) => string | undefined
  integer: (name: string) => number | undefined
  number: (name: string) => number | undefined
  choice: <Choice extends string>(name: string, choices: readonly Choice[]) => Choice | undefined
  /** Whether the value is this word, without quotes. */
  isWord: (name: string, word: string) => boolean
  fail: (message: string) => never
}

export function parseAttributes(text: string, lineNumber: number): AttributeList {
  const values = splitAttributes(text, lineNumber)

  const fail = (message: string): never => {
    throw new PlaylistError(message, lineNumber)
  }
  const unquoted = (name: string, pattern: RegExp, what: string) => {
    const value = values.get(name)
    if (value !== undefined && !pattern.test(value)) return fail(`${name} must be ${what}, not ${value}.`)
    return value
  }
  return {
    fail,
    string: (name) => {
      const value = values.get(name)
      if (value !== undefined && !value.startsWith('"')) return fail(`${name} must be a quoted string.`)
      return value?.slice(1, -1)
    },
    token: (name) => unquoted(name, /^[^"]/, 'unquoted'),
    integer: (name) => {
      const value = unquoted(name, /^[0-9]{1,15}$/, 'a whole number')
      return value === undefined ? undefined : Number(value)
    },
    number: (name) => {
      const value = unquoted(name, /^[0-9]+(\.[0-9]*)?$/, 'a decimal number')
      return value === undefined ? undefined : Number(value)
    },
    isWord: (name, word) => values.get(name) === word,
    choice: (name, choices) => {
      const value = values.get(name)
      if (value === undefined) return undefined
      return (
        choices.find((choice) => choice === value) ?? fail(`${name} must be one of ${choices.join(', ')}.`)
      )
    },
  }
}

/** Maps names to raw values, including quotes. RFC 8216bis 4.2: an attribute name must not appear twice. */
function splitAttributes(text: string, lineNumber: number): Map<string, string> {
  const attribute = /([A-Z0-9-]+)=("[^"]*"|[^",\s]+)(?:,|$)/y
  const values = new Map<string, string>()
  while (attribute.lastIndex < text.length) {
    const start = attribute.lastIndex
    const [, name, value] = attribute.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new PlaylistError(
        `The attribute list is invalid from ${JSON.stringify(text.slice(start, start + 40))}.`,
        lineNumber,
      )
    if (values.has(name)) throw new PlaylistError(`The attribute ${name} appears twice.`, lineNumber)
    values.set(name, value)
  }
  return values
}

/** A value of a report. Of an inner list, the first item. */
export type CmcdValue = string | number | boolean

export type CmcdKeys = Readonly<Record<string, CmcdValue>>

const key = /[a-z*][a-z0-9_.*-]*/y
const number = /^-?\d{1,15}(?:\.\d{1,3})?$/
const token = /^[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*$/
const mostKeys = 60

interface Scanner {
  readonly text: string
  at: number
}

/** Reads a quoted string of RFC 9651, section 3.3.3. Returns null if it does not end. */
const quoted = (scanner: Scanner): string | null => {
  const { text } = scanner
  let value = ''
  for (let at = scanner.at + 1; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') {
      scanner.at = at + 1
      return value
    }
    if (letter === '\\') at += 1
    value += text[at] ?? ''
  }
  return null
}

const bare = (scanner: Scanner): CmcdValue | null => {
  const { text } = scanner
  if (text[scanner.at] === '"') return quoted(scanner)
  const start = scanner.at
  while (scanner.at < text.length && !',;() '.includes(text[scanner.at] as string)) scanner.at += 1
  const word = text.slice(start, scanner.at)
  if (number.test(word)) return Number(word)
  if (word === '?1' || word === '?0') return word === '?1'
  return token.test(word) ? word : null
}

/** Parameters of an item, such as the track that a bit rate belongs to, are skipped. */
const skipParameters = (scanner: Scanner): boolean => {
  while (scanner.text[scanner.at] === ';') {
    scanner.at += 1
    while (scanner.text[scanner.at] === ' ') scanner.at += 1
    key.lastIndex = scanner.at
    if (!key.test(scanner.text)) return false
    scanner.at = key.lastIndex
    if (scanner.text[scanner.at] !== '=') continue
    scanner.at += 1
    if (bare(scanner) === null) return false
  }
  return true
}

/** Returns null for a malformed list and undefined for an empty one. */
const innerList = (scanner: Scanner): CmcdValue | null | undefined => {
  let first: CmcdValue | undefined
  scanner.at += 1
  for (;;) {
    while (scanner.text[scanner.at] === ' ') scanner.at += 1
    if (scanner.text[scanner.at] === ')') {
      scanner.at += 1
      return skipParameters(scanner) ? first : null
    }
    const value = bare(scanner)
    if (value === null || !skipParameters(scanner)) return null
    first ??= value
  }
}

/**
 * Scans one report of CMCD (CTA-5004, version 1 and 2): a dictionary of structured fields (RFC 9651). Reads what reports contain,
 * no more, because `@svta/cml-cmcd` takes eight times as long; a test compares both. Returns null for a malformed report.
 */
export const scanCmcd = (text: string): CmcdKeys | null => {
  const found: Record<string, CmcdValue> = {}
  const scanner: Scanner = { text, at: 0 }
  for (let keys = 0; scanner.at < text.length; keys++) {
    key.lastIndex = scanner.at
    if (keys >= mostKeys || !key.test(text)) return null
    const name = text.slice(scanner.at, key.lastIndex)
    scanner.at = key.lastIndex
    let value: CmcdValue | null | undefined = true
    if (text[scanner.at] === '=') {
      scanner.at += 1
      value = text[scanner.at] === '(' ? innerList(scanner) : bare(scanner)
    }
    if (value === null || !skipParameters(scanner)) return null
    if (value !== undefined) found[name] = value
    while (text[scanner.at] === ' ' || text[scanner.at] === '\t') scanner.at += 1
    if (scanner.at === text.length) return found
    if (text[scanner.at] !== ',') return null
    scanner.at += 1
    while (text[scanner.at] === ' ' || text[scanner.at] === '\t') scanner.at += 1
    if (scanner.at === text.length) return null
  }
  return null
}

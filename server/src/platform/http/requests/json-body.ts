import { Readable } from 'node:stream'
import { invalidSubject, issue, Problem } from '../../base/problem.ts'
import type { JsonOrBytes } from './streamed-body.ts'

/** Deeper than any record, yet shallow enough that no recursion over a body overflows the stack. */
const maxDepth = 32
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** A playlist of 1,000 elements that is sent back whole has half as many. */
const defaultMaxValues = 20_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Largest number of fields and list items in the JSON body of this route. */
    maxBodyValues?: number
  }
}

const tooDeep = (): Problem => new Problem('json_too_deep', { maxDepth })

/**
 * Limits depth and size before JSON.parse: parsing and validating 100,000 fields would block the process for
 * a quarter of a second. Each value follows a bracket or a comma.
 */
const checkShape = (text: string, maxValues: number): void => {
  let depth = 0
  let values = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index)
    if (isInString) {
      if (char === 0x5c) index += 1
      else if (char === 0x22) isInString = false
    } else if (char === 0x22) isInString = true
    else if (char === 0x7b || char === 0x5b) {
      depth += 1
      values += 1
      if (depth > maxDepth) throw tooDeep()
    } else if (char === 0x7d || char === 0x5d) depth -= 1
    else if (char === 0x2c) values += 1
    if (values > maxValues) throw new Problem('json_too_many_values', { maxValues })
  }
}

const checkText = (text: string, path: string): void => {
  if (text.includes('\u0000')) throw invalidSubject(path, issue('contains_nul'))
  if (!text.isWellFormed()) throw invalidSubject(path, issue('contains_half_surrogate'))
}

const checkValue = (value: unknown, path: string): void => {
  if (typeof value === 'string') checkText(value, path)
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) checkValue(item, `${path}[${index}]`)
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      checkText(key, 'A field name')
      if (key === '__proto__' || key === 'constructor')
        throw invalidSubject(key, issue('field_name_not_allowed'))
      checkValue(item, path === 'The body' ? key : `${path}.${key}`)
    }
}

/** Returns the JSON of a route that also takes other bodies, or null if the request has none. */
export const jsonBodyOf = <Json>({ body }: { readonly body: JsonOrBytes<Json> }): Json | null =>
  body === undefined || body instanceof Readable ? null : body

/**
 * Parses a JSON request body. An empty one is `undefined`, so that a GET or DELETE with `Content-Type:
 * application/json` works. Throws Problem 'invalid' for a body that is not an object or cannot be stored.
 */
export const parseJsonBody = (
  bytes: Buffer,
  maxValues = defaultMaxValues,
): Record<string, unknown> | undefined => {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new Problem('body_not_utf8')
  }
  checkShape(text, maxValues)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem('body_not_json', { message: (error as Error).message })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('body_not_object')
  checkValue(value, 'The body')
  return value as Record<string, unknown>
}

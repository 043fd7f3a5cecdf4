import { issue, type Issue } from '../../base/problem.ts'

/** Subset of JSON Schema that the request schemas use. */
export interface RequestSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly RequestSchema[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, RequestSchema>>
  readonly examples?: readonly unknown[]
}

const exampleUrl = 'https://media.example.com/interview.mp4'
const maxExpectedLength = 250

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a point in time such as 2026-03-01T12:00:00+00:00',
  email: 'an e-mail address such as kim.lee@example.com',
  uri: `a URL such as ${exampleUrl}`,
  uuid: 'a UUID such as 3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11',
}

const blank = '\\S'

/** Descriptions of patterns that an example does not explain. */
const patterns: Readonly<Record<string, string>> = {
  '^[0-9]+$': 'a whole number',
  [blank]: 'a text that is not blank',
  '^[^\\u0000]*$': 'a text without NUL',
}

const textOf = ({ format, pattern, examples }: RequestSchema): string => {
  const known = formats[format ?? '']
  if (known !== undefined) return known
  if (pattern === undefined) return 'a text'
  const meaning = patterns[pattern] ?? 'a text'
  const [example] = examples ?? []
  return typeof example === 'string' ? `${meaning} such as ${example}` : meaning
}

const rangeOf = ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: RequestSchema): string => {
  const isBounded = maximum < Number.MAX_SAFE_INTEGER
  if (minimum === undefined || minimum <= -Number.MAX_SAFE_INTEGER)
    return isBounded ? ` of at most ${maximum}` : ''
  return isBounded ? ` from ${minimum} to ${maximum}` : ` of at least ${minimum}`
}

const kindOf = (schema: RequestSchema): string | string[] => {
  const { type, required = [] } = schema
  if (type === 'string') return textOf(schema)
  if (type === 'integer') return `a whole number${rangeOf(schema)}`
  if (type === 'number') return `a number${rangeOf(schema)}`
  if (type === 'boolean') return ['true', 'false']
  if (type === 'array') return 'a list'
  if (type === 'object') return required.length > 0 ? `an object with ${required.join(' and ')}` : 'an object'
  return type ?? 'something else'
}

const branchesOf = (schema: RequestSchema): RequestSchema[] => schema.anyOf?.flatMap(branchesOf) ?? [schema]

const valuesOf = (schema: RequestSchema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const])

export const objectOf = (schema: RequestSchema): RequestSchema | undefined =>
  branchesOf(schema).find(({ properties }) => properties !== undefined)

export const takesNull = (schema: RequestSchema): boolean =>
  branchesOf(schema).some(({ type }) => type === 'null')

/**
 * Describes the accepted values as the end of a "must be" sentence: `one of draft, unpublished, published or
 * null`.
 */
const takenBy = (schema: RequestSchema): string => {
  const branches = branchesOf(schema)
  const values = [...new Set(branches.flatMap(valuesOf))]
  const kinds = branches.filter((branch) => valuesOf(branch).length === 0).flatMap(kindOf)
  const named = values.length > 1 ? [`one of ${values.join(', ')}`] : values.map(String)
  const words = [...new Set([...named, ...kinds])]
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
}

const rangeIssue = ({ type, minimum, maximum = Number.MAX_SAFE_INTEGER }: RequestSchema): Issue => {
  const isWhole = type === 'integer'
  const min = minimum === undefined || minimum <= -Number.MAX_SAFE_INTEGER ? null : minimum
  const max = maximum < Number.MAX_SAFE_INTEGER ? maximum : null
  if (min === null && max === null) return issue(isWhole ? 'not_whole_number' : 'not_number')
  if (min === null)
    return issue(isWhole ? 'not_whole_number_up_to' : 'not_number_up_to', { max: max ?? maximum })
  if (max === null) return issue(isWhole ? 'not_whole_number_from' : 'not_number_from', { min })
  return issue(isWhole ? 'not_whole_number_between' : 'not_number_between', { min, max })
}

const textIssue = ({ format, pattern, examples = [] }: RequestSchema): Issue | null => {
  if (format === 'date-time') return issue('not_timestamp')
  if (format === 'email') return issue('not_email')
  if (format === 'uuid') return issue('not_uuid')
  const [example] = examples
  if (format === 'uri')
    return issue('not_url', { example: typeof example === 'string' ? example : exampleUrl })
  if (pattern === undefined) return issue('not_text')
  if (pattern === blank) return issue('blank')
  if (pattern in patterns) return null
  return typeof example === 'string' ? issue('not_text_such_as', { example }) : issue('not_text')
}

const simpleIssue = (schema: RequestSchema): Issue | null => {
  if (schema.type === 'integer' || schema.type === 'number') return rangeIssue(schema)
  if (schema.type === 'string') return textIssue(schema)
  if (schema.type === 'boolean') return issue('not_boolean')
  if (schema.type === 'array') return issue('not_list')
  return null
}

/** Returns the requirement of a schema. Only the reference says whether null is accepted as well. */
export const requirementOf = (schema: RequestSchema): Issue => {
  const branches = branchesOf(schema).filter(({ type }) => type !== 'null')
  const values = new Set(branches.flatMap(valuesOf))
  if (values.size > 1 && branches.every((branch) => valuesOf(branch).length > 0))
    return issue('not_one_of', { values: [...values].join(', ') })
  const [branch] = branches
  const isSimple = branch !== undefined && branches.length === 1 && values.size === 0
  const simple = isSimple ? simpleIssue(branch) : null
  return simple ?? issue('not_accepted', { expected: takenBy(schema).slice(0, maxExpectedLength) })
}

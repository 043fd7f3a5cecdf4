import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { detailOf, issue, Problem } from '../../base/problem.ts'
import { objectOf, takesNull, type RequestSchema } from './describe-schema.ts'
import { validationProblem } from './validation-issues.ts'

const createAjv = (options: { readonly allErrors: boolean; readonly coerceTypes: boolean }): Ajv => {
  const ajv = new Ajv({ ...options, verbose: true, strict: false, useDefaults: false })
  const withFormats = addFormats as unknown as FormatsPlugin
  withFormats(ajv)
  return ajv
}

/**
 * A larger body is validated only up to its first error: a million wrong items would otherwise create
 * millions of errors.
 */
const maxValuesForAllErrors = 1_000

const countValues = (value: unknown, left: number): number => {
  if (typeof value !== 'object' || value === null) return left - 1
  let rest = left - 1
  for (const item of Object.values(value)) {
    if (rest <= 0) return rest
    rest = countValues(item, rest)
  }
  return rest
}

/**
 * Compiles on first use: compiling all routes takes longer than the rest of a start, and most are used late
 * or never.
 */
const validatorOf = (ajv: Ajv, schema: object): (() => ValidateFunction) => {
  let compiled: ValidateFunction | undefined
  return () => (compiled ??= ajv.compile(schema))
}

type ErrorFinder = (data: unknown) => readonly ErrorObject[] | null

/** Returns null when the body is valid. */
const createErrorFinder = (ajvs: { readonly first: Ajv; readonly all: Ajv }, schema: object): ErrorFinder => {
  const first = validatorOf(ajvs.first, schema)
  const all = validatorOf(ajvs.all, schema)
  return (data) => {
    const check = first()
    if (check(data)) return null
    if (countValues(data, maxValuesForAllErrors) <= 0) return check.errors ?? []
    const checkAll = all()
    checkAll(data)
    return checkAll.errors ?? []
  }
}

/** Ajv keeps what it has compiled by schema, and routes have constant schemas, so all servers of a process share these. */
const bodyAjvs = {
  first: createAjv({ allErrors: false, coerceTypes: false }),
  all: createAjv({ allErrors: true, coerceTypes: false }),
}
const textAjv = createAjv({ allErrors: false, coerceTypes: true })

/**
 * Validates JSON that is not a whole body, such as the part of a form; `at` is its name. Throws 'invalid'
 * with all errors.
 */
export const createJsonCheck = (schema: object, at: string): ((data: unknown) => void) => {
  const findErrors = createErrorFinder(bodyAjvs, schema)
  return (data) => {
    const errors = findErrors(data)
    if (errors !== null) throw validationProblem(errors, at)
  }
}

/** When a request creates a record, null selects the default, as an absent field does. */
const dropNulls = (schema: RequestSchema, data: Record<string, unknown>): void => {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = data[name]
    if (value === null && !takesNull(field) && schema.required?.includes(name) !== true) delete data[name]
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      dropNulls(objectOf(field) ?? {}, value as Record<string, unknown>)
  }
}

const missingBody = ({ required = [], examples = [] }: RequestSchema): Problem => {
  const example = Object.entries(examples[0] ?? {}).filter(([name]) => required.includes(name))
  const shown = JSON.stringify(Object.fromEntries(example))
  return new Problem(
    'body_missing',
    { example: shown.slice(0, 200) },
    { details: required.map((field) => detailOf(field, issue('required'))) },
  )
}

type Verdict = { readonly value: unknown } | { readonly error: Problem }

const createBodyValidator = (findErrors: ErrorFinder, schema: RequestSchema, isNew: boolean) => {
  const isAllOptional = schema.type === 'object' && (schema.required ?? []).length === 0
  return (sent: unknown): Verdict => {
    if (sent === null && !isAllOptional) return { error: missingBody(schema) }
    const value = sent ?? {}
    if (isNew) dropNulls(schema, value as Record<string, unknown>)
    const errors = findErrors(value)
    return errors === null ? { value } : { error: validationProblem(errors) }
  }
}

interface RoutePart {
  readonly schema: RequestSchema
  readonly httpPart?: string
  readonly method?: string
  readonly contentType?: string
}

/**
 * Creates the validators for bodies, queries and path parameters of all routes. Bodies are never coerced; the
 * others are text and are coerced. A body without a required field may be absent, which Fastify passes as
 * null.
 */
export const createRequestValidators = () => {
  return ({ schema, httpPart, method, contentType }: RoutePart) => {
    if (httpPart === 'body') {
      // Forms and raw bytes are streams, which the routes validate themselves.
      if (contentType !== undefined && contentType !== 'application/json')
        return (value: unknown): Verdict => ({ value })
      // A body that may also be a file's bytes describes a new source, even in a PUT.
      const isNew = method === 'POST' || contentType !== undefined
      return createBodyValidator(createErrorFinder(bodyAjvs, schema), schema, isNew)
    }
    const validator = validatorOf(textAjv, schema)
    return (value: unknown): Verdict => {
      const check = validator()
      return check(value) ? { value } : { error: validationProblem(check.errors ?? []) }
    }
  }
}

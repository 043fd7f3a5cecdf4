import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { Problem } from '../kernel/problem.ts'
import { takesNull, type RequestSchema } from './describe-schema.ts'
import { validationProblem } from './validation-issues.ts'

const createAjv = (options: { readonly allErrors: boolean; readonly coerceTypes: boolean }): Ajv => {
  const ajv = new Ajv({ ...options, verbose: true, strict: false, useDefaults: false })
  const withFormats = addFormats as unknown as FormatsPlugin
  withFormats(ajv)
  return ajv
}

/** Beyond this many values only the first fault is looked for: a body of a million wrong items would make millions of errors. */
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

type ErrorFinder = (data: unknown) => readonly ErrorObject[] | null

/** Null when the body is valid. The one that finds all errors is compiled when it is first needed: most bodies are valid. */
const createErrorFinder = (schema: object): ErrorFinder => {
  const check = createBodyAjv().compile(schema)
  let checkAll: ValidateFunction | undefined
  return (data) => {
    if (check(data)) return null
    if (countValues(data, maxValuesForAllErrors) <= 0) return check.errors ?? []
    checkAll ??= createAjv({ allErrors: true, coerceTypes: false }).compile(schema)
    checkAll(data)
    return checkAll.errors ?? check.errors ?? []
  }
}

let bodyAjv: Ajv | undefined
const createBodyAjv = (): Ajv => (bodyAjv ??= createAjv({ allErrors: false, coerceTypes: false }))

import type { ErrorObject } from 'ajv'
import { detailOf, invalidSubject, issue, Problem, type Issue } from '../../base/problem.ts'
import { requirementOf, type RequestSchema } from './describe-schema.ts'

const maxDetails = 20

const schemaOf = (error: ErrorObject): RequestSchema => error.parentSchema as RequestSchema

const isWithin = (inner: ErrorObject, outer: ErrorObject): boolean =>
  inner.schemaPath.startsWith(`${outer.schemaPath}/`) &&
  (inner.instancePath === outer.instancePath || inner.instancePath.startsWith(`${outer.instancePath}/`))

/**
 * Returns whether the value does not match this branch of the union at all, rather than matching it with
 * errors.
 */
const isOtherKind = (error: ErrorObject, union: ErrorObject): boolean =>
  error.instancePath === union.instancePath && ['type', 'const', 'enum', 'anyOf'].includes(error.keyword)

/**
 * All branches of a union fail: returns the errors of the branch that the caller meant, or else that of the
 * union.
 */
const explainUnion = (union: ErrorObject, inner: readonly ErrorObject[]): readonly ErrorObject[] => {
  const meant = (schemaOf(union).anyOf ?? [])
    .map((_branch, index) =>
      mostSpecific(inner.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${index}/`))),
    )
    .filter((errors) => errors.length > 0 && !errors.some((error) => isOtherKind(error, union)))
  if (meant.length === 1) return meant[0] ?? []
  const deeper = meant.find((errors) =>
    errors.every(({ instancePath }) => instancePath !== union.instancePath),
  )
  return deeper ?? [union]
}

/** Ajv lists the errors of a union's branches right before that of the union. */
const mostSpecific = (errors: readonly ErrorObject[]): ErrorObject[] => {
  const specific: ErrorObject[] = []
  let end = errors.length
  while (end > 0) {
    const error = errors[end - 1] as ErrorObject
    let start = end - 1
    if (error.keyword !== 'anyOf') specific.unshift(error)
    else {
      while (start > 0 && isWithin(errors[start - 1] as ErrorObject, error)) start -= 1
      specific.unshift(...explainUnion(error, errors.slice(start, end - 1)))
    }
    end = start
  }
  return specific
}

/** Issues with a limit. A limit of one reads better as `must not be empty`. */
const bounds: Readonly<Record<string, (limit: number) => Issue>> = {
  minLength: (min) => (min === 1 ? issue('empty') : issue('too_few_characters', { min })),
  maxLength: (max) => issue('too_many_characters', { max }),
  minItems: (min) => (min === 1 ? issue('empty') : issue('too_few_items', { min })),
  maxItems: (max) => issue('too_many_items', { max }),
  minProperties: (min) => issue('too_few_fields', { min }),
  maxProperties: (max) => issue('too_many_fields', { max }),
}

const issueOf = (error: ErrorObject): Issue => {
  if (error.keyword === 'required') return issue('required')
  const bound = bounds[error.keyword]
  if (bound !== undefined) return bound(Number(error.params['limit']))
  // A repeated query parameter: `?limit=5&limit=6`.
  if (error.keyword === 'type' && Array.isArray(error.data) && schemaOf(error).type === 'string')
    return issue('repeated_parameter')
  // The largest number of JavaScript is a limit that a requirement names only when a value exceeds it.
  if (error.keyword === 'maximum' && schemaOf(error).maximum === Number.MAX_SAFE_INTEGER)
    return issue('not_whole_number_up_to', { max: Number.MAX_SAFE_INTEGER })
  return requirementOf(schemaOf(error))
}

/** Formats a path as in code: `Elements[0].FileId`. */
const fieldOf = (error: ErrorObject): string => {
  const names = error.instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') names.push(String(error.params['missingProperty']))
  return names
    .map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`))
    .join('')
}

interface FieldIssue {
  readonly field: string
  readonly found: Issue
}

const fieldIssuesOf = (errors: readonly ErrorObject[]): FieldIssue[] => {
  const issues = new Map<string, Issue>()
  for (const error of mostSpecific(errors)) {
    const field = fieldOf(error)
    if (!issues.has(field)) issues.set(field, issueOf(error))
  }
  return [...issues].map(([field, found]) => ({ field, found }))
}

/**
 * The message describes the first field; `details` list all, up to a limit. `at` is the path of the value
 * when it is not the whole body.
 */
export const validationProblem = (errors: readonly ErrorObject[], at = ''): Problem => {
  const all = fieldIssuesOf(errors).map(({ field, found }) => ({
    field: [at, field].filter((part) => part !== '').join('.'),
    found,
  }))
  const [first] = all
  if (first === undefined) return new Problem('request_invalid')
  const details = all.slice(0, maxDetails).map(({ field, found }) => detailOf(field, found))
  const subject = first.field === '' ? 'The body' : first.field.slice(0, 80)
  const problem = invalidSubject(subject, first.found, details)
  if (all.length === 1) return problem
  return new Problem(
    'several_fields_invalid',
    { first: problem.message.replace(/\.$/, ''), count: all.length },
    { details },
  )
}

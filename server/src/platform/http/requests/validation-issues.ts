import type { ErrorObject } from 'ajv'
import { Problem, type ProblemDetail } from '../../base/problem.ts'
import { takenBy, type RequestSchema } from './describe-schema.ts'

const maxDetails = 20
const maxIssueLength = 250

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
      mostTelling(inner.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${index}/`))),
    )
    .filter((errors) => errors.length > 0 && !errors.some((error) => isOtherKind(error, union)))
  if (meant.length === 1) return meant[0] ?? []
  const deeper = meant.find((errors) =>
    errors.every(({ instancePath }) => instancePath !== union.instancePath),
  )
  return deeper ?? [union]
}

/** Ajv lists the errors of a union's branches right before that of the union. */
const mostTelling = (errors: readonly ErrorObject[]): ErrorObject[] => {
  const telling: ErrorObject[] = []
  let end = errors.length
  while (end > 0) {
    const error = errors[end - 1] as ErrorObject
    let start = end - 1
    if (error.keyword !== 'anyOf') telling.unshift(error)
    else {
      while (start > 0 && isWithin(errors[start - 1] as ErrorObject, error)) start -= 1
      telling.unshift(...explainUnion(error, errors.slice(start, end - 1)))
    }
    end = start
  }
  return telling
}

const characters = (count: unknown): string => (count === 1 ? '1 character' : `${String(count)} characters`)

const bounds: Readonly<Record<string, (limit: unknown) => string>> = {
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${characters(limit)}`),
  maxLength: (limit) => `may have ${characters(limit)} at most`,
  minItems: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} items`),
  maxItems: (limit) => `may have ${String(limit)} items at most`,
  minProperties: (limit) => `must have at least ${String(limit)} fields`,
  maxProperties: (limit) => `may have ${String(limit)} fields at most`,
}

const issueOf = (error: ErrorObject): string => {
  if (error.keyword === 'required') return 'is required'
  const bound = bounds[error.keyword]
  if (bound !== undefined) return bound(error.params['limit'])
  // A repeated query parameter: `?limit=5&limit=6`.
  if (error.keyword === 'type' && Array.isArray(error.data) && schemaOf(error).type === 'string')
    return 'must be one text, given once'
  return `must be ${takenBy(schemaOf(error))}`
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

const detailsOf = (errors: readonly ErrorObject[]): ProblemDetail[] => {
  const issues = new Map<string, string>()
  for (const error of mostTelling(errors)) {
    const field = fieldOf(error)
    if (!issues.has(field)) issues.set(field, issueOf(error).slice(0, maxIssueLength))
  }
  return [...issues].map(([field, issue]) => ({ field, issue }))
}

/**
 * The message describes the first field; `details` list all, up to a limit. `at` is the path of the value
 * when it is not the whole body.
 */
export const validationProblem = (errors: readonly ErrorObject[], at = ''): Problem => {
  const all = detailsOf(errors).map(({ field, issue }) => ({
    field: [at, field].filter((part) => part !== '').join('.'),
    issue,
  }))
  const [first] = all
  if (first === undefined) return new Problem('invalid', 'The request is not valid.')
  const sentence = `${first.field === '' ? 'The body' : first.field.slice(0, 80)} ${first.issue}.`
  const others = all.length - 1
  const more =
    others === 0
      ? ''
      : ` ${others === 1 ? 'One more field is' : `${others} more fields are`} not right either: see details.`
  return new Problem('invalid', `${sentence}${more}`, { details: all.slice(0, maxDetails) })
}

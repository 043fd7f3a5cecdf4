import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { operationsOf, type OpenApiDocument, type Operation } from './openapi-document.ts'
import type { Answer } from './test-server.ts'

export type CheckConformance = (method: string, path: string, answer: Answer) => void

const escapePointer = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * Matches request paths to templates such as `/projects/{projectId}`. A literal segment takes precedence over
 * a parameter.
 */
const createFinder = (operations: readonly Operation[]) => {
  const entries = operations
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
      parameterCount: operation.path.split('{').length,
    }))
    .sort((one, other) => one.parameterCount - other.parameterCount)
  return (method: string, path: string): Operation | undefined => {
    const wanted = method === 'HEAD' ? 'GET' : method
    return entries.find((entry) => entry.operation.method === wanted && entry.pattern.test(path))?.operation
  }
}

/**
 * Forbids undocumented fields. Schemas inside `allOf` stay open, because each describes only a part of the
 * object.
 */
const closeObjects = (schema: unknown, isPart = false): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => closeObjects(one, isPart))
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      ['examples', 'enum', 'const'].includes(key)
        ? [key, value]
        : [key, closeObjects(value, key === 'allOf')],
    ),
  )
  const isOpen = 'properties' in schema && !('additionalProperties' in schema) && !isPart
  return isOpen ? { ...closed, unevaluatedProperties: false } : closed
}

const undeclaredIn = ({ params }: ErrorObject): string | undefined => {
  const { unevaluatedProperty, additionalProperty } = params as Record<string, string | undefined>
  return unevaluatedProperty ?? additionalProperty
}

const issueOf = (error: ErrorObject): string => {
  const undeclared = undeclaredIn(error)
  return undeclared === undefined
    ? `${error.instancePath} ${error.message}`
    : `${error.instancePath}/${undeclared} is not declared`
}

export const createConformance = (document: OpenApiDocument): CheckConformance => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  ;(addFormats as unknown as FormatsPlugin)(ajv)
  ajv.addSchema(closeObjects(document) as object, 'api')
  const find = createFinder(operationsOf(document))
  const validators = new Map<string, ValidateFunction>()

  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer)
    if (known !== undefined) return known
    const made = ajv.compile({ $ref: `api#/${pointer}` })
    validators.set(pointer, made)
    return made
  }

  const check = (what: string, validate: ValidateFunction, body: unknown): void => {
    if (validate(body)) return
    const errors = validate.errors ?? []
    const hint = errors.some((error) => undeclaredIn(error) !== undefined)
      ? ' Declare it in the schema of the route, then run `npm run openapi`.'
      : ''
    throw new Error(
      `${what} does not conform to openapi.json: ${errors.slice(0, 5).map(issueOf).join('; ')}.${hint}\n${JSON.stringify(body).slice(0, 1_000)}`,
    )
  }

  return (method, path, { status, headers, body }) => {
    const what = `${method} ${path} ${status}`
    const isJson = headers.get('content-type')?.startsWith('application/json') === true
    if (status >= 400 && method !== 'HEAD') {
      if (!isJson) throw new Error(`${what} is not in the envelope of errors`)
      check(what, validatorAt('components/schemas/Error'), body)
      return
    }
    const operation = find(method, path)
    if (operation === undefined || status === 304 || method === 'HEAD') return
    const answer = operation.responses[status]
    if (answer === undefined)
      throw new Error(
        `${what}: openapi.json does not declare this status of ${operation.operationId}. Declare it in the route, then run \`npm run openapi\`.`,
      )
    if (answer.content?.['application/json'] === undefined) return
    if (!isJson) throw new Error(`${what} should be JSON`)
    const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(status)]
    const place = [...pointer, 'content', 'application/json', 'schema'].map(escapePointer).join('/')
    check(what, validatorAt(place), body)
  }
}

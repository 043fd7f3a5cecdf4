import { isApiPath } from './openapi-conventions.ts'
import { errorDescriptions, errorExample } from './openapi-errors.ts'

interface Answer {
  description?: string
  headers?: Record<string, object>
  content?: Record<string, { schema?: { $ref?: string }; example?: object }>
}

export interface Operation {
  operationId?: string
  requestBody?: { content?: Record<string, object> }
  parameters?: { readonly name?: string; readonly in?: string; readonly $ref?: string }[]
  responses: Record<string, Answer>
}

const text = (description: string, schema: { maxLength: number; examples: string[] }) => ({
  description,
  schema: { type: 'string', ...schema },
})

export const exchangeHeaders = {
  'X-Request-Id': text(
    'Identifier of the request in the logs and in `error.requestId`: the value that you sent, or a new one.',
    {
      maxLength: 128,
      examples: ['0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21'],
    },
  ),
  'X-Ignored-Parameters': text('Comma-separated list of unknown query parameters, which were ignored.', {
    maxLength: 4_096,
    examples: ['colour'],
  }),
  'X-Ignored-Fields': text('Comma-separated list of unknown body fields, as paths, which were ignored.', {
    maxLength: 16_384,
    examples: ['Metadata.Titel, Elements[0].Fileid'],
  }),
  ETag: text('Version of the response, for `If-None-Match` and `If-Match`.', {
    maxLength: 100,
    examples: ['"5-12"'],
  }),
  Location: text('URL of the new record, or the upload URL of a new file.', {
    maxLength: 2_048,
    examples: ['https://video.example.com/v3/projects/3'],
  }),
  'WWW-Authenticate': text('How to authenticate.', {
    maxLength: 200,
    examples: ['Bearer realm="Zoetrope"'],
  }),
}

const precondition = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', maxLength: 4_096 },
  example: '"5-12"',
})

const preference = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'With `handling=strict`, unknown fields in the body return 400 instead of being listed in `X-Ignored-Fields` (RFC 7240).',
  schema: { type: 'string', maxLength: 200 },
  example: 'handling=strict',
}

export const exchangeParameters = {
  'If-None-Match': precondition(
    'If-None-Match',
    'The `ETag` of an earlier response. If nothing has changed since, the response is 304 without a body.',
  ),
  'If-Match': precondition(
    'If-Match',
    'The `ETag` of the record as you know it. If the record has changed since, nothing is written and the response is 412. Without this header the last writer wins.',
  ),
  Prefer: preference,
}

const headerRefs = (...names: (keyof typeof exchangeHeaders)[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const isJson = (answer: Answer | undefined): boolean => answer?.content?.['application/json'] !== undefined

const describeError = (status: number, answer: Answer): void => {
  const json = answer.content?.['application/json']
  if (json === undefined) return
  answer.description = errorDescriptions[status]?.description ?? answer.description ?? 'Error'
  const example = errorExample(status)
  if (example !== undefined) json.example ??= example
}

export const describeExchange = (path: string, method: string, operation: Operation): void => {
  const { responses } = operation
  const isApi = isApiPath(path)
  const parameters = [...(operation.parameters ?? [])]
  if (method === 'get' && isJson(responses['200'])) {
    parameters.push({ $ref: '#/components/parameters/If-None-Match' })
    responses['304'] = { description: 'Not changed since the version in `If-None-Match`.' }
  }
  // In tus, 412 means an unsupported protocol version.
  const isTus = parameters.some(({ name }) => name === 'Tus-Resumable')
  if (responses['412'] !== undefined && !isTus) parameters.push({ $ref: '#/components/parameters/If-Match' })
  const hasJsonBody = operation.requestBody?.content?.['application/json'] !== undefined
  if (hasJsonBody) parameters.push({ $ref: '#/components/parameters/Prefer' })
  if (parameters.length > 0) operation.parameters = parameters
  const hasQuery = parameters.some((parameter) => parameter.in === 'query')
  for (const [code, answer] of Object.entries(responses)) {
    const status = Number(code)
    if (status >= 400) describeError(status, answer)
    answer.headers = {
      ...answer.headers,
      ...headerRefs('X-Request-Id'),
      ...(isApi && status < 400 && method !== 'delete' && (isJson(answer) || status === 304)
        ? headerRefs('ETag')
        : {}),
      ...(status === 201 ? headerRefs('Location') : {}),
      ...(status === 200 && hasQuery ? headerRefs('X-Ignored-Parameters') : {}),
      ...(status < 300 && hasJsonBody ? headerRefs('X-Ignored-Fields') : {}),
      ...(status === 401 ? headerRefs('WWW-Authenticate') : {}),
    }
    if (status === 503) answer.headers['Retry-After'] = { $ref: '#/components/headers/Retry-After' }
  }
}

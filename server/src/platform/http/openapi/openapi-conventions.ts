interface Answer {
  description?: string
  headers?: Record<string, object>
}

interface Operation {
  parameters?: object[]
  /** Empty for unauthenticated operations. */
  security?: object[]
  responses: Record<string, Answer>
}

const integerHeader = (description: string, maximum: number) => ({
  description,
  schema: { type: 'integer', minimum: 0, maximum, format: 'int32' },
})

const maxPerMinute = 10_000_000

const headers = {
  'RateLimit-Limit': integerHeader(
    'Allowed requests of this kind (reads or writes) in a minute.',
    maxPerMinute,
  ),
  'RateLimit-Remaining': integerHeader('Remaining requests in this minute.', maxPerMinute),
  'RateLimit-Reset': integerHeader('Seconds until the limit is reset.', 60),
  'RateLimit-Policy': {
    description: 'Limit and window in seconds.',
    schema: { type: 'string', maxLength: 30, examples: ['600;w=60'] },
  },
  'Retry-After': integerHeader('Seconds to wait before you try again.', 3_600),
  'Idempotent-Replayed': {
    description: 'Present if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const headerRefs = (...names: (keyof typeof headers)[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value for each operation, such as a UUID. For 24 hours, a request with the same key returns the response of the first one and is not executed again. With another body or URL it returns 409. A failed request releases its key.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

/** Other paths, such as upload URLs, have no API keys, rate limits and ETags. */
export const isApiPath = (path: string): boolean => path.startsWith('/v3/')

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** Adds only 429: unauthenticated requests have no per-key rate limit and no idempotency key. */
const describeOpenOperation = ({ responses }: Operation): void => {
  responses['429'] ??= {
    ...problem('Too many attempts. Wait as long as `Retry-After` says.'),
    headers: headerRefs('Retry-After'),
  }
}

const describeOperation = (path: string, method: string, operation: Operation): void => {
  const { responses } = operation
  if (!isApiPath(path)) return
  if (operation.security?.length === 0) return describeOpenOperation(operation)
  responses['429'] ??= problem('The API key has no requests left in this minute.')
  if (method === 'post') {
    responses['409'] ??= problem(
      'The `Idempotency-Key` was used for another request, or for one that is still running.',
    )
    operation.parameters = [
      ...(operation.parameters ?? []),
      { $ref: '#/components/parameters/Idempotency-Key' },
    ]
  }
  for (const [status, answer] of Object.entries(responses)) {
    if (!/^[24]/.test(status)) continue
    answer.headers = {
      ...answer.headers,
      ...headerRefs('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'),
      ...(status === '429' ? headerRefs('Retry-After') : {}),
      ...(method === 'post' && status.startsWith('2') ? headerRefs('Idempotent-Replayed') : {}),
    }
  }
}

interface Components {
  readonly headers?: object
  readonly parameters?: object
}

/**
 * Adds rate limit headers, 429 responses and the Idempotency-Key to every operation, so that routes do not
 * repeat them.
 */
export const describeConventions = <Document extends { paths?: object; components?: object }>(
  document: Document,
): Document => {
  const paths = (document.paths ?? {}) as Record<string, Record<string, Operation>>
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) describeOperation(path, method, operation)
  const components: Components = document.components ?? {}
  return {
    ...document,
    components: {
      ...components,
      headers: { ...components.headers, ...headers },
      parameters: { ...components.parameters, 'Idempotency-Key': idempotencyKey },
    },
  }
}

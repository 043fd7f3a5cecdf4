import fc from 'fast-check'
import {
  bodyExamples,
  resolveSchema,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from '../support/openapi-document.ts'
import { nearlyValid, validValue } from './from-schema.ts'
import { hostileBody, hostileText } from './hostile-values.ts'

export interface FuzzBody {
  readonly type: string
  readonly bytes: Buffer
  readonly hasLiveIds?: boolean
}

/** A request without the ids of its path, which the sender fills in. */
export interface FuzzRequest {
  readonly hostileIds: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: FuzzBody | null
}

const hostileId = fc.constantFrom(
  '0',
  '-1',
  '1e3',
  '1.0',
  '01',
  '999999999',
  '9007199254740993',
  '9223372036854775808',
  '%00',
  'a%00b',
  '%F0%9F%92%A9',
  '%ff',
  '..%2f..',
  'null',
  '00000000-0000-4000-8000-000000000000',
  'x'.repeat(400),
)

const hostileHeader = fc.oneof(
  fc.constantFrom<[string, string]>(
    ['If-Match', '"no-such-version"'],
    ['If-Match', '*'],
    ['If-None-Match', '*'],
    ['If-None-Match', ',,,"'],
    ['If-Modified-Since', 'yesterday'],
    ['Range', 'bytes=0-10'],
    ['Range', 'bytes=5-1'],
    ['Accept', 'text/html;q=0.1'],
    ['Accept', '*/*;q=2;;'],
    ['Accept-Encoding', 'br;q=x'],
    ['X-Request-Id', '<script>'],
    ['X-Forwarded-For', '::::, 1.2.3.4.5'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['Last-Event-ID', '-5'],
    ['Last-Event-ID', '9223372036854775808'],
    ['Idempotency-Key', 'k'],
    ['Idempotency-Key', 'x'.repeat(300)],
    ['Content-Encoding', 'gzip'],
    ['Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
    ['X-Long', 'a'.repeat(8_000)],
  ),
  fc
    .tuple(
      fc.constantFrom('If-Match', 'If-None-Match', 'Idempotency-Key', 'Accept', 'Prefer', 'Last-Event-ID'),
      fc.stringMatching(/^[!-~]{1,30}$/),
    )
    .map(([name, value]): [string, string] => [name, value]),
)

const contentTypes = fc.constantFrom(
  'application/json; charset=utf-8',
  'application/json;charset="UTF-16"; x=y',
  'APPLICATION/JSON',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/octet-stream',
  'video/mp4',
  'image/png',
  'application/json-patch+json',
  'nonsense',
)

const form = fc
  .tuple(fc.constantFrom('file', 'Metadata', 'other', ''), fc.uint8Array({ maxLength: 200 }), fc.boolean())
  .map(([name, bytes, isWhole]): FuzzBody => ({
    type: 'multipart/form-data; boundary=b',
    bytes: Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.mp4"\r\n\r\n`),
      bytes,
      Buffer.from(isWhole ? '\r\n--b--\r\n' : '\r\n--b'),
    ]),
  }))

const jsonBody = (value: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzBody> =>
  fc.tuple(value, fc.boolean()).map(([one, hasLiveIds]) => ({
    type: 'application/json',
    bytes: Buffer.from(JSON.stringify(one) ?? ''),
    hasLiveIds,
  }))

const bodyOf = (document: OpenApiDocument, operation: Operation): fc.Arbitrary<FuzzBody | null> => {
  const content = operation.requestBody?.content ?? {}
  const schema = content['application/json']?.schema
  const anyType = fc.tuple(contentTypes, hostileBody).map(([type, bytes]) => ({ type, bytes }))
  const hostileJson = hostileBody.map((bytes) => ({ type: 'application/json', bytes }))
  if (schema === undefined && Object.keys(content).length === 0)
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      // The API must accept this case: the content type header without a body.
      { weight: 2, arbitrary: fc.constant({ type: 'application/json', bytes: Buffer.alloc(0) }) },
      { weight: 1, arbitrary: hostileJson },
      { weight: 1, arbitrary: anyType },
    )
  const valid = validValue(document, schema ?? {})
  const examples = bodyExamples(content['application/json'])
  const usual = examples.length === 0 ? valid : fc.oneof(fc.constantFrom(...examples), valid)
  const bytesOf = Object.keys(content).filter(
    (type) => !type.includes('json') && !type.startsWith('multipart'),
  )
  return fc.oneof(
    { weight: 6, arbitrary: jsonBody(usual) },
    { weight: 6, arbitrary: jsonBody(nearlyValid(usual)) },
    { weight: 2, arbitrary: hostileJson },
    { weight: 1, arbitrary: anyType },
    { weight: 1, arbitrary: fc.constant(null) },
    ...('multipart/form-data' in content ? [{ weight: 3, arbitrary: form }] : []),
    ...(bytesOf.length === 0
      ? []
      : [
          {
            weight: 2,
            arbitrary: fc
              .tuple(fc.constantFrom(...bytesOf), fc.uint8Array({ maxLength: 300 }))
              .map(([type, bytes]) => ({ type: type.replace('*', 'mp4'), bytes: Buffer.from(bytes) })),
          },
        ]),
  )
}

/** Generated objects can lack a prototype, so they cannot be joined as they are. */
const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const queryOf = (
  document: OpenApiDocument,
  operation: Operation,
): FuzzRequest['query'] extends infer Query ? fc.Arbitrary<Query> : never => {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const textOf = (schema: Schema): fc.Arbitrary<string> =>
    fc.oneof(
      {
        weight: 2,
        arbitrary: validValue(document, schema).map((value) => [value].flat().map(textOfValue).join(',')),
      },
      { weight: 1, arbitrary: hostileText },
      {
        weight: 1,
        arbitrary: fc.constantFrom('0', '-1', '1e3', '1.0', '99999999999999999999', 'true', 'null', ','),
      },
    )
  const known = parameters.map(({ name, schema = {} }) =>
    fc.tuple(fc.constantFrom(name, name, name.toUpperCase()), textOf(schema)),
  )
  const unknown = fc.tuple(fc.constantFrom('unknown', '__proto__', 'a[b]', 'ä', ''), hostileText)
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(fc.oneof(...known, unknown), { maxLength: 4 }) },
  ) as never
}

/** Returns a request as the documentation shows it, with the first example of its body. */
export const plainRequest = (document: OpenApiDocument, operation: Operation): FuzzRequest => {
  const content = operation.requestBody?.content['application/json']
  const { examples = [] } = resolveSchema(document, content?.schema ?? {})
  const [example] = [...bodyExamples(content), ...examples]
  const body =
    example === undefined
      ? null
      : { type: 'application/json', bytes: Buffer.from(JSON.stringify(example)), hasLiveIds: true }
  return { hostileIds: {}, query: [], headers: {}, body }
}

export const requestOf = (document: OpenApiDocument, operation: Operation): fc.Arbitrary<FuzzRequest> => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const hostileIds =
    names.length === 0
      ? fc.constant({})
      : fc.oneof(
          { weight: 6, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), hostileId, { minKeys: 1 }) },
        )
  return fc.record({
    hostileIds,
    query: queryOf(document, operation),
    headers: fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      {
        weight: 2,
        arbitrary: fc.array(hostileHeader, { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
      },
    ),
    body: bodyOf(document, operation),
  })
}

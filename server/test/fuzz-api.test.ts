import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRequest, requestOf, type FuzzRequest } from './fuzz/arbitrary-request.ts'
import { createRecordPool, type RecordPool } from './fuzz/record-pool.ts'
import { closeConnections, pathOf, sendRequest } from './fuzz/send-request.ts'
import { createConformance, type CheckConformance } from './support/conformance.ts'
import { apiOperationsOf, type OpenApiDocument, type Operation } from './support/openapi-document.ts'
import { request, startTestServer, type Answer, type TestServer } from './support/test-server.ts'

/**
 * FUZZ_RUNS multiplies the number of requests. The seed changes daily: a repetition on the same day sends the
 * same requests, and FUZZ_SEED repeats those of a failure.
 */
const times = Number(process.env['FUZZ_RUNS'] ?? 1)
const runsPerOperation = 16 * times
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / 86_400_000))
const parallel = 4

let server: TestServer
let document: OpenApiDocument
let operations: Operation[]
let pool: RecordPool
let checkConformance: CheckConformance

beforeAll(async () => {
  // The server needs a worker: some responses wait for jobs, and files pass through all states.
  server = await startTestServer({
    withWorker: true,
    environment: { ZOETROPE_SIGN_INS_PER_MINUTE: '0' },
  })
  document = (await request(`${server.url}/v3/openapi.json`, 'GET')).body as OpenApiDocument
  operations = apiOperationsOf(document)
  checkConformance = createConformance(document)
  pool = createRecordPool(document, operations, {
    seed,
    call: (method, path, body) =>
      request(server.url + path, method, {
        apiKey: server.apiKey,
        ...(body === undefined ? {} : { body }),
      }),
  })
  await pool.fill()
}, 60_000)

afterAll(async () => {
  await closeConnections()
  await server.stop()
})

const successes = new Map<string, number>()
let count = 0

const checkAnswer = (operation: Operation, path: string, answer: Answer): void => {
  count += 1
  const { status, headers, body } = answer
  if (status >= 500) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  expect(headers.get('x-request-id')).toMatch(/^[\w.:-]{1,128}$/)
  if (status >= 400) {
    expect(body).toMatchObject({ error: { code: status, requestId: headers.get('x-request-id') } })
    expect(body.error.message).toMatch(/^[^\n]{10,}$/)
  } else {
    successes.set(operation.operationId, (successes.get(operation.operationId) ?? 0) + 1)
    const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '')
    if (operation.method === 'GET' && isJson) expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
  }
  checkConformance(operation.method, path.split('?', 1)[0] ?? '', answer)
}

const fuzz = async (operation: Operation): Promise<string | null> => {
  const property = fc.asyncProperty(requestOf(document, operation), async (sent: FuzzRequest) => {
    const ids = pool.idsFor(operation.path)
    const path = pathOf(operation, ids, sent)
    const body =
      sent.body?.hasLiveIds === true
        ? { ...sent.body, bytes: Buffer.from(pool.withLiveIds(sent.body.bytes.toString())) }
        : sent.body
    const answer = await sendRequest(server, operation.method, path, { ...sent, body })
    pool.remember(operation, ids, answer)
    checkAnswer(operation, path, answer)
  })
  const result = await fc.check(property, {
    seed,
    // The plain request comes first, so that each operation sees a valid one whatever the seed is.
    examples: [[plainRequest(document, operation)]],
    numRuns: runsPerOperation,
    interruptAfterTimeLimit: 60_000,
    endOnFailure: true,
  })
  if (!result.failed) return null
  const [sent] = result.counterexample ?? []
  const shown = JSON.stringify({
    ...sent,
    body: sent?.body && { ...sent.body, bytes: String(sent.body.bytes) },
  })
  const path = sent === undefined ? operation.path : pathOf(operation, pool.idsFor(operation.path), sent)
  return `${operation.operationId} ${operation.method} ${path}\n  sent ${shown?.slice(0, 1_500)}\n  ${String(result.errorInstance).slice(0, 1_500)}`
}

const fuzzAll = async (chosen: readonly Operation[]): Promise<string[]> => {
  const failures: string[] = []
  const waiting = [...chosen]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const failure = await fuzz(next)
      if (failure !== null) failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return failures
}

/** Orders the operations: creating ones first, restoring ones last. */
const phaseOf = ({ method, path }: Operation): number => {
  if (path.endsWith('/restore')) return 4
  if (method === 'DELETE') return 3
  if (method !== 'POST') return 2
  return path.includes('{') ? 1 : 0
}

test(
  'every operation answers arbitrary input with its schema or an error envelope, never with a 5xx',
  async () => {
    const failures: string[] = []
    for (const phase of [0, 1, 2, 3, 4]) {
      failures.push(...(await fuzzAll(operations.filter((operation) => phaseOf(operation) === phase))))
      await pool.fill()
    }
    const unmet = operations.filter(({ operationId }) => !successes.has(operationId))
    process.stdout.write(
      `fuzz: ${count} requests to ${operations.length} operations, seed ${seed}; no success of ${unmet.map(({ operationId }) => operationId).join(', ') || 'none'}\n`,
    )
    expect(failures.join('\n\n'), `FUZZ_SEED=${seed} repeats it`).toBe('')
    // Most operations must see valid requests: otherwise the test only covers input validation.
    expect(unmet.length).toBeLessThan(operations.length / 3)
  },
  Math.max(600_000, times * 60_000),
)

test('the server and the API key still work after all fuzz requests', async () => {
  expect((await server.call('GET', '/projects')).status).toBe(200)
  expect((await server.call('POST', '/projects', { body: { Name: 'After' } })).status).toBe(201)
})

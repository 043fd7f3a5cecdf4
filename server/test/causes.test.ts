import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json as readJson } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTracing } from '../src/app/tracing/start-tracing.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { makeSample } from './support/media.ts'
import { waitFor } from './support/wait-for.ts'

let folder: string
let server: TestServer
let webhookId: number

interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes'> {
  readonly attributes: { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

const spans: ReceivedSpan[] = []
const exports: {
  readonly path: string | undefined
  readonly type: string | undefined
  readonly key: unknown
}[] = []

/** A collector: OTLP over HTTP with JSON (opentelemetry-proto, ExportTraceServiceRequest). */
const collector = createServer((incoming, response) => {
  const { headers } = incoming
  exports.push({ path: incoming.url, type: headers['content-type'], key: headers['api-key'] })
  void readJson(incoming).then((body) => {
    const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
    for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      spans.push({
        ...span,
        attributes: Object.fromEntries(
          span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
        ),
      })
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
})

/** Receives webhooks, with their headers. */
const received: { readonly event: string; readonly traceparent: string | undefined }[] = []
const receiver = createServer((incoming, response) => {
  const { headers } = incoming
  void readJson(incoming).then((body) => {
    const [{ Event }] = body as [{ Event: string }]
    received.push({ event: Event, traceparent: headers['traceparent'] as string | undefined })
    response.end()
  })
})

const listen = async (own: Server): Promise<string> => {
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}`
}

let stopTracing: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-causes-'))
  const otlpEndpoint = await listen(collector)
  stopTracing = await startTracing(
    { otlpEndpoint, otlpHeaders: 'api-key=a%20b', traceRatio: 1, traceServiceName: 'zoetrope' },
    'api',
  )
  server = await startTestServer({
    withWorker: true,
    environment: {
      ZOETROPE_ACCESS_LOG: '1',
      ZOETROPE_LOG_LEVEL: 'info',
      ZOETROPE_LOG_FILE: join(folder, 'zoetrope.log'),
    },
  })
  const webhook = { TargetURL: 'zoetrope:inspector', EventTypes: ['*'] }
  webhookId = (await server.call('POST', '/modules/notifications', { body: webhook })).body.Id
})

afterAll(async () => {
  await server.stop()
  await stopTracing()
  for (const other of [collector, receiver]) {
    other.closeAllConnections()
    other.close()
  }
  await rm(folder, { recursive: true, force: true })
})

interface Sent {
  readonly Headers: Readonly<Record<string, string>>
  readonly Body: string
}

/** The webhook request of the first event with this name. */
const requestOf = async (event: string): Promise<Readonly<Record<string, string>>> => {
  const path = `/modules/notifications/${webhookId}/inspectedrequests?limit=100`
  const find = async (): Promise<Sent | undefined> =>
    (await server.call('GET', path)).body.Requests.find(
      ({ Body }: Sent) => JSON.parse(Body)[0].Event === event,
    )
  return (await waitFor(find, (sent) => sent !== undefined))?.Headers ?? {}
}

const call = (method: string, path: string, requestId: string, body?: object) =>
  server.call(method, path, { headers: { 'X-Request-Id': requestId }, ...(body && { body }) })

test('webhooks and jobs name the request that caused them, also through a job', async () => {
  const project = await call('POST', '/projects', 'begin-1', { Name: 'Caused' })
  expect(project.headers.get('x-request-id')).toBe('begin-1')
  expect(await requestOf('project.new')).toMatchObject({ 'zoetrope-request-id': 'begin-1' })
  await call('POST', `/projects/${project.body.Id}/files`, 'begin-2', { FileName: 'a.mp4' })
  // A job deletes the files of the project.
  await call('DELETE', `/projects/${project.body.Id}?cascade=true`, 'end-1')
  expect(await requestOf('file.deleted')).toMatchObject({ 'zoetrope-request-id': 'end-1' })
  const lines = await waitFor(
    async () =>
      (await readFile(join(folder, 'zoetrope.log'), 'utf8'))
        .split('\n')
        .filter((line) => line.includes('"job":"project.files"'))
        .map((line) => JSON.parse(line)),
    ({ length }) => length > 0,
  )
  expect(lines[0]).toMatchObject({
    msg: 'job done',
    requestId: 'end-1',
    data: { projectId: project.body.Id },
  })
  expect(lines[0].data).not.toHaveProperty('cause')
})

test('a trace leads from the request of the client through job, blobs and ffmpeg to the webhook', async () => {
  const targetUrl = `${await listen(receiver)}/hook`
  const webhook = { TargetURL: targetUrl, EventTypes: ['file.*'] }
  await server.call('POST', '/modules/notifications', { body: webhook })
  const project = (await server.call('POST', '/projects', { body: { Name: 'Traced' } })).body
  const bytes = await makeSample({ seconds: 1 })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const created = await server.call('POST', `/projects/${project.Id}/files`, {
    body: { FileName: 'traced.mp4', FileSize: bytes.length, UseEncoding: false },
  })
  const upload = await fetch(created.body.Upload.URI, {
    method: 'PUT',
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'X-Request-Id': 'traced-1' },
    body: bytes as BodyInit,
  })
  expect(upload.status).toBe(200)
  const webhookOf = (event: string) => received.find((one) => one.event === event)?.traceparent
  await waitFor(
    async () => webhookOf('file.playable'),
    (traceparent) => traceparent !== undefined,
  )
  expect(webhookOf('file.playable')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  const ofTrace = () => spans.filter((span) => span.traceId === traceId)
  const named = (name: string) => ofTrace().find((span) => span.name === name)
  await waitFor(
    async () => webhookSpanOf(ofTrace(), webhookOf('file.playable')),
    (span) => span !== undefined,
  )
  const request = named('PUT /uploads/:token')
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: 'b7ad6b7169203331',
    attributes: {
      'http.route': '/uploads/:token',
      'url.path': '/uploads/…',
      'zoetrope.request_id': 'traced-1',
    },
  })
  // The job ends after the event.
  const job = await waitFor(
    async () => named('job file.process'),
    (span) => span !== undefined,
  )
  expect(job).toMatchObject({
    kind: 5,
    attributes: { 'messaging.destination.name': 'file.process' },
  })
  // The job belongs to the request, and its work to the job.
  expect(job?.parentSpanId).toBe(request?.spanId)
  expect(ofTrace().filter(({ parentSpanId }) => parentSpanId === job?.spanId).length).toBeGreaterThan(0)
  expect(ofTrace().some(({ name }) => name.startsWith('blob '))).toBe(true)
  expect(ofTrace().some(({ name }) => /ff(mpeg|probe)$/.test(name))).toBe(true)
  expect(exports[0]).toEqual({ path: '/v1/traces', type: 'application/json', key: 'a b' })
  const line = (await readFile(join(folder, 'zoetrope.log'), 'utf8'))
    .split('\n')
    .find((one) => one.includes('"requestId":"traced-1"') && one.includes('"msg":"request"'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ traceId, path: '/uploads/…' })
  expect(JSON.stringify(spans)).not.toContain(created.body.Upload.URI.split('/').at(-1))
})

const webhookSpanOf = (found: readonly ReceivedSpan[], traceparent = ''): ReceivedSpan | undefined =>
  found.find(({ spanId, name }) => name === 'POST webhook' && traceparent.includes(spanId))

test('an id with other characters is replaced', async () => {
  for (const requestId of ['a b', 'x'.repeat(129), '<script>', 'a;b']) {
    const answer = await call('GET', '/projects', requestId)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  }
})

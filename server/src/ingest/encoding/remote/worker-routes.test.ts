import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import type { EncodeLadderJob } from '../../../library/files/queue/file-jobs.ts'
import { folderOfSegment, initBlob, segmentBlob } from '../../../library/files/media/media-blobs.ts'
import { createLog } from '../../../platform/log/log.ts'
import type { Chunking } from '../chunks/begin-chunks.ts'
import { createEncodeLadderHandler, type LadderDependencies } from '../handlers/encode-ladder-handler.ts'
import { askForLeftChunks } from './ask-for-local.ts'
import { leaseChunk } from './chunk-leases.ts'
import { releaseExpiredLeases } from './release-expired-leases.ts'
import { readJob, type RemoteJob } from './remote-task.ts'
import {
  countRemoteSlots,
  createRemoteWorker,
  listRemoteWorkers,
  resumeRemoteWorker,
  revokeRemoteWorker,
} from './remote-worker-store.ts'
import { runRemoteJob } from './worker/run-remote-job.ts'
import { connectServer, type JobConnection } from './worker/server-connection.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let folder: string
let projectId: number
let sample: Buffer
/** A file whose chunks all tests share. */
let ids: Ids
/** What an honest worker sends for its first chunk. */
let segments: Map<string, Buffer>
let worker: Awaited<ReturnType<typeof createRemoteWorker>>

const log = createLog({ level: 'silent' })
const never = new AbortController().signal
const firstTry = { number: 1, isLast: false }
const encoderSettings = { EncoderSettings: { Renditions: [{ Height: 64 }, { Height: 90 }] } }
const machine = { Version: '0.0.0', Ffmpeg: '7', Cores: 2, Slots: 1 }

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-remote-'))
  projectId = await hands.newProject(encoderSettings)
  sample = await makeSample({
    ...{ seconds: 24, size: '160x90', videoCodec: 'mpeg4' },
    extra: ['-r', '15000/1001', '-ar', '48000'],
  })
  worker = await createRemoteWorker(server.services.database.kysely, 'first')
  ids = await cut()
  segments = await encoded(await claim())
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  await server.services.database.sql`
    update encode_chunks set state = 'planned', claim = null, leased_until = null, remote_failures = 0`
  worker = await createRemoteWorker(server.services.database.kysely, 'one')
})

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const withRemote = (changed: Partial<Chunking> = {}): LadderDependencies => ({
  ...hands.dependencies,
  chunking: {
    minSourceSeconds: 10,
    chunkSeconds: 8,
    countEncoders: async () => 1,
    countRemoteEncoders: () => countRemoteSlots(server.workerDatabase.kysely),
    isRemoteOnly: true,
    ...changed,
  },
})

const takeJobs = async ({ fileId }: Ids): Promise<EncodeLadderJob[]> => {
  const rows = await server.services.database.sql<{ data: EncodeLadderJob }[]>`
    delete from pgboss.job
    where name = 'file.ladder' and state = 'created' and data->>'fileId' = ${String(fileId)}
    returning data`
  return rows.map(({ data }) => data)
}

const runLocal = async (file: Ids, chunking: Partial<Chunking> = {}): Promise<void> => {
  for (let jobs = await takeJobs(file); jobs.length > 0; jobs = await takeJobs(file))
    for (const job of jobs) await createEncodeLadderHandler(withRemote(chunking))(job, never, firstTry)
}

/** A file whose ladder waits for remote workers in three chunks. */
const cut = async (ofProject = projectId): Promise<Ids> => {
  const file = await hands.upload(ofProject, sample)
  await hands.process(file)
  await runLocal(file)
  return file
}

const chunksOf = ({ fileId }: Ids) =>
  server.services.database.kysely
    .selectFrom('encode_chunks')
    .selectAll()
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute()

const workerRow = async (id = worker.id) =>
  (await listRemoteWorkers(server.services.database.kysely)).find((row) => row.id === id)

const call = async (
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
) => {
  const { token = worker.token, body, headers = {} } = options
  const isBytes = body instanceof Uint8Array
  const response = await fetch(`${server.url}/v3/worker${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined
        ? {}
        : { 'Content-Type': isBytes ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isBytes ? (body as BodyInit) : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    reason: response.status >= 400 ? (JSON.parse(text) as { error: { reason: string } }).error.reason : null,
  }
}

const claim = async (token = worker.token): Promise<RemoteJob> => {
  const { status, text } = await call('POST', '/jobs', { token, body: machine })
  expect(status).toBe(200)
  const job = await readJob(JSON.parse(text))
  if (job === null) throw new Error(`not a job: ${text}`)
  return job
}

const put = (
  job: RemoteJob,
  rendition: number | string,
  index: number | string,
  bytes: Buffer,
  token = worker.token,
) =>
  call('PUT', `/jobs/${job.Claim}/segments/${rendition}/${index}`, {
    token,
    body: bytes,
    headers: { 'Content-Digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` },
  })

const connectionOf = (job: RemoteJob, token = worker.token): JobConnection =>
  connectServer(server.url, token, log).job(job)

/** Encodes honestly. `change` sees what is sent. */
const run = (job: RemoteJob, changed: Partial<JobConnection> = {}, token = worker.token): Promise<void> =>
  runRemoteJob(job, {
    ...{ connection: { ...connectionOf(job, token), ...changed } },
    ...{ workFolder: folder, slots: 1, signal: never, log },
  })

/** The segments that an honest worker would send. */
const encoded = async (job: RemoteJob): Promise<Map<string, Buffer>> => {
  const sent = new Map<string, Buffer>()
  await run(job, {
    putSegment: async (output, index, data) => void sent.set(`${output}/${index}`, data),
    done: async () => {},
  })
  return sent
}

const finish = async (file: Ids): Promise<void> => {
  for (;;) {
    const open = (await chunksOf(file)).filter(({ state }) => state === 'planned')
    if (open.length === 0) break
    await run(await claim())
  }
  await runLocal(file)
  expect(await hands.get(file)).toMatchObject({ Status: 'finished', EncodingProgress: 100, HasErrors: false })
}

const mediaOf = async ({ fileId }: Ids) => {
  const { generation } = await hands.rowOf(fileId)
  const row = await server.services.database.kysely
    .selectFrom('renditions')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('generation', '=', generation)
    .where('name', '=', '90p')
    .executeTakeFirstOrThrow()
  const count = (JSON.parse(row.segments) as unknown[]).length
  const keys = [
    initBlob(folderOfSegment(row, 0)),
    ...Array.from({ length: count }, (_, index) => segmentBlob(folderOfSegment(row, index), index)),
  ]
  const { blobs } = server.services
  return Promise.all(
    keys.map(async (key) =>
      createHash('sha256')
        .update(await blobs.read(key))
        .digest('hex'),
    ),
  )
}

test.each([
  ['no token', ''],
  ['a token that is none', 'zrw_1_abc'],
  ['the API key of an administrator', null],
  ['the token of another worker with its own id', undefined],
])('answers 401 to %s on every route', async (_what, given) => {
  const token = given === null ? server.apiKey : (given ?? worker.token.replace(/_\d+_/, '_999999_'))
  const id = crypto.randomUUID()
  for (const [method, path] of [
    ['POST', '/jobs'],
    ['POST', `/jobs/${id}/lease`],
    ['GET', `/jobs/${id}/source`],
    ['PUT', `/jobs/${id}/segments/0/0`],
    ['POST', `/jobs/${id}/done`],
    ['POST', `/jobs/${id}/failed`],
    ['DELETE', `/jobs/${id}`],
  ] as const)
    expect(await call(method, path, { token }), path).toMatchObject({
      status: 401,
      reason: 'worker_token_invalid',
    })
})

test('a worker token opens no other route of the API', async () => {
  for (const path of ['/projects', '/users', '/events', '/me'])
    expect((await server.call('GET', path, { apiKey: worker.token })).status, path).toBe(401)
})

test('a revoked token stops its running job and is refused', async () => {
  const job = await claim()
  const { kysely } = server.services.database
  await revokeRemoteWorker(kysely, worker.id)
  // Only paused workers can be resumed.
  expect(await resumeRemoteWorker(kysely, worker.id)).toBe(false)
  expect(await call('POST', `/jobs/${job.Claim}/lease`, { body: { DoneSeconds: 1 } })).toMatchObject({
    status: 401,
  })
  worker = await createRemoteWorker(server.services.database.kysely, 'two')
  const again = await claim()
  expect(again.Task.chunk).toEqual(job.Task.chunk)
  await run(again)
})

test('a job opens only its own source, by ranges', async () => {
  const job = await claim()
  const headers = { 'If-Match': job.Source.Etag, Range: 'bytes=10-19' }
  const part = await fetch(`${server.url}/v3/worker/jobs/${job.Claim}/source`, {
    headers: { Authorization: `Bearer ${worker.token}`, ...headers },
  })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(sample.subarray(10, 20))
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${sample.length}`)
  const source = (changed: Record<string, string>) =>
    call('GET', `/jobs/${job.Claim}/source`, { headers: { ...headers, ...changed } })
  expect(await source({ Range: `bytes=${sample.length}-` })).toMatchObject({ status: 416 })
  expect(await source({ Range: `bytes=${sample.length}-${sample.length + 1}` })).toMatchObject({
    status: 416,
  })
  expect(await source({ 'If-Match': '"another"' })).toMatchObject({ status: 409, reason: 'worker_job_lost' })
  const other = await createRemoteWorker(server.services.database.kysely, 'other')
  expect(await call('GET', `/jobs/${job.Claim}/source`, { headers, token: other.token })).toMatchObject({
    status: 409,
  })
  await call('DELETE', `/jobs/${job.Claim}`)
  expect(await source({})).toMatchObject({ status: 409 })
  expect(await chunksOf(ids)).toMatchObject([{ state: 'planned', remote_failures: 1 }, {}, {}])
})

const swapped = (sent: Map<string, Buffer>): Buffer => sent.get('0/0')!

test.each<[string, (job: RemoteJob, sent: Map<string, Buffer>) => ReturnType<typeof put>, number, string]>([
  ['frames of another time', (job, all) => put(job, 0, 1, swapped(all)), 400, 'worker_result_refused'],
  [
    'bytes that are no segment',
    (job) => put(job, 0, 0, Buffer.alloc(5_000, 7)),
    400,
    'worker_result_refused',
  ],
  [
    'a segment with a frame that is no picture',
    (job, all) => put(job, 0, 0, damaged(swapped(all))),
    400,
    'worker_result_refused',
  ],
  [
    'a segment with more boxes',
    (job, all) => put(job, 0, 0, Buffer.concat([swapped(all), Buffer.from('\0\0\0\u0008free')])),
    400,
    'worker_result_refused',
  ],
  ['a segment of another chunk', (job, all) => put(job, 0, 30, swapped(all)), 400, 'worker_result_refused'],
  [
    'a segment of no rendition of the job',
    (job, all) => put(job, 7, 0, swapped(all)),
    400,
    'worker_result_refused',
  ],
  ['a path as a name', (job, all) => put(job, 0, '..%2F..%2Finit.mp4', swapped(all)), 400, 'type_wrong'],
  ['too many bytes', (job) => put(job, 0, 0, Buffer.alloc(3_000_000)), 413, 'worker_segment_too_large'],
])('refuses %s; another worker gets the chunk', async (_what, lie, status, reason) => {
  const job = await claim()
  const answer = await lie(job, segments)
  expect(answer.status).toBe(status)
  if (reason !== 'type_wrong') expect(answer.reason).toBe(reason)
  const isRefused = status === 400 && reason !== 'type_wrong'
  expect((await chunksOf(ids))[0]).toMatchObject(
    isRefused ? { state: 'planned', remote_failures: 1 } : { state: 'running', remote_failures: 0 },
  )
})

/** The length of the first NAL unit exceeds its frame. */
const damaged = (segment: Buffer): Buffer => {
  const copy = Buffer.from(segment)
  const dataAt = copy.indexOf('mdat') + 4
  copy.writeUInt32BE(0x7fff_ffff, dataAt)
  return copy
}

test('refuses a body that does not have its hash, and keeps the job', async () => {
  const job = await claim()
  const answer = await call('PUT', `/jobs/${job.Claim}/segments/0/0`, {
    body: Buffer.from('other bytes'),
    headers: { 'Content-Digest': `sha-256=:${createHash('sha256').update('bytes').digest('base64')}:` },
  })
  expect(answer).toMatchObject({ status: 400, reason: 'worker_digest_wrong' })
  await run(job)
})

test('accepts a repeated segment, but no other content for it', async () => {
  const job = await claim()
  const first = segments.get('0/0')!
  expect((await put(job, 0, 0, first)).status).toBe(204)
  expect((await put(job, 0, 0, first)).status).toBe(204)
  // The last byte of a picture: the boxes stay valid.
  const changed = Buffer.from(first)
  changed[changed.length - 1]! ^= 1
  expect(await put(job, 0, 0, changed)).toMatchObject({ status: 409, reason: 'worker_job_lost' })
  await call('DELETE', `/jobs/${job.Claim}`)
})

test('refuses a result without all of its segments', async () => {
  const job = await claim()
  expect(await call('POST', `/jobs/${job.Claim}/done`, { body: {} })).toMatchObject({
    status: 400,
    reason: 'worker_result_refused',
  })
  expect(await chunksOf(ids)).toMatchObject([{ state: 'planned', remote_failures: 1 }, {}, {}])
})

test('refuses the late result of a worker whose lease has ended', async () => {
  const job = await claim()
  await server.services.database
    .sql`update encode_chunks set leased_until = now() - interval '1 second' where claim = ${job.Claim}`
  const other = await createRemoteWorker(server.services.database.kysely, 'other')
  const again = await claim(other.token)
  expect(again.Task.chunk).toEqual(job.Task.chunk)
  expect(await call('POST', `/jobs/${job.Claim}/lease`, { body: { DoneSeconds: 1 } })).toMatchObject({
    status: 200,
    text: '{"Action":"stop"}',
  })
  expect(await put(job, 0, 0, segments.get('0/0')!)).toMatchObject({ status: 409, reason: 'worker_job_lost' })
  expect(await call('POST', `/jobs/${job.Claim}/done`, { body: {} })).toMatchObject({ status: 409 })
  await run(again, {}, other.token)
})

test('a worker that renews its lease, but delivers nothing for hours, loses the chunk', async () => {
  const job = await claim()
  const renew = () => call('POST', `/jobs/${job.Claim}/lease`, { body: { DoneSeconds: 1 } })
  const age = () =>
    server.services.database
      .sql`update encode_chunks set delivered_at = now() - interval '3 hours' where claim = ${job.Claim}`
  await age()
  await put(job, 0, 0, segments.get('0/0')!)
  expect((await renew()).text).toBe('{"Action":"continue"}')
  await age()
  // It has delivered this segment before.
  await put(job, 0, 0, segments.get('0/0')!)
  expect((await renew()).text).toBe('{"Action":"stop"}')
})

test('offers the chunk of a dead worker to the local workers, and gives it to one of them after three failures', async () => {
  for (let failures = 1; failures <= 3; failures += 1) {
    const job = await claim()
    expect(job.Task.chunk.startFrame).toBe(0)
    await server.services.database
      .sql`update encode_chunks set leased_until = now() - interval '1 second' where claim = ${job.Claim}`
    await releaseExpiredLeases({ ...hands.dependencies })
    expect((await chunksOf(ids))[0]).toMatchObject({ state: 'planned', remote_failures: failures })
  }
  expect((await claim()).Task.chunk.startFrame).toBeGreaterThan(0)
  await server.services.database
    .sql`update encode_chunks set leased_until = now() - interval '1 second' where leased_until is not null`
  await releaseExpiredLeases({ ...hands.dependencies })
  await runLocal(ids)
  expect((await chunksOf(ids)).map(({ state }) => state)).toEqual(['done', 'planned', 'planned'])
})

test('pauses a worker after four refused results, until the operator resumes it', async () => {
  for (let count = 0; count < 4; count += 1) {
    const job = await claim()
    await call('POST', `/jobs/${job.Claim}/done`, { body: {} })
  }
  expect(await workerRow()).toMatchObject({ paused_because: 'Rendition 0 has 0 frames instead of 120.' })
  expect(await call('POST', '/jobs', { body: machine })).toMatchObject({
    status: 403,
    reason: 'worker_paused',
  })
})

test('stores what a worker writes without control characters', async () => {
  const answer = await call('POST', '/jobs', { body: { ...machine, Version: '\u001b[2J' } })
  expect(answer.status).toBe(400)
  for (let count = 0; count < 4; count += 1) {
    const job = await claim()
    await call('POST', `/jobs/${job.Claim}/failed`, {
      body: { Reason: '\u001b[2Jdisk\nfull', IsSourceAtFault: false },
    })
  }
  expect(await workerRow()).toMatchObject({ paused_because: '[2Jdisk full' })
})

test('a worker with another encoder gives its job back with a reason', async () => {
  const job = await claim()
  await run({ ...job, InitHashes: ['another'] })
  expect(await chunksOf(ids)).toMatchObject([{ state: 'planned', remote_failures: 1 }, {}, {}])
  expect(await workerRow()).toMatchObject({ refused_in_a_row: 1 })
})

test('a job carries no names, tracks or keys of the file', async () => {
  const { text } = await call('POST', '/jobs', { body: machine })
  expect(text).not.toMatch(/clip\.mp4|accountId|a1\/p|SoundHandler|master|secret/i)
})

test('a film that only remote workers encode has the same bytes as one of a local worker', async () => {
  // After all refused results of other tests.
  expect((await chunksOf(ids)).map(({ state }) => state)).toEqual(['planned', 'planned', 'planned'])
  await finish(ids)
  expect(await workerRow()).toMatchObject({
    done_count: 3,
    version: '0.0.0',
    cores: 2,
    slots: 1,
    paused_because: null,
  })
  const remote = await mediaOf(ids)

  await server.call('POST', `/projects/${projectId}/files/${ids.fileId}/retry?force=true`)
  await hands.process(ids)
  await runLocal(ids, {
    isRemoteOnly: false,
    countEncoders: async (where) => (where === 'everywhere' ? 2 : 1),
  })
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  expect(await mediaOf(ids)).toEqual(remote)
})

test('a segment that reaches the storage after the end of its lease changes nothing', async () => {
  const file = await cut()
  const job = await claim()
  const { blobs } = server.services
  const { put: store } = blobs
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const storing = vi.spyOn(blobs, 'put').mockImplementationOnce(async (key) => {
    reached.resolve()
    await released.promise
    return store(key, Buffer.from('other bytes'))
  })
  onTestFinished(() => storing.mockRestore())
  const late = put(job, 0, 0, segments.get('0/0')!)
  await reached.promise
  await server.services.database
    .sql`update encode_chunks set leased_until = now() - interval '1 second' where claim = ${job.Claim}`
  await releaseExpiredLeases({ ...hands.dependencies })
  await finish(file)
  const published = await mediaOf(file)
  released.resolve()
  expect(await late).toMatchObject({ status: 409, reason: 'worker_job_lost' })
  expect(await mediaOf(file)).toEqual(published)
})

test('a deleted file ends its remote jobs', async () => {
  const file = await cut()
  const job = await claim()
  await server.call('DELETE', `/projects/${projectId}/files/${file.fileId}`)
  expect(await call('POST', `/jobs/${job.Claim}/lease`, { body: { DoneSeconds: 1 } })).toMatchObject({
    text: '{"Action":"stop"}',
  })
  await runLocal(file)
  expect(await chunksOf(file)).toEqual([])
})

test('a deleted project ends its remote jobs, and its chunks wait', async () => {
  const ofProject = await hands.newProject(encoderSettings)
  const file = await cut(ofProject)
  const queued = async () =>
    (await server.call('GET', `/encodings?projectId=${ofProject}`)).body.Encodings.map(
      ({ State }: { State: string }) => State,
    )
  expect(await queued()).toEqual(['waiting'])
  const job = await claim()
  expect(await queued()).toEqual(['running'])
  await server.call('DELETE', `/projects/${ofProject}?cascade=true`)
  expect(await call('POST', `/jobs/${job.Claim}/lease`, { body: { DoneSeconds: 1 } })).toMatchObject({
    text: '{"Action":"stop"}',
  })
  expect(await leaseChunk(server.services.database, worker.id)).toBeNull()
  expect((await chunksOf(file)).map(({ state }) => state)).toEqual(['planned', 'planned', 'planned'])
})

test('a worker that is paused while it waits gets no chunk', async () => {
  const answer = call('POST', '/jobs', { body: machine })
  await waitFor(
    () => workerRow(),
    (row) => row?.last_seen_at !== null,
  )
  await server.services.database.sql`
    update remote_workers set paused_because = 'Refused.' where id = ${worker.id}`
  expect(await answer).toMatchObject({ status: 403, reason: 'worker_paused' })
})

test('local workers encode what was left to remote ones, once they may', async () => {
  const file = await cut()
  expect(await takeJobs(file)).toEqual([])
  await askForLeftChunks(server.workerDatabase, hands.dependencies.jobs)
  await runLocal(file, { isRemoteOnly: false })
  expect(await hands.get(file)).toMatchObject({ Status: 'finished' })
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { BlobStoreUnavailableError } from '../../../platform/blobs/blob-store.ts'

let server: TestServer
let projectId: number

const bytes = randomBytes(300_000)
const version = { 'Tus-Resumable': '1.0.0' }
const bodyType = { 'Content-Type': 'application/offset+octet-stream' }

beforeAll(async () => {
  server = await startTestServer({
    environment: { ZOETROPE_UPLOAD_MAX_BYTES: '1000000', ZOETROPE_PROJECT_QUOTA_BYTES: '2000000' },
  })
})

afterAll(() => server.stop())

beforeEach(async () => {
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Parts' } })).body.Id
})

const post = (
  headers: Record<string, string>,
  options: { project?: number; apiKey?: string; body?: Buffer } = {},
) =>
  request(`${server.url}/v3/projects/${options.project ?? projectId}/tus`, 'POST', {
    apiKey: options.apiKey ?? server.apiKey,
    headers: { ...version, ...headers },
    ...(options.body === undefined ? {} : { body: options.body }),
  })

const patch = (url: string, offset: number, body: Buffer) =>
  request(url, 'PATCH', { headers: { ...version, ...bodyType, 'Upload-Offset': String(offset) }, body })

const part = async (body: Buffer): Promise<string> => {
  const answer = await post({
    'Upload-Length': String(body.length),
    'Upload-Concat': 'partial',
    'Upload-Metadata': 'filename cGFydA==',
  })
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 201, body: '' })
  const url = answer.headers.get('location') ?? ''
  if (body.length > 1) expect((await patch(url, 0, body.subarray(0, 1))).status).toBe(204)
  expect((await patch(url, 1, body.subarray(1))).status).toBe(204)
  return url
}

const join = (urls: string[], options: { project?: number; apiKey?: string } = {}) =>
  post({ 'Upload-Concat': `final;${urls.join(' ')}`, 'Upload-Metadata': 'filename d2hvbGUubXA0' }, options)

const stored = (id: number) => server.services.blobs.read(`a1/p${projectId}/f${id}/source`)

test('parts become one file in the order of the request, in each notation of their URLs', async () => {
  const urls = [await part(bytes.subarray(0, 100_000)), await part(bytes.subarray(100_000))]
  const answer = await join([urls[0] ?? '', new URL(urls[1] ?? '').pathname])
  expect(answer.status).toBe(201)
  expect(answer.body.Metadata.OriginalFileName).toBe('whole.mp4')
  expect(await stored(answer.body.Id)).toEqual(bytes)
  const final = answer.headers.get('location') ?? ''
  const head = await request(final, 'HEAD', { headers: version })
  expect(Object.fromEntries(head.headers)).toMatchObject({
    'upload-length': String(bytes.length),
    'upload-offset': String(bytes.length),
    'upload-concat': `final;${urls[0]} ${new URL(urls[1] ?? '').pathname}`,
  })
  // "The Server MUST respond with the 403 Forbidden status to PATCH requests against a final upload URL."
  expect((await patch(final, bytes.length, Buffer.alloc(0))).status).toBe(403)
})

test('a part is reported as partial, and is not a file', async () => {
  const url = await part(bytes)
  const head = await request(url, 'HEAD', { headers: version })
  expect(Object.fromEntries(head.headers)).toMatchObject({
    'upload-concat': 'partial',
    'upload-length': String(bytes.length),
    'upload-offset': String(bytes.length),
    'upload-metadata': 'filename cGFydA==',
  })
  expect((await server.call('GET', `/projects/${projectId}/files`)).body.TotalCount).toBe(0)
})

test('joined parts are deleted with their bytes', async () => {
  const before = await server.services.stagings.disk.list()
  const urls = [await part(bytes), await part(bytes)]
  expect((await join(urls)).status).toBe(201)
  for (const url of urls) expect((await request(url, 'HEAD', { headers: version })).status).toBe(404)
  expect(await server.services.stagings.disk.list()).toEqual(before)
})

test('parts that cannot be joined answer 400 and stay', async () => {
  const whole = await part(bytes)
  const half =
    (await post({ 'Upload-Length': '10', 'Upload-Concat': 'partial' })).headers.get('location') ?? ''
  const file = (await post({ 'Upload-Length': '10' })).headers.get('location') ?? ''
  for (const urls of [
    [whole, half],
    [whole, file],
    [whole, `${server.url}/uploads/unknown`],
    ['nonsense'],
    [],
  ]) {
    const answer = await join(urls)
    expect({ status: answer.status, type: answer.body.error.type }).toEqual({ status: 400, type: 'invalid' })
  }
  for (const value of ['', 'final', 'finally;a', 'Partial'])
    expect((await post({ 'Upload-Length': '5', 'Upload-Concat': value })).status).toBe(400)
  expect((await join([whole])).status).toBe(201)
})

test('a part that is named twice answers 400, also under another notation of its URL, and nothing is copied', async () => {
  const [first, second] = [await part(bytes), await part(bytes)]
  const staged = await server.services.stagings.disk.list()
  for (const urls of [
    [first, first],
    [first, second, new URL(first).pathname],
    Array.from({ length: 100 }, () => first),
  ]) {
    const answer = await join(urls)
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe('repeated_upload_part')
  }
  expect(await server.services.stagings.disk.list()).toEqual(staged)
  expect((await join([first, second])).status).toBe(201)
})

test('parts of another project or account count as unknown', async () => {
  const url = await part(bytes)
  const other = (await server.call('POST', '/projects', { body: { Name: 'Other' } })).body.Id
  const unknown = await join([`${server.url}/uploads/${'a'.repeat(43)}`])
  const stranger = await server.newKey({ inNewAccount: true })
  const own = (await server.call('POST', '/projects', { body: { Name: 'Own' }, apiKey: stranger })).body.Id
  for (const answer of [
    await join([url], { project: other }),
    await join([url], { project: own, apiKey: stranger }),
  ])
    expect({ status: answer.status, message: answer.body.error.message }).toEqual({
      status: 400,
      message: unknown.body.error.message,
    })
})

test('a new project has the default quota of the installation, unless its request names another one or none', async () => {
  const create = async (fields: object) =>
    (await server.call('POST', '/projects', { body: { Name: 'Quota', ...fields } })).body
  expect((await create({})).StorageQuotaBytes).toBe(2_000_000)
  expect((await create({ StorageQuotaBytes: 5 })).StorageQuotaBytes).toBe(5)
  expect((await create({ StorageQuotaBytes: null })).StorageQuotaBytes).toBeNull()
  for (let index = 0; index < 2; index += 1)
    expect((await join([await part(Buffer.alloc(900_000))])).status).toBe(201)
  const more = await post({ 'Upload-Length': '300000', 'Upload-Concat': 'partial' })
  expect(more.body.error.type).toBe('quota_exceeded')
})

test('parts larger in total than the limit or the quota answer 413 and leave no file', async () => {
  const urls = [await part(bytes), await part(bytes)]
  const others = [await part(bytes), await part(bytes)]
  expect((await join([...urls, ...others])).status).toBe(413)
  await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: bytes.length } })
  expect((await join(urls)).status).toBe(413)
  expect((await server.call('GET', `/projects/${projectId}/files`)).body.TotalCount).toBe(0)
})

test('the joined file stays when its parts cannot be removed, and they expire', async () => {
  const urls = [await part(bytes.subarray(0, 100_000)), await part(bytes.subarray(100_000))]
  const { stagings, database } = server.services
  const { remove } = stagings.disk
  Object.assign(stagings.disk, { remove: () => Promise.reject(new BlobStoreUnavailableError('SlowDown')) })
  const answer = await join(urls).finally(() => Object.assign(stagings.disk, { remove }))
  expect(answer.status).toBe(201)
  expect((await stored(answer.body.Id)).equals(bytes)).toBe(true)
  expect((await server.call('GET', `/projects/${projectId}/files/${answer.body.Id}`)).status).toBe(200)
  await database.kysely
    .updateTable('upload_parts')
    .set({ expires_at: new Date(0) })
    .execute()
  await createHands(server).housekeeping()
  expect(await stagings.disk.list()).toEqual([])
})

test('a file is joined for good before its response is stored for an Idempotency-Key', async () => {
  const urls = [await part(bytes.subarray(0, 100_000)), await part(bytes.subarray(100_000))]
  const { secrets } = server.services
  const { seal } = secrets
  const refuse = (): never => {
    throw new Error('the response cannot be stored')
  }
  Object.assign(secrets, { seal: refuse })
  const answer = await post({
    'Upload-Concat': `final;${urls.join(' ')}`,
    'Idempotency-Key': 'join',
  }).finally(() => Object.assign(secrets, { seal }))
  expect(answer.status).toBe(201)
  expect((await stored(answer.body.Id)).equals(bytes)).toBe(true)
  expect((await server.call('GET', `/projects/${projectId}/files/${answer.body.Id}`)).status).toBe(200)
})

test('an Idempotency-Key repeats the creation of a part, and answers 409 for a part of another size', async () => {
  const create = (size: number) =>
    post({ 'Upload-Length': String(size), 'Upload-Concat': 'partial', 'Idempotency-Key': 'part' })
  const first = await create(10)
  const [repeated, other] = [await create(10), await create(20)]
  expect(repeated.headers.get('location')).toBe(first.headers.get('location'))
  expect({ status: other.status, reason: other.body.error?.reason }).toEqual({
    status: 409,
    reason: 'idempotency_key_reused',
  })
})

test('a part is terminated like an upload, and expires if it is never joined', async () => {
  const [ended, expired] = [await part(bytes), await part(bytes)]
  const { stagings, database } = server.services
  const staging = stagings.disk
  const before = (await staging.list()).length
  expect((await request(ended, 'DELETE', { headers: version })).status).toBe(204)
  expect((await request(ended, 'HEAD', { headers: version })).status).toBe(404)
  await createHands(server).housekeeping()
  expect((await staging.list()).length).toBe(before - 1)
  const left = (await staging.list()).length
  await database.kysely
    .updateTable('upload_parts')
    .set({ expires_at: new Date(0) })
    .execute()
  expect((await request(expired, 'HEAD', { headers: version })).status).toBe(404)
  await createHands(server).housekeeping()
  const parts = await database.kysely.selectFrom('upload_parts').select('staging_name').execute()
  expect(parts).toEqual([])
  expect((await staging.list()).length).toBeLessThan(left)
})

test('a part of a deleted project answers 404', async () => {
  const url = await part(bytes)
  await server.call('DELETE', `/projects/${projectId}`)
  expect((await request(url, 'HEAD', { headers: version })).status).toBe(404)
})

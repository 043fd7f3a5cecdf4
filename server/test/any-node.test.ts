import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openUploadStagings } from '../src/app/roles/services.ts'
import { createPullFileHandler, pullLimits } from '../src/ingest/uploads/pull/pull-file-handler.ts'
import { beginUpload } from '../src/ingest/uploads/test-support/half-upload.ts'
import { startSourceServer, staticSource } from '../src/ingest/uploads/test-support/source-server.ts'
import { createS3Client } from '../src/platform/blobs/s3/s3-client.ts'
import { createGuardedAgent } from '../src/platform/outbound/guarded-agent.ts'
import { startApiProcess, type ApiProcess } from './support/api-process.ts'
import { createHands } from './support/hands.ts'
import { s3Settings, startS3Server, type S3Server } from './support/s3-server.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let s3: S3Server | { readonly unavailable: string }
let here: TestServer
/** Shares only the database and the bucket. */
let there: ApiProcess
let projectId: number

beforeAll(async () => {
  s3 = await startS3Server()
  if ('unavailable' in s3) return
  const environment = s3Settings(s3)
  here = await startTestServer({ environment })
  there = await startApiProcess(here, environment)
  projectId = (await here.call('POST', '/projects', { body: { Name: 'Cluster' } })).body.Id
})

afterAll(async () => {
  if ('unavailable' in s3) return
  await there.remove()
  await here.stop()
  await s3.stop()
})

beforeEach((context) => {
  if ('unavailable' in s3) context.skip(s3.unavailable)
})

const MiB = 1024 * 1024
const tus = { 'Tus-Resumable': '1.0.0' }
const tusBody = { ...tus, 'Content-Type': 'application/offset+octet-stream' }
const sha256 = (data: Buffer, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(data).digest(encoding)

interface Uploading {
  readonly id: number
  /** The upload URL on both nodes. */
  readonly urls: readonly [string, string]
}

const onBoth = (uri: string): readonly [string, string] => {
  const { pathname } = new URL(uri)
  return [here.url + pathname, there.url + pathname]
}

const create = async (body: object = {}): Promise<Uploading> => {
  const { body: file } = await here.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'clip.mp4', ...body },
  })
  return { id: file.Id, urls: onBoth(file.Upload.URI) }
}

const patch = (url: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
  request(url, 'PATCH', { body, headers: { ...tusBody, 'Upload-Offset': String(offset), ...headers } })

const offsetAt = async (url: string, headers: Record<string, string> = tus): Promise<number> =>
  Number((await request(url, 'HEAD', { headers })).headers.get('upload-offset'))

const expectSource = async (id: number, bytes: Buffer): Promise<void> => {
  const source = await here.services.blobs.read(`a1/p${projectId}/f${id}/source`)
  expect(sha256(source)).toBe(sha256(bytes))
  const { body } = await here.call('GET', `/projects/${projectId}/files/${id}`)
  expect(body.Timings.UploadedAt).not.toBeNull()
}

/** Objects and multipart uploads that belong to no blob. */
const leftovers = async () => {
  const client = createS3Client(s3 as S3Server)
  const { bucket } = s3 as S3Server
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
  client.destroy()
  const { kysely } = here.services.database
  return [
    ...Uploads.map(({ Key }) => Key),
    ...(await here.services.blobs.list('uploads/')),
    ...(await kysely.selectFrom('staged_uploads').select('staging_name').execute()),
    ...(await readdir(join(here.dataFolder, 'uploads'))),
  ]
}

test('PATCH requests of tus continue on alternating nodes, and each node reports the offset', async () => {
  const bytes = randomBytes(19 * MiB)
  const { id, urls } = await create({ FileSize: bytes.length })
  const sizes = [100_000, 3 * MiB, 9 * MiB, 1, bytes.length]
  let offset = 0
  for (const [index, size] of sizes.entries()) {
    const chunk = bytes.subarray(offset, offset + size)
    const answer = await patch(urls[index % 2] ?? '', offset, chunk)
    offset += chunk.length
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(offset)])
    for (const url of urls) expect(await offsetAt(url)).toBe(offset)
  }
  await expectSource(id, bytes)
  expect(await leftovers()).toEqual([])
})

test('chunks of PUT continue on any node: a gap answers 409 with the offset, and known bytes are skipped', async () => {
  const bytes = randomBytes(300_000)
  const { id, urls } = await create({ Checksum: sha256(bytes) })
  const put = (url: string, first: number, end: number) =>
    request(url, 'PUT', {
      body: bytes.subarray(first, end),
      headers: { 'Content-Range': `bytes ${first}-${end - 1}/${bytes.length}` },
    })
  expect((await put(urls[0], 0, 100_000)).status).toBe(200)
  const gap = await put(urls[1], 200_000, 300_000)
  expect([gap.status, gap.headers.get('upload-offset')]).toEqual([409, '100000'])
  expect((await put(urls[1], 50_000, 200_000)).body.Offset).toBe(200_000)
  expect(await offsetAt(urls[0], {})).toBe(200_000)
  expect((await put(urls[0], 200_000, 300_000)).body).toMatchObject({ IsComplete: true })
  await expectSource(id, bytes)
  expect((await put(urls[1], 200_000, 300_000)).body).toMatchObject({ IsComplete: true })
})

test('a wrong checksum of the whole or of a request is found on whichever node the last byte arrives', async () => {
  const bytes = randomBytes(9 * MiB)
  const { urls } = await create({ FileSize: bytes.length, Checksum: sha256(randomBytes(1)) })
  expect((await patch(urls[0], 0, bytes.subarray(0, 100))).status).toBe(204)
  const wrong = { 'Upload-Checksum': `sha256 ${sha256(randomBytes(1), 'base64')}` }
  expect((await patch(urls[1], 100, bytes.subarray(100), wrong)).status).toBe(460)
  expect(await offsetAt(urls[0])).toBe(100)
  const last = await patch(urls[1], 100, bytes.subarray(100))
  expect(last.body.error.reason).toBe('upload_checksum_mismatch')
  expect(last.body.error.message).toContain(sha256(bytes))
  expect(await offsetAt(urls[0])).toBe(0)
  expect((await request(urls[1], 'DELETE', { headers: tus })).status).toBe(204)
})

test('of two requests with the same offset on two nodes, one wins and the other answers 409 or is cut', async () => {
  const [one, other] = [randomBytes(200_000), randomBytes(200_000)]
  const { id, urls } = await create({ FileSize: one.length })
  const cut = (error: unknown) => {
    expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } })
    return { status: 'cut' as const }
  }
  const answers = await Promise.all([patch(urls[0], 0, one).catch(cut), patch(urls[1], 0, other).catch(cut)])
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  expect([409, 'cut']).toContain(statuses.find((status) => status !== 204))
  await expectSource(id, statuses[0] === 204 ? one : other)
})

test('a request on another node takes over from a sender that is still connected, and keeps its bytes', async () => {
  const bytes = randomBytes(9 * MiB)
  const { id, urls } = await create({ FileSize: bytes.length })
  const half = beginUpload(urls[1], bytes, { sentBytes: 8 * MiB + 70_000 })
  await waitFor(
    () => offsetAt(urls[0], {}),
    (offset) => offset === 8 * MiB,
  )
  const offset = await offsetAt(urls[0])
  expect(offset).toBeGreaterThan(8 * MiB)
  await half.ended
  expect((await patch(urls[0], offset, bytes.subarray(offset))).status).toBe(204)
  await expectSource(id, bytes)
})

test('kill -9 of the node in the middle of a request loses no acknowledged byte, and the next node continues', async () => {
  const bytes = randomBytes(20 * MiB)
  const { id, urls } = await create({ FileSize: bytes.length, Checksum: sha256(bytes) })
  expect((await patch(urls[1], 0, bytes.subarray(0, 100_000))).status).toBe(204)
  expect((await patch(urls[1], 100_000, bytes.subarray(100_000, 200_000))).status).toBe(204)
  const half = beginUpload(urls[1], bytes.subarray(200_000), {
    sentBytes: 10 * MiB,
    method: 'PATCH',
    headers: { ...tusBody, 'Upload-Offset': '200000' },
  })
  await waitFor(
    () => offsetAt(urls[0], {}),
    (offset) => offset === 8 * MiB,
  )
  await there.kill()
  await half.ended
  const offset = await offsetAt(urls[0])
  expect(offset).toBe(8 * MiB)
  expect((await patch(urls[0], offset, bytes.subarray(offset))).status).toBe(204)
  await expectSource(id, bytes)
  await there.start()
})

test('termination on another node ends the writer and leaves nothing', async () => {
  const bytes = randomBytes(10 * MiB)
  const { urls } = await create({ FileSize: bytes.length })
  const half = beginUpload(urls[1], bytes, {
    sentBytes: 9 * MiB,
    method: 'PATCH',
    headers: { ...tusBody, 'Upload-Offset': '0' },
  })
  await waitFor(
    () => offsetAt(urls[0], {}),
    (offset) => offset === 8 * MiB,
  )
  expect((await request(urls[0], 'DELETE', { headers: tus })).status).toBe(204)
  await half.ended
  for (const url of urls) expect((await request(url, 'HEAD', { headers: tus })).status).toBe(404)
})

test('parts that were uploaded to different nodes are joined, and their bytes are deleted', async () => {
  const path = `/v3/projects/${projectId}/tus`
  const headers = { ...tus, Authorization: `Bearer ${here.apiKey}` }
  const data = [randomBytes(9 * MiB), randomBytes(100), randomBytes(6 * MiB)]
  const locations: string[] = []
  for (const [index, piece] of data.entries()) {
    const part = await request([here.url, there.url][index % 2] + path, 'POST', {
      body: piece.subarray(0, 50),
      headers: { ...headers, ...tusBody, 'Upload-Concat': 'partial', 'Upload-Length': String(piece.length) },
    })
    expect(part.status).toBe(201)
    const location = part.headers.get('location') ?? ''
    locations.push(location)
    expect((await patch(onBoth(location)[(index + 1) % 2] ?? '', 50, piece.subarray(50))).status).toBe(204)
  }
  const whole = await request(there.url + path, 'POST', {
    headers: { ...headers, 'Upload-Concat': `final;${locations.join(' ')}` },
  })
  expect(whole.status).toBe(201)
  await expectSource(whole.body.Id, Buffer.concat(data))
})

test('a pull that another worker began continues after its bytes', async () => {
  const bytes = randomBytes(10 * MiB)
  const source = await startSourceServer()
  const agent = createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true })
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-worker-'))
  try {
    const { services } = here
    const otherConfig = { ...services.config, dataFolder: folder }
    const stagings = [services.stagings, await openUploadStagings({ ...services, config: otherConfig })]
    const responses: ServerResponse[] = []
    const answer = staticSource({ bytes })
    const uri = source.serve('/clip.mp4', (asked, response) => {
      responses.push(response)
      if (responses.length > 1) return answer(asked, response)
      response.writeHead(200, { 'Content-Length': bytes.length, ETag: '"v1"' })
      response.write(bytes.subarray(0, 9 * MiB))
    })
    const { body: file } = await here.call('POST', `/projects/${projectId}/files`, {
      body: { SourceURI: uri },
    })
    for (const own of stagings) {
      const pull = await services.database.kysely
        .selectFrom('pulls')
        .selectAll()
        .where('file_id', '=', file.Id)
        .executeTakeFirstOrThrow()
      const handler = createPullFileHandler({
        database: here.workerDatabase,
        blobs: services.blobs,
        stagings: own,
        jobs: services.jobs,
        secrets: services.secrets.workers,
        publicUrl: here.url,
        agent,
        maxSizeBytes: bytes.length,
        limits: { ...pullLimits, retryDelaysMs: [1] },
      })
      const job = { accountId: pull.account_id, projectId, fileId: file.Id, pullId: pull.id }
      const running = handler({ ...job, attempt: pull.attempt }, new AbortController().signal)
      if (own === services.stagings) {
        await waitFor(
          () => services.database.kysely.selectFrom('staged_uploads').select('size_bytes').execute(),
          (rows) => rows.some(({ size_bytes }) => size_bytes === 8 * MiB),
        )
        responses[0]?.destroy()
      }
      await running
    }
    const [, range] = source.requests.map(({ headers }) => headers.range)
    expect(Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1])).toBeGreaterThanOrEqual(8 * MiB)
    await expectSource(file.Id, bytes)
  } finally {
    await agent.close()
    await source.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('housekeeping deletes the bytes of expired uploads and of deleted files, but not those of others', async () => {
  const { kysely } = here.services.database
  const bytes = randomBytes(9 * MiB)
  const [expired, deleted, kept] = [await create(), await create(), await create()]
  for (const { urls } of [expired, deleted, kept]) {
    expect((await patch(urls[0], 0, bytes)).status).toBe(204)
    expect((await patch(urls[1], bytes.length, bytes.subarray(0, 10))).status).toBe(204)
  }
  await kysely
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('file_id', '=', expired.id)
    .execute()
  await here.call('DELETE', `/projects/${projectId}/files/${deleted.id}`)
  await kysely
    .updateTable('staged_uploads')
    .set({ changed_at: new Date(Date.now() - 25 * 3_600_000) })
    .execute()
  await here.services.blobs.put('uploads/00000000-0000-4000-8000-000000000000/late', Buffer.from('x'))
  await createHands(here).housekeeping()

  // Only the third upload is left: its multipart upload, its row, and one object for each request.
  expect((await leftovers()).length).toBe(4)
  const end = { 'Upload-Length': String(bytes.length + 20) }
  expect((await patch(kept.urls[1], bytes.length + 10, bytes.subarray(0, 10), end)).status).toBe(204)
  await expectSource(kept.id, Buffer.concat([bytes, bytes.subarray(0, 10), bytes.subarray(0, 10)]))
})

test('a form is staged on its node, and nothing of all uploads is left', async () => {
  const bytes = randomBytes(200_000)
  const form = new FormData()
  form.set('file', new Blob([bytes]), 'form.mp4')
  const { status, body } = await request(`${there.url}/v3/projects/${projectId}/files`, 'POST', {
    body: form,
    apiKey: here.apiKey,
  })
  expect(status).toBe(201)
  await expectSource(body.Id, bytes)
  await expect.poll(leftovers).toEqual([])
})

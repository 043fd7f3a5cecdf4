import { randomBytes, randomUUID } from 'node:crypto'
import { appendFile, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

test('a request for the offset completes an upload whose last bytes are on disk but were never processed', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Interrupted' } })
  const files = `/projects/${project.body.Id}/files`
  const bytes = randomBytes(200_000)
  const created = await server.call('POST', files, { body: { FileName: 'clip.mp4', FileSize: bytes.length } })
  const uploadUrl: string = created.body.Upload.URI
  await request(uploadUrl, 'PUT', {
    body: bytes.subarray(0, 150_000),
    headers: { 'Content-Range': `bytes 0-149999/${bytes.length}` },
  })
  // Simulates a kill -9 between the last write and its commit.
  const [staged] = await readdir(join(server.dataFolder, 'uploads'))
  await appendFile(join(server.dataFolder, 'uploads', staged ?? ''), bytes.subarray(150_000))

  const { status, headers } = await request(uploadUrl, 'HEAD')
  expect({ status, offset: headers.get('upload-offset') }).toEqual({
    status: 200,
    offset: String(bytes.length),
  })
  const file = await server.call('GET', `${files}/${created.body.Id}`)
  expect(file.body.Timings.UploadedAt).not.toBeNull()
  const source = join(
    server.dataFolder,
    'media',
    'blobs',
    `a1/p${project.body.Id}/f${created.body.Id}/source`,
  )
  expect(await readFile(source)).toEqual(bytes)
  expect(await readdir(join(server.dataFolder, 'uploads'))).toEqual([])
})

test('an empty PATCH completes an upload whose bytes a kill -9 left in the media storage', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Moved' } })
  const files = `/projects/${project.body.Id}/files`
  const bytes = randomBytes(1_000)
  const created = await server.call('POST', files, { body: { FileName: 'clip.mp4', FileSize: bytes.length } })
  // Simulates a kill -9 between the move of the bytes and the commit.
  await server.services.blobs.put(`a1/p${project.body.Id}/f${created.body.Id}/source`, bytes)
  const { status, headers } = await request(created.body.Upload.URI, 'PATCH', {
    headers: {
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(bytes.length),
    },
    body: Buffer.alloc(0),
  })
  expect({ status, offset: headers.get('upload-offset') }).toEqual({ status: 204, offset: '1000' })
  const file = await server.call('GET', `${files}/${created.body.Id}`)
  expect(file.body.Timings.UploadedAt).not.toBeNull()
})

test('bytes with a checksum that a kill -9 left unverified do not count, whichever protocol resumes the upload', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Unchecked' } })
  const bytes = randomBytes(200_000)
  const { kysely } = server.services.database
  for (const method of ['PATCH', 'PUT'] as const) {
    const created = await server.call('POST', `/projects/${project.body.Id}/files`, {
      body: { FileName: 'clip.mp4' },
    })
    const url: string = created.body.Upload.URI
    const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }
    await request(url, 'PATCH', {
      headers: { ...tus, 'Upload-Offset': '0' },
      body: bytes.subarray(0, 150_000),
    })
    // Simulates a kill -9 in the middle of a PATCH with Upload-Checksum.
    const [staged] = await readdir(join(server.dataFolder, 'uploads'))
    await appendFile(join(server.dataFolder, 'uploads', staged ?? ''), randomBytes(70_000))
    await kysely
      .updateTable('uploads')
      .set({ unchecked_after: 150_000 })
      .where('staging_name', '=', staged ?? '')
      .execute()

    const { headers } = await request(url, 'HEAD', { headers: { 'Tus-Resumable': '1.0.0' } })
    expect(headers.get('upload-offset')).toBe('150000')
    const rest = bytes.subarray(150_000)
    const answer =
      method === 'PATCH'
        ? await request(url, 'PATCH', {
            headers: { ...tus, 'Upload-Offset': '150000', 'Upload-Length': '200000' },
            body: rest,
          })
        : await request(url, 'PUT', {
            headers: { 'Content-Range': 'bytes 150000-199999/200000' },
            body: rest,
          })
    expect(answer.headers.get('upload-offset')).toBe('200000')
    const key = `a1/p${project.body.Id}/f${created.body.Id}/source`
    expect(await server.services.blobs.read(key)).toEqual(bytes)
  }
})

test('leftovers of a remux of an upload are deleted after a day, and do not block other deletions', async () => {
  const folder = join(server.dataFolder, 'uploads')
  const names = [`remuxed-${randomUUID()}.mp4`, `remuxed-${randomUUID()}.mp4.whole`, randomUUID()]
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  for (const name of [...names, 'remuxed-new.mp4']) await writeFile(join(folder, name), 'media')
  for (const name of names) await utimes(join(folder, name), dayAgo, dayAgo)
  await createHands(server).housekeeping()
  const left = await readdir(folder)
  expect(left.filter((name) => names.includes(name))).toEqual([])
  expect(left).toContain('remuxed-new.mp4')
})

test('playlists send playlist.updated when a file leaves them because its upload expired', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Expires' } })
  const files = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', files, { body: { FileName: 'clip.mp4' } })
  const playlist = await server.call('POST', '/modules/playlists', {
    body: { Name: 'Waits', ProjectId: project.body.Id, Elements: [created.body.Id] },
  })
  expect(playlist.body.ElementCount).toBe(1)
  const { kysely } = server.services.database
  await kysely
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('file_id', '=', created.body.Id)
    .execute()
  await createHands(server).housekeeping()
  expect((await server.call('GET', `${files}/${created.body.Id}`)).status).toBe(404)
  const events = await kysely
    .selectFrom('events')
    .select(['name', 'record'])
    .where('project_id', '=', project.body.Id)
    .where('name', '=', 'playlist.updated')
    .execute()
  expect(events.map(({ record }) => JSON.parse(record))).toMatchObject([
    { Id: playlist.body.Id, ElementCount: 0 },
  ])
})

test('HEAD right after an interrupted PUT counts every received byte', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Broken off' } })
  const bytes = randomBytes(900_000)
  for (const sentBytes of [100_000, 700_000]) {
    const created = await server.call('POST', `/projects/${project.body.Id}/files`, {
      body: { FileName: 'clip.mp4', FileSize: bytes.length },
    })
    const url: string = created.body.Upload.URI
    const { hostname, port, pathname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(`PUT ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
    const staged = await readdir(join(server.dataFolder, 'uploads'))
    socket.write(bytes.subarray(0, 10_000))
    await waitFor(
      () => readdir(join(server.dataFolder, 'uploads')),
      (now) => now.length > staged.length,
    )
    await new Promise<void>((resolve) => {
      socket.write(bytes.subarray(10_000, sentBytes), () => resolve())
    })
    socket.destroy()
    const offset = (await request(url, 'HEAD')).headers.get('upload-offset')
    // This request always waits for the writer.
    const stored = await request(url, 'HEAD', { headers: { 'Tus-Resumable': '1.0.0' } })
    expect(Number(offset)).toBeGreaterThan(0)
    expect(offset).toBe(stored.headers.get('upload-offset'))
  }
})

test('HEAD in the middle of a PUT answers without interrupting it', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Under way' } })
  const bytes = randomBytes(900_000)
  const created = await server.call('POST', `/projects/${project.body.Id}/files`, {
    body: { FileName: 'clip.mp4', FileSize: bytes.length },
  })
  const url: string = created.body.Upload.URI
  const sending = httpRequest(url, { method: 'PUT', headers: { 'Content-Length': String(bytes.length) } })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sending.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sending.on('error', reject)
  })
  sending.write(bytes.subarray(0, 400_000))
  const head = await request(url, 'HEAD')
  expect(head.status).toBe(200)
  expect(Number(head.headers.get('upload-offset'))).toBeLessThanOrEqual(400_000)
  sending.end(bytes.subarray(400_000))
  expect(await answered).toBe(200)
})

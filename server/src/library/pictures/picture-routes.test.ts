import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSample } from '../../../test/support/media.ts'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { removeGarbage } from '../files/media/remove-garbage.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { hostilePictures, makePicture, withExif } from './test-support/sample-pictures.ts'

const run = promisify(execFile)

let server: TestServer
let projectId: number
let video: Buffer

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  video = await makeSample({ seconds: 3, size: '320x180' })
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Pictures' } })).body.Id
})

afterAll(() => server.stop())

interface Picture {
  readonly FilePictureId: number
  readonly URI: string
  readonly ThumbURI: string
  readonly SrcPictureURI: string
  readonly IsStandard: boolean
  readonly ManualUpload: boolean
}

const filesPath = (): string => `/projects/${projectId}/files`

const uploadVideo = async (bytes = video): Promise<string> => {
  const { body } = await server.call('POST', `${filesPath()}?fileName=clip.mp4`, {
    body: bytes,
    headers: { 'Content-Type': 'video/mp4' },
  })
  const path = `${filesPath()}/${body.Id}`
  await waitFor(
    () => server.call('GET', path),
    ({ body: file }) => file.IsFinished,
  )
  return path
}

/** Creates a file without bytes, which uploaded pictures do not need. */
const emptyFile = async (): Promise<string> => {
  const { body } = await server.call('POST', filesPath(), { body: { FileName: 'later.mp4' } })
  return `${filesPath()}/${body.Id}`
}

const upload = (path: string, bytes: Buffer, type = 'image/jpeg', query = ''): Promise<Answer> =>
  server.call('POST', `${path}/pictures${query}`, { body: bytes, headers: { 'Content-Type': type } })

const take = (path: string, body: object): Promise<Answer> =>
  server.call('POST', `${path}/pictures`, { body })

const standardOf = async (path: string): Promise<Picture | null> =>
  (await server.call('GET', path)).body.Metadata.StandardFilePicture

const bytesAt = async (uri: string): Promise<Buffer> => {
  const response = await fetch(uri)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  return Buffer.from(await response.arrayBuffer())
}

const storageBytes = async (): Promise<number> =>
  (await server.call('GET', `/projects/${projectId}`)).body.StorageBytes

const nothingIsLeft = async (): Promise<void> => {
  expect(await readdir(join(server.dataFolder, 'work')).catch(() => [])).not.toContainEqual(
    expect.stringMatching(/^picture-/),
  )
  const rows = await server.services.database.kysely.selectFrom('picture_requests').select('id').execute()
  expect(rows).toEqual([])
}

/** Runs housekeeping as if the grace period were over. */
const removeDiscardedNow = async (): Promise<void> => {
  const { database, blobs } = server.services
  await database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await removeGarbage({ database, blobs })
}

const meanLevels = async (jpeg: Buffer): Promise<number[]> => {
  const done = run(
    'ffmpeg',
    ['-v', 'error', '-i', '-', '-vf', 'scale=2:2:flags=area,format=gray', '-f', 'rawvideo', '-'],
    {
      encoding: 'buffer',
    },
  )
  done.child.stdin?.end(jpeg)
  return [...(await done).stdout]
}

describe('a frame of the video', () => {
  let path: string

  beforeAll(async () => {
    path = await uploadVideo()
  })

  test('becomes the standard picture and answers 201 with the record and its Location', async () => {
    const poster = await standardOf(path)
    const before = await server.call('GET', path)
    const { status, headers, body } = await take(path, { Position: 1.5 })
    expect(status).toBe(201)
    expect(body).toEqual({
      FilePictureId: expect.any(Number),
      AspectRatio: '16:9',
      AspectRatioClosest: '16:9',
      URI: expect.stringMatching(/\/poster\.jpg\?key=[0-9a-f]{32}$/),
      ThumbURI: expect.stringMatching(/\/thumb\.jpg\?key=[0-9a-f]{32}$/),
      SrcPictureURI: body.URI,
      IsStandard: true,
      ManualUpload: false,
    })
    expect(headers.get('location')).toBe(`${server.url}/v3${path}/pictures/${body.FilePictureId}`)
    const again = await server.call('GET', `${path}/pictures/${body.FilePictureId}`)
    expect(again.body).toEqual(body)
    expect(again.headers.get('etag')).toBe(headers.get('etag'))
    expect(await standardOf(path)).toEqual(body)
    expect((await server.call('GET', `${path}/pictures/${poster?.FilePictureId}`)).body.IsStandard).toBe(
      false,
    )
    const after = await server.call('GET', path)
    expect(after.body.LastUpdateAt > before.body.LastUpdateAt).toBe(true)
    for (const uri of [body.URI, body.ThumbURI, body.SrcPictureURI])
      expect((await bytesAt(uri)).length).toBeGreaterThan(500)
    await nothingIsLeft()
  })

  test('sends file.updated', async () => {
    await take(path, { Position: 0 })
    const rows = await server.services.database.kysely
      .selectFrom('events')
      .select(['name', 'record'])
      .where('file_id', '=', Number(path.split('/').at(-1)))
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(rows[0]?.name).toBe('file.updated')
    expect(JSON.parse(rows[0]?.record ?? '').Metadata.StandardFilePicture).toEqual(await standardOf(path))
  })

  test('depends on the position', async () => {
    const [first, second] = await Promise.all(
      [0, 2].map(async (Position) => (await take(path, { Position })).body as Picture),
    )
    expect(await bytesAt(first?.URI ?? '')).not.toEqual(await bytesAt(second?.URI ?? ''))
  })

  test('keeps the standard picture when IsStandard is false', async () => {
    const before = await standardOf(path)
    const { body } = await take(path, { Position: 1, IsStandard: false })
    expect(body.IsStandard).toBe(false)
    expect(await standardOf(path)).toEqual(before)
  })

  test.each([
    [{ Position: 3.5 }, /has no frame at/],
    [{ Position: 1_000_000 }, /has no frame at/],
    [{ Position: 1e300 }, /Position/],
    [{ Position: -0.1 }, /Position/],
    [{ Position: '1' }, /Position/],
    [{ Position: null }, /Position/],
    [{}, /Position/],
    [{ Position: 1, IsStandard: 'no' }, /IsStandard/],
  ])('answers 400 for %j', async (body, reason) => {
    const before = (await server.call('GET', `${path}/pictures`)).body.TotalCount
    const answer = await take(path, body)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(reason)
    expect((await server.call('GET', `${path}/pictures`)).body.TotalCount).toBe(before)
    await nothingIsLeft()
  })

  test('is taken once for repeated requests with the same Idempotency-Key', async () => {
    const options = { body: { Position: 1.1 }, headers: { 'Idempotency-Key': crypto.randomUUID() } }
    const first = await server.call('POST', `${path}/pictures`, options)
    const second = await server.call('POST', `${path}/pictures`, options)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
  })

  test('answers 409 for a file without bytes and 400 for a file without video', async () => {
    expectProblem(await take(await emptyFile(), { Position: 0 }), 'conflict')
    const audio = await makeSample({ seconds: 2, extra: ['-vn'] })
    const answer = await take(await uploadVideo(audio), { Position: 0 })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(/no video/)
  })
})

describe('an uploaded picture', () => {
  let path: string

  beforeEach(async () => {
    path = await emptyFile()
  })

  test.each([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['png', 'image/jpeg'],
    ['jpg', 'application/octet-stream'],
    ['webp', 'image/x-whatever'],
  ])('is re-encoded as JPEG when a %s is sent as %s', async (extension, type) => {
    const bytes = await makePicture({ extension, size: '640x480' })
    const { status, body } = await upload(path, bytes, type)
    expect(status).toBe(201)
    expect(body).toMatchObject({ AspectRatio: '4:3', IsStandard: true, ManualUpload: true })
    expect(await standardOf(path)).toEqual(body)
    for (const uri of [body.URI, body.ThumbURI, body.SrcPictureURI]) {
      const served = await bytesAt(uri)
      expect(served.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
      expect(served).not.toEqual(bytes)
    }
    await nothingIsLeft()
  })

  test('may come in a multipart form', async () => {
    const form = new FormData()
    form.set(
      'file',
      new Blob([new Uint8Array(await makePicture({ extension: 'png', size: '64x64' }))]),
      'a.svg',
    )
    form.set('IsStandard', 'false')
    await upload(path, await makePicture({ extension: 'jpg', size: '64x64' }))
    const { status, body } = await server.call('POST', `${path}/pictures`, { body: form })
    expect(status).toBe(201)
    expect(body).toMatchObject({ AspectRatio: '1:1', IsStandard: false, ManualUpload: true })
  })

  test('becomes the standard picture when it is the first, even with isStandard=false', async () => {
    const { body } = await upload(
      path,
      await makePicture({ extension: 'jpg', size: '64x64' }),
      'image/jpeg',
      '?isStandard=false',
    )
    expect(body.IsStandard).toBe(true)
  })

  test('is rotated upright and loses its metadata', async () => {
    const plain = await makePicture({ extension: 'jpg', size: '640x320', isCornerWhite: true })
    const { body } = await upload(path, withExif(plain, 6, 'Secret place 52.5N 13.4E'))
    expect(body.AspectRatio).toBe('1:2')
    const served = await bytesAt(body.URI)
    const levels = await meanLevels(served)
    expect(levels.findIndex((level) => level > 150)).toBe(1)
    for (const uri of [body.URI, body.ThumbURI, body.SrcPictureURI]) {
      const text = (await bytesAt(uri)).toString('latin1')
      expect(text).not.toMatch(/Exif|Secret place|http:\/\/ns\.adobe/)
    }
  })

  test('answers 413 above the limit', async () => {
    expectProblem(await upload(path, Buffer.alloc(60 * 1024 * 1024)), 'too_large')
    const form = new FormData()
    form.set('file', new Blob([Buffer.alloc(60 * 1024 * 1024)]), 'a.jpg')
    expectProblem(await server.call('POST', `${path}/pictures`, { body: form }), 'too_large')
  })

  test.each([
    ['text/html', '<p>'],
    ['text/plain', 'hello'],
    ['video/mp4', 'x'],
  ])('is rejected with the content type %s', async (type, body) => {
    expectProblem(
      await server.call('POST', `${path}/pictures`, { body, headers: { 'Content-Type': type } }),
      'unsupported_media_type',
    )
  })

  test('answers 400 without a body or without a file in the form', async () => {
    expectProblem(await server.call('POST', `${path}/pictures`), 'invalid')
    const form = new FormData()
    form.set('IsStandard', 'true')
    expectProblem(await server.call('POST', `${path}/pictures`, { body: form }), 'invalid')
  })
})

test('every hostile upload answers 400 with a message, changes nothing, and leaves no process or file', async () => {
  const path = await emptyFile()
  const storage = await storageBytes()
  const hostile = await hostilePictures()
  expect(hostile.length).toBeGreaterThanOrEqual(30)
  for (const [name, bytes] of hostile) {
    const answer = await upload(path, bytes)
    expect(`${name}: ${answer.status}`).toBe(`${name}: 400`)
    expectProblem(answer, 'invalid')
  }
  expect((await server.call('GET', `${path}/pictures`)).body.TotalCount).toBe(0)
  expect(await storageBytes()).toBe(storage)
  await nothingIsLeft()
  const { stdout } = await run('ps', ['-eo', 'args'])
  expect(stdout).not.toContain(join(server.dataFolder, 'work'))
  const left = await readdir(join(server.dataFolder, 'media'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile() && entry.parentPath.includes('/uploaded'))).toEqual([])
})

describe('the standard picture', () => {
  let path: string
  let pictures: Picture[]

  beforeEach(async () => {
    path = await emptyFile()
    const bytes = await makePicture({ extension: 'jpg', size: '64x64' })
    pictures = []
    for (let count = 0; count < 3; count += 1) pictures.push((await upload(path, bytes)).body)
  })

  const idOf = (index: number): number => pictures[index]?.FilePictureId ?? 0
  const put = (id: number, body: object, headers: Record<string, string> = {}) =>
    server.call('PUT', `${path}/pictures/${id}`, { body, headers })
  const remove = (id: number) => server.call('DELETE', `${path}/pictures/${id}`)

  test('is the one that PUT makes the standard picture', async () => {
    const { status, body } = await put(idOf(0), { IsStandard: true })
    expect(status).toBe(200)
    expect(body).toEqual({ ...pictures[0], IsStandard: true })
    const list = await server.call('GET', `${path}/pictures?sort=asc`)
    expect(list.body).toMatchObject({ TotalCount: 3, Limit: 50, Offset: 0, NextCursor: null })
    expect(list.body.Pictures.map((one: Picture) => one.IsStandard)).toEqual([true, false, false])
    expect(await standardOf(path)).toEqual(body)
  })

  test('accepts its unchanged record, and is replaced only by another picture', async () => {
    const standard = await standardOf(path)
    expect((await put(idOf(2), standard ?? {})).body).toEqual(standard)
    expect((await put(idOf(2), {})).status).toBe(200)
    expect((await put(idOf(0), { IsStandard: false })).body.IsStandard).toBe(false)
    expectProblem(await put(idOf(2), { IsStandard: false }), 'invalid')
    expectProblem(await put(idOf(2), { IsStandard: null }), 'invalid')
    expectProblem(await put(idOf(2), { IsStandard: 1 }), 'invalid')
  })

  test('is replaced by the newest remaining picture when it is deleted, and by null after the last', async () => {
    const deleted = await remove(idOf(2))
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ Id: idOf(2), IsEnabled: false, DeletedAt: expect.any(String) })
    expect((await standardOf(path))?.FilePictureId).toBe(idOf(1))
    await remove(idOf(0))
    expect((await standardOf(path))?.FilePictureId).toBe(idOf(1))
    await remove(idOf(1))
    expect(await standardOf(path)).toBeNull()
    expect((await server.call('GET', `${path}/pictures`)).body).toMatchObject({ Pictures: [], TotalCount: 0 })
    expectProblem(await remove(idOf(1)), 'not_found')
  })

  test('is not served after its deletion, and housekeeping deletes its blobs', async () => {
    const before = await storageBytes()
    const kept = await bytesAt(pictures[0]?.URI ?? '')
    const uri = pictures[2]?.URI ?? ''
    const size = (await bytesAt(uri)).length + (await bytesAt(pictures[2]?.ThumbURI ?? '')).length
    const blobs = await server.services.database.kysely
      .selectFrom('file_pictures')
      .select(['picture_blob', 'thumb_blob'])
      .where('id', '=', idOf(2))
      .executeTakeFirstOrThrow()
    await remove(idOf(2))
    expectProblem(await request(uri, 'GET'), 'not_found')
    expect(await storageBytes()).toBe(before - size)
    await removeDiscardedNow()
    for (const key of [blobs.picture_blob, blobs.thumb_blob])
      expect(await server.services.blobs.stat(key)).toBeNull()
    expect(await bytesAt(pictures[0]?.URI ?? '')).toEqual(kept)
  })

  test('is exactly one after concurrent changes', async () => {
    await Promise.all([0, 1, 2, 0, 1, 2].map((index) => put(idOf(index), { IsStandard: true })))
    const { body } = await server.call('GET', `${path}/pictures`)
    expect(body.Pictures.filter((one: Picture) => one.IsStandard)).toHaveLength(1)
    expect(await standardOf(path)).toEqual(body.Pictures.find((one: Picture) => one.IsStandard))
  })

  test('answers 412 for a stale If-Match', async () => {
    const stale = { 'If-Match': '"old"' }
    expectProblem(await put(idOf(0), { IsStandard: true }, stale), 'stale')
    expectProblem(await server.call('DELETE', `${path}/pictures/${idOf(0)}`, { headers: stale }), 'stale')
  })

  test('answers 404 under the path of another file', async () => {
    const other = await emptyFile()
    for (const method of ['GET', 'DELETE'])
      expectProblem(await server.call(method, `${other}/pictures/${idOf(0)}`), 'not_found')
    expectProblem(
      await server.call('PUT', `${other}/pictures/${idOf(0)}`, { body: { IsStandard: true } }),
      'not_found',
    )
  })
})

test('lets an uploader add pictures to its own files only', async () => {
  const uploader = await server.newKey({ role: 'Uploader' })
  const { body: own } = await server.call('POST', filesPath(), {
    body: { FileName: 'own.mp4' },
    apiKey: uploader,
  })
  const bytes = await makePicture({ extension: 'jpg', size: '64x64' })
  const headers = { 'Content-Type': 'image/jpeg' }
  const mine = await server.call('POST', `${filesPath()}/${own.Id}/pictures`, {
    body: bytes,
    headers,
    apiKey: uploader,
  })
  expect(mine.status).toBe(201)
  const theirs = `${await emptyFile()}/pictures`
  expectProblem(await server.call('POST', theirs, { body: bytes, headers, apiKey: uploader }), 'forbidden')
  const reader = await server.newKey({ role: 'Reader' })
  expectProblem(await server.call('POST', theirs, { body: bytes, headers, apiKey: reader }), 'forbidden')
})

test('answers 404 for pictures of a deleted file', async () => {
  const path = await emptyFile()
  const bytes = await makePicture({ extension: 'jpg', size: '64x64' })
  const { body } = await upload(path, bytes)
  await server.call('DELETE', path)
  expectProblem(await server.call('GET', `${path}/pictures`), 'not_found')
  expectProblem(await upload(path, bytes), 'not_found')
  expectProblem(await request(body.URI, 'GET'), 'not_found')
})

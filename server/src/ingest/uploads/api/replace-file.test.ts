import { readdir, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { countFrames, makeSample } from '../../../../test/support/media.ts'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { createProcessFileHandler } from '../../encoding/handlers/process-file-handler.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number
let oldVideo: Buffer
/** Plays without a ladder, which a replacement needs in few tests. */
let newVideo: Buffer
const text = Buffer.from('Dear diary, today I was a video.\n'.repeat(50))

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
  oldVideo = await hands.smallSample()
  newVideo = await makeSample({ seconds: 2, size: '284x160' })
})

afterAll(() => server.stop())

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const pathOf = ({ projectId: project, fileId }: Ids) => `/projects/${project}/files/${fileId}`

const replace = (
  ids: Ids,
  body: unknown = { FileName: 'new.mp4' },
  options: { headers?: Record<string, string>; apiKey?: string } = {},
): Promise<Answer> => server.call('PUT', `${pathOf(ids)}/replace`, { body, ...options })

const raw = { headers: { 'Content-Type': 'video/mp4' } }

const put = (answer: Answer, bytes: Buffer) => request(answer.body.Upload.URI, 'PUT', { body: bytes })

const finishedFile = async (bytes = oldVideo, body: object = {}): Promise<Ids> => {
  const ids = await hands.upload(projectId, bytes, body)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  return ids
}

const storageBytes = async (): Promise<number> =>
  (await server.call('GET', `/projects/${projectId}`)).body.StorageBytes

const removeDiscarded = async () => {
  await server.services.database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await hands.housekeeping()
}

const storedBytes = async (ids: Ids): Promise<number> => {
  const folder = `${server.dataFolder}/media/blobs/a1/p${ids.projectId}/f${ids.fileId}`
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(`${entry.parentPath}/${entry.name}`)).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('the old version plays until the new one is complete; id, playout and metadata stay', async () => {
  const withLadder = await hands.sample()
  const ids = await finishedFile(oldVideo, {
    Metadata: { Title: 'Kept', ReleaseStatus: 'published', Tags: ['a'] },
  })
  const before = await hands.get(ids)
  const hls = before.Playouts[0].HLS
  const answer = await replace(ids, { FileName: 'new version.mp4', FileSize: withLadder.length })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toMatch(/^"/)
  const { Upload, ...record } = answer.body
  expect(record).toEqual(before)
  expect(Upload).toMatchObject({ URI: expect.stringContaining('/uploads/'), ExpiresAt: expect.any(String) })
  expect((await put(answer, withLadder)).status).toBe(200)
  const begun = await hands.get(ids)
  expect(begun).toMatchObject({
    Status: 'playable',
    IsPlayable: true,
    IsFinished: false,
    Properties: before.Properties,
  })
  expect(begun.Metadata).toEqual(before.Metadata)
  await hands.process(ids)
  expect(await countFrames(hls)).toBe(90)
  expect((await hands.get(ids)).Renditions).toEqual(before.Renditions)
  expect((await hands.get(ids)).Metadata).toEqual(before.Metadata)
  await hands.ladder(ids)
  const after = await hands.get(ids)
  expect(await countFrames(hls)).toBe(60)
  expect(after).toMatchObject({
    Id: before.Id,
    Status: 'finished',
    Playouts: before.Playouts,
    Name: `${projectId}/${ids.fileId}/new_version.mp4`,
    Properties: { Length: expect.closeTo(2, 0), VideoWidth: 854, Size: withLadder.length },
  })
  expect(after.Metadata).toEqual({
    ...before.Metadata,
    OriginalFileName: 'new version.mp4',
    StandardFilePicture: after.Metadata.StandardFilePicture,
  })
  expect(after.Timings.UploadedAt).not.toBe(before.Timings.UploadedAt)
  // The automatic picture of the old source is replaced by one of the new source.
  const { StandardFilePicture: oldPicture } = before.Metadata
  const { StandardFilePicture: newPicture } = after.Metadata
  expect(newPicture.FilePictureId).not.toBe(oldPicture.FilePictureId)
  expect((await request(newPicture.URI, 'GET')).status).toBe(200)
  expect((await hands.eventsOf(ids.fileId)).slice(-4)).toEqual([
    'file.new',
    'file.encoding',
    'file.encoded',
    'file.replaced',
  ])
})

test('pictures chosen by a user stay the standard ones', async () => {
  const ids = await finishedFile()
  const { kysely } = server.services.database
  await kysely
    .updateTable('file_pictures')
    .set({ is_standard: false })
    .where('file_id', '=', ids.fileId)
    .execute()
  const { id: byHand } = await kysely
    .insertInto('file_pictures')
    .values({
      account_id: 1,
      file_id: ids.fileId,
      width_pixels: 16,
      height_pixels: 9,
      is_standard: true,
      manual_upload: true,
      picture_blob: `a1/p${projectId}/f${ids.fileId}/hand.jpg`,
      thumb_blob: `a1/p${projectId}/f${ids.fileId}/hand.jpg`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await put(await replace(ids), newVideo)
  await hands.finish(ids)
  expect((await hands.get(ids)).Metadata.StandardFilePicture.FilePictureId).toBe(byHand)
  const pictures = await kysely
    .selectFrom('file_pictures')
    .select(['id', 'is_standard', 'poster_of_generation'])
    .where('file_id', '=', ids.fileId)
    .orderBy('id')
    .execute()
  expect(pictures).toEqual([
    { id: byHand, is_standard: true, poster_of_generation: null },
    { id: expect.any(Number), is_standard: false, poster_of_generation: 2 },
  ])
})

test('nothing of the old version is left in the end, and every byte is counted', async () => {
  const ids = await finishedFile()
  const usedByOthers = (await storageBytes()) - (await storedBytes(ids))
  await put(await replace(ids), await hands.sample())
  await hands.finish(ids)
  await removeDiscarded()
  expect(await server.services.blobs.stat(`a1/p${projectId}/f${ids.fileId}/source`)).toBeNull()
  expect((await storageBytes()) - usedByOthers).toBe(await storedBytes(ids))
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))
  expect(await countFrames((await hands.get(ids)).Playouts[0].HLS)).toBe(60)
})

test.each<[string, (ids: Ids) => Promise<Answer>, string]>([
  ['the raw body', (ids) => replace(ids, newVideo, raw), 'clip.mp4'],
  [
    'the raw body with a name',
    (ids) => server.call('PUT', `${pathOf(ids)}/replace?fileName=raw.mp4`, { body: newVideo, ...raw }),
    'raw.mp4',
  ],
  [
    'a form',
    (ids) => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(newVideo)]), 'form.mp4')
      return replace(ids, form)
    },
    'form.mp4',
  ],
])('%s starts the new source at once', async (_way, send, name) => {
  const ids = await finishedFile()
  const answer = await send(ids)
  expect(answer).toMatchObject({ status: 200, body: { Id: ids.fileId, Status: 'playable' } })
  expect(answer.body.Upload).toBeUndefined()
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({
    Status: 'finished',
    Metadata: { OriginalFileName: name },
    Properties: { VideoWidth: 284 },
  })
})

test('X-Ignored-Fields lists the parts of a form that change nothing', async () => {
  const ids = await finishedFile()
  const { Metadata } = await hands.get(ids)
  const form = new FormData()
  form.append('Metadata', '{"Title": "New"}')
  form.append('ExternalId', 'a-1')
  form.append('file', new Blob([new Uint8Array(newVideo)]), 'form.mp4')
  const answer = await replace(ids, form)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-ignored-fields')).toBe('Metadata, ExternalId')
  expect(await hands.get(ids)).toMatchObject({ ExternalId: null, Metadata: { Title: Metadata.Title } })
})

describe('a new source that cannot be used', () => {
  test('leaves the old version playable, degraded, with a message; the next replacement repairs it', async () => {
    const ids = await finishedFile()
    const before = await hands.get(ids)
    const usedBefore = await storageBytes()
    await replace(ids, text, raw)
    await hands.process(ids)
    const after = await hands.get(ids)
    expect(after).toMatchObject({ Status: 'degraded', IsFinished: true, IsEncoded: true, HasErrors: true })
    expect(after.ErrorMessage).toMatch(
      /^The new source could not be used and the file plays as before: The file .*\.$/,
    )
    for (const field of ['Renditions', 'Properties', 'Metadata', 'Playouts', 'Checksum'])
      expect(after[field]).toEqual(before[field])
    expect(await storageBytes()).toBe(usedBefore)
    await removeDiscarded()
    expect(await countFrames(before.Playouts[0].HLS)).toBe(90)
    expect((await hands.eventsOf(ids.fileId)).slice(-2)).toEqual(['file.encoding', 'file.failed'])
    await replace(ids, newVideo, raw)
    await hands.finish(ids)
    expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false, ErrorMessage: null })
    await removeDiscarded()
    expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))
  })

  test('with the wrong checksum is refused, and the upload may be retried', async () => {
    const ids = await finishedFile()
    const answer = await replace(ids, { FileName: 'new.mp4', Checksum: '0'.repeat(64) })
    expectProblem(await put(answer, newVideo), 'invalid')
    expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
    expect((await request(answer.body.Upload.URI, 'HEAD')).headers.get('upload-offset')).toBe('0')
  })

  test.each([
    ['an empty body', Buffer.alloc(0), raw],
    ['JSON without a name', {}, {}],
    ['a wrong size', { FileName: 'a.mp4', FileSize: 0 }, {}],
    ['a list', [], {}],
    ['a SourceURI that is not a URL', { SourceURI: 'example.com/a.mp4' }, {}],
    ['a SourceURI in a private network', { SourceURI: 'http://10.0.0.1/a.mp4' }, {}],
  ])('%s answers 400', async (_what, body, options) => {
    const ids = await hands.upload(projectId, text)
    await hands.process(ids)
    expectProblem(await replace(ids, body, options), 'invalid')
  })
})

test('a failed file is replaced at once and becomes usable', async () => {
  const ids = await hands.upload(projectId, text)
  await hands.process(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'failed' })
  await put(await replace(ids, { FileName: 'better.mp4' }), newVideo)
  expect(await hands.get(ids)).toMatchObject({
    Status: 'created',
    HasErrors: false,
    Metadata: { OriginalFileName: 'better.mp4' },
  })
  await hands.finish(ids)
  await removeDiscarded()
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(await hands.eventsOf(ids.fileId)).toEqual([
    'file.created',
    'file.failed',
    'file.replaced',
    'file.uploaded',
    'file.encoding',
    'file.playable',
    'file.released',
    'file.encoded',
    'file.new',
  ])
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))
})

test('properties of a failed source do not carry over to its replacement', async () => {
  const ids = await hands.upload(projectId, await makeSample({ seconds: 2, videoCodec: 'mpeg4' }))
  const blobs = {
    ...server.services.blobs,
    put: () => Promise.reject(new Error('The disk is full.')),
  }
  await createProcessFileHandler({ ...hands.dependencies, blobs })(
    await hands.jobOf(ids),
    new AbortController().signal,
    { number: 21, isLast: true },
  )
  expect(await hands.get(ids)).toMatchObject({ Status: 'failed', Properties: { VideoFormat: 'mpeg4' } })
  const answer = await replace(ids, text, raw)
  expect(answer.body).toMatchObject({ Status: 'created', Properties: null })
  await hands.process(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'failed', Properties: null })
})

test('a file with a lost upload URL gets a new one; the old one is void', async () => {
  const { body: created } = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'lost.mp4' },
  })
  const ids = { projectId, fileId: created.Id }
  await request(created.Upload.URI, 'PUT', {
    body: oldVideo.subarray(0, 100),
    headers: { 'Content-Range': `bytes 0-99/${oldVideo.length}` },
  })
  const answer = await replace(ids, { FileName: 'found.mp4' })
  expect(answer.body).toMatchObject({ Status: 'created' })
  expect((await request(created.Upload.URI, 'PUT', { body: oldVideo })).status).toBe(404)
  expect((await put(answer, newVideo)).status).toBe(200)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({
    Status: 'finished',
    Metadata: { OriginalFileName: 'found.mp4' },
    Properties: { VideoWidth: 284 },
  })
  expect((await hands.eventsOf(ids.fileId)).filter((name) => name === 'file.replaced')).toEqual([])
})

describe('a second replacement', () => {
  test('replaces one whose upload is not complete', async () => {
    const ids = await finishedFile()
    const first = await replace(ids)
    const second = await replace(ids)
    expect((await put(first, text)).status).toBe(404)
    expect((await put(second, newVideo)).status).toBe(200)
    await hands.finish(ids)
    expect(await hands.get(ids)).toMatchObject({ Status: 'finished', Properties: { VideoWidth: 284 } })
  })

  test('answers 409 while the first one is processed', async () => {
    const ids = await finishedFile()
    await put(await replace(ids), newVideo)
    expectProblem(await replace(ids), 'conflict')
    expectProblem(await replace(ids, newVideo, raw), 'conflict')
    await hands.finish(ids)
    expect((await replace(ids)).status).toBe(200)
  })

  test('sent many times at once succeeds exactly once', async () => {
    const ids = await finishedFile()
    const uploads = await Promise.all([replace(ids), replace(ids), replace(ids), replace(ids)])
    expect(uploads.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const statuses = (await Promise.all(uploads.map((one) => put(one, newVideo)))).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404, 404, 404])
    await hands.finish(ids)
    await removeDiscarded()
    expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
    expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))
  })

  test('whose bytes arrive while the file is encoded again takes precedence over that', async () => {
    const ids = await finishedFile()
    const upload = await replace(ids)
    await server.call('POST', `${pathOf(ids)}/retry?force=true`)
    const superseded = await hands.jobOf(ids)
    await hands.processJob({ ...superseded })
    // The first encoding is finished, because the small sample needs no ladder. The forced one is
    // interrupted.
    await server.call('POST', `${pathOf(ids)}/retry?force=true`)
    const job = await hands.jobOf(ids)
    expect((await put(upload, newVideo)).status).toBe(200)
    await hands.processJob(job)
    expect(await hands.get(ids)).toMatchObject({ Status: 'playable', Properties: { VideoWidth: 320 } })
    await hands.finish(ids)
    await removeDiscarded()
    expect(await hands.get(ids)).toMatchObject({ Status: 'finished', Properties: { VideoWidth: 284 } })
    expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(await storedBytes(ids))
  })
})

test('an upload that expires leaves the file unchanged and deletes its own data', async () => {
  const ids = await finishedFile()
  const before = await hands.get(ids)
  const answer = await replace(ids)
  await request(answer.body.Upload.URI, 'PUT', {
    body: newVideo.subarray(0, 100),
    headers: { 'Content-Range': `bytes 0-99/${newVideo.length}` },
  })
  await server.services.database.kysely
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('file_id', '=', ids.fileId)
    .where('completed_at', 'is', null)
    .execute()
  await hands.housekeeping()
  expect(await hands.get(ids)).toEqual(before)
  expect((await request(answer.body.Upload.URI, 'HEAD')).status).toBe(404)
})

test('a replacement above the quota answers 413 for every kind of request, and changes nothing', async () => {
  const ids = await finishedFile()
  const before = await hands.get(ids)
  const pending = await replace(ids, { FileName: 'a.mp4' })
  await server.call('PUT', `/projects/${projectId}`, {
    body: { StorageQuotaBytes: (await storageBytes()) + 1_000 },
  })
  expectProblem(await replace(ids, newVideo, raw), 'quota_exceeded')
  expectProblem(await put(pending, newVideo), 'quota_exceeded')
  expectProblem(await replace(ids, { FileName: 'a.mp4', FileSize: newVideo.length }), 'quota_exceeded')
  expect(await hands.get(ids)).toEqual(before)
  await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: null } })
  expect((await replace(ids, newVideo, raw)).status).toBe(200)
})

test('the next request for the upload repairs a crash between the last byte and the commit', async () => {
  const ids = await finishedFile()
  const answer = await replace(ids, { FileName: 'new.mp4', FileSize: newVideo.length })
  const { staging_name, source_name } = await server.services.database.kysely
    .selectFrom('uploads')
    .select(['staging_name', 'source_name'])
    .where('file_id', '=', ids.fileId)
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow()
  expect(source_name).toBe(`source-${staging_name}`)
  await server.services.blobs.put(`a1/p${projectId}/f${ids.fileId}/${source_name}`, newVideo)
  const head = await request(answer.body.Upload.URI, 'HEAD')
  expect(head.headers.get('upload-offset')).toBe(String(newVideo.length))
  expect(await hands.get(ids)).toMatchObject({ Status: 'playable' })
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', Properties: { VideoWidth: 284 } })
})

test('an audio file may replace a video, which removes the picture of the old source', async () => {
  const ids = await finishedFile()
  const audio = await makeSample({ seconds: 2, extra: ['-vn'] })
  await replace(ids, audio, raw)
  await hands.finish(ids)
  const after = await hands.get(ids)
  expect(after).toMatchObject({ Status: 'finished', Properties: { VideoWidth: null } })
  expect(after.Metadata.StandardFilePicture).toBeNull()
})

test('an old version in If-Match answers 412, an unknown file 404', async () => {
  const ids = await finishedFile()
  expectProblem(await replace(ids, { FileName: 'a.mp4' }, { headers: { 'If-Match': '"1-1"' } }), 'stale')
  expectProblem(await replace({ projectId, fileId: 999_999 }), 'not_found')
  expectProblem(await replace({ projectId, fileId: 999_999 }, newVideo, raw), 'not_found')
  expectProblem(await replace({ projectId: await hands.newProject(), fileId: ids.fileId }), 'not_found')
})

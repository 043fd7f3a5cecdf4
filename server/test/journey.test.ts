import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@zoetrope/webhook-signature'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

let server: TestServer
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ withWorker: true, environment: { ZOETROPE_RETENTION_DAYS: '0' } })
})

afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

const listFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const upload = async (projectId: number, fileName: string, bytes: Buffer) => {
  const created = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: fileName, FileSize: bytes.length },
  })
  expect(created.status).toBe(201)
  const put = await request(created.headers.get('location') ?? '', 'PUT', { body: bytes })
  expect(put.body).toEqual({ Offset: bytes.length, Size: bytes.length, IsComplete: true })
  return created.body.Id as number
}

const finished = (projectId: number, fileId: number) =>
  waitFor(
    () => server.call('GET', `/projects/${projectId}/files/${fileId}`),
    ({ body }) => body.IsFinished === true,
  )

test('an uploaded video plays, and its webhook receiver gets a signed file.new', async () => {
  const hook = await server.call('POST', '/modules/notifications', {
    body: { TargetURL: `${receiver.url}?source=zoetrope`, EventTypes: ['file.*'] },
  })
  expect(hook.status).toBe(201)
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Campaign', DefaultReleaseStatus: 'published' },
  })
  const fileId = await upload(project.body.Id, 'clip.mp4', await makeSample({ seconds: 9, size: '854x480' }))

  const delivery = await receiver.next('file.new')
  expect(delivery.query.get('source')).toBe('zoetrope')
  expect(delivery.query.get('ProjectId')).toBe(String(project.body.Id))
  expect(delivery.query.get('FileId')).toBe(String(fileId))
  expect(delivery.query.get('event')).toBe('file.new')
  const headers = delivery.headers as Record<string, string>
  expect(() => new Webhook(hook.body.Secret).verify(delivery.body, headers)).not.toThrow()
  expect(() => verify({ headers, body: delivery.body, secrets: [hook.body.Secret] })).not.toThrow()

  const { body: file } = await server.call('GET', `/projects/${project.body.Id}/files/${fileId}`)
  expect(delivery.event.File).toEqual(file)
  expect(file).toMatchObject({
    Status: 'finished',
    IsFinished: true,
    IsEncoded: true,
    HasErrors: false,
    EncodingProgress: 100,
    Metadata: { Title: 'clip', OriginalFileName: 'clip.mp4', CustomMetadata: { adsDisabled: false } },
    Properties: { VideoFormat: 'h264', VideoWidth: 854, VideoHeight: 480, AudioFormat: 'aac' },
  })
  expect(file.Properties.Length).toBeCloseTo(9, 1)
  const names = receiver.received.map(({ event }) => event.Event)
  expect(names.slice(0, 7)).toEqual([
    'file.created',
    'file.uploaded',
    'file.encoding',
    'file.playable',
    'file.released',
    'file.encoded',
    'file.new',
  ])
  expect(receiver.received.map(({ event }) => event.Sequence).slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])

  const picture = await request(file.Metadata.StandardFilePicture.URI, 'GET')
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-type')).toBe('image/jpeg')
  expect(await countFrames(file.Playouts[0].HLS)).toBe(270)
  expect(await countFrames(file.Playouts[0].DASH)).toBe(270)
})

test('a source that no browser plays becomes playable while it is encoded, and ends finished', async () => {
  const project = await server.call('POST', '/projects', {
    body: { Name: 'HEVC', DefaultReleaseStatus: 'published' },
  })
  const bytes = await makeSample({
    seconds: 6,
    size: '854x480',
    videoCodec: 'libx265',
    format: 'mkv',
    extra: ['-preset', 'ultrafast', '-x265-params', 'log-level=error'],
  })
  const fileId = await upload(project.body.Id, 'holiday.mkv', bytes)
  const { body: file } = await finished(project.body.Id, fileId)
  expect(file).toMatchObject({ Status: 'finished', ErrorMessage: null })
  expect(file.Renditions.map(({ Name }: { Name: string }) => Name).sort()).toEqual(['360p', '480p', 'audio'])
  // Matroska rounds timestamps to milliseconds: a constant frame rate may need one more frame to cover them.
  expect([180, 181]).toContain(await countFrames(file.Playouts[0].HLS))
  const playlist = await request(file.Playouts[0].HLS, 'GET')
  // Two renditions, plus audio only for connections that are too slow for video.
  expect(playlist.body.match(/#EXT-X-STREAM-INF/g)).toHaveLength(3)
})

test('an MKV with browser codecs is remuxed without encoding', async () => {
  const project = await server.call('POST', '/projects', {
    body: { Name: 'MKV', DefaultReleaseStatus: 'published' },
  })
  const fileId = await upload(project.body.Id, 'clip.mkv', await makeSample({ seconds: 6, format: 'mkv' }))
  const { body: file } = await finished(project.body.Id, fileId)
  expect(file.Renditions.map(({ Name }: { Name: string }) => Name)).toEqual(['source', 'source'])
  expect(await countFrames(file.Playouts[0].HLS)).toBe(180)

  // The source has three GOPs of two seconds. A clip of the second one is a stream copy, so it only needs
  // remuxing.
  const clip = await server.call('POST', `/projects/${project.body.Id}/files/${fileId}/clips`, {
    body: { StartTime: 2.5, EndTime: 4 },
  })
  const { body: cut } = await finished(project.body.Id, clip.body.Id)
  expect(cut).toMatchObject({ Status: 'finished', Source: { Kind: 'clip' }, Metadata: { Title: 'clip' } })
  const frames = await countFrames(cut.Playouts[0].HLS)
  expect(Math.abs(frames - 60)).toBeLessThanOrEqual(3)
})

test('an audio-only file plays', async () => {
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Audio', DefaultReleaseStatus: 'published' },
  })
  const sample = await makeSample({
    seconds: 6,
    format: 'wav',
    audioCodec: 'pcm_s16le',
    videoCodec: 'rawvideo',
    extra: ['-vn'],
  })
  const fileId = await upload(project.body.Id, 'podcast.wav', sample)
  const { body: file } = await finished(project.body.Id, fileId)
  expect(file).toMatchObject({ Status: 'finished', Metadata: { StandardFilePicture: null } })
  const playlist = await request(file.Playouts[0].HLS, 'GET')
  expect(playlist.body).toContain('mp4a.40.2')
})

test('a text file named as a video fails with a readable message', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Text' } })
  const fileId = await upload(
    project.body.Id,
    'fake.mp4',
    Buffer.from('this is no video at all\n'.repeat(100)),
  )
  const { body: file } = await finished(project.body.Id, fileId)
  expect(file).toMatchObject({ Status: 'failed', HasErrors: true, IsEncoded: false })
  expect(file.ErrorMessage).toMatch(/^The file .*\.$/)
})

test('an unpublished file answers viewers with 404 and plays through its signed URL', async () => {
  const project = await server.call('POST', '/projects', { body: { Name: 'Unpublished' } })
  const fileId = await upload(project.body.Id, 'clip.mp4', await makeSample({ seconds: 3 }))
  const { body: file } = await finished(project.body.Id, fileId)
  expect((await request(file.Playouts[0].HLS, 'GET')).status).toBe(404)
  const { body } = await server.call('GET', `/projects/${project.body.Id}/files/${fileId}/playouts`)
  expect(await countFrames(body.Playouts[0].Preview.HLS)).toBe(90)
  const tampered = body.Playouts[0].Preview.HLS.replace(/\/s\/([^/]+)\//, '/s/$1x/')
  expect((await request(tampered, 'GET')).status).toBe(403)
})

test('a deleted file disappears from the API and from playout, and its media is removed', async () => {
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Gone', DefaultReleaseStatus: 'published' },
  })
  const fileId = await upload(project.body.Id, 'clip.mp4', await makeSample({ seconds: 3 }))
  const { body: file } = await finished(project.body.Id, fileId)
  const media = join(server.dataFolder, 'media')
  const ofFile = async () => (await listFiles(media)).filter((path) => path.includes(`/p${project.body.Id}/`))
  expect((await ofFile()).length).toBeGreaterThan(2)
  const deleted = await server.call('DELETE', `/projects/${project.body.Id}/files/${fileId}`)
  expect(deleted.status).toBe(200)
  expect(deleted.body).toMatchObject({ Id: fileId, IsEnabled: false })
  expect((await server.call('GET', `/projects/${project.body.Id}/files/${fileId}`)).status).toBe(404)
  expect((await request(file.Playouts[0].HLS, 'GET')).status).toBe(404)
  expect((await request(file.Metadata.StandardFilePicture.URI, 'GET')).status).toBe(404)
  await waitFor(ofFile, (left) => left.length === 0)
  const after = await server.call('GET', `/projects/${project.body.Id}`)
  expect(after.body).toMatchObject({ FileCount: 0, StorageBytes: 0 })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  // Without a worker, only the process that receives the bytes can list what plays.
  server = await startTestServer()
})

afterAll(() => server.stop())

const upload = async (bytes: Buffer, settings: object = {}) => {
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Plain', DefaultReleaseStatus: 'published', EncoderSettings: settings },
  })
  const files = `/projects/${project.body.Id}/files`
  const created = await server.call('POST', files, { body: { FileName: 'a.mp4' } })
  const { status } = await request(created.body.Upload.URI, 'PUT', { body: bytes })
  expect(status).toBe(200)
  const { body: file } = await server.call('GET', `${files}/${created.body.Id}`)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select('name')
    .where('file_id', '=', file.Id)
    .orderBy('sequence')
    .execute()
  const names = events.map(({ name }) => name)
  return { file, names }
}

test('a plain MP4 plays when its upload is answered', async () => {
  const { file, names } = await upload(await makeSample({ seconds: 3 }))
  expect(file).toMatchObject({
    Status: 'playable',
    IsPlayable: true,
    Properties: { Length: 3, VideoFormat: 'h264', VideoFPS: 30, AudioFormat: 'aac' },
  })
  expect(names).toEqual([
    ...['file.created', 'file.uploaded', 'file.encoding', 'file.playable', 'file.released'],
  ])
  const playlist = await (await fetch(file.Playouts[0].HLS)).text()
  const media = new URL(/^[^#].*$/m.exec(playlist)?.[0] ?? '', file.Playouts[0].HLS)
  const segments = (await (await fetch(media)).text()).match(/^[^#].*$/gm)
  expect((await fetch(new URL(segments?.[0] ?? '', media))).status).toBe(200)
})

test('a plain MP4 waits for a worker where settings change its sound', async () => {
  const { file } = await upload(await makeSample({ seconds: 3 }), { NormalizeLoudness: true })
  expect(file).toMatchObject({ Status: 'created', IsPlayable: false })
})

test('a source that is no plain movie waits for a worker', async () => {
  for (const bytes of [
    await makeSample({ seconds: 1, extra: ['-metadata:s:a:0', 'title=Main'] }),
    await makeSample({ seconds: 1, extra: ['-movflags', '+frag_keyframe+empty_moov'] }),
    Buffer.from('no movie'),
  ]) {
    const { file } = await upload(bytes)
    expect(file).toMatchObject({ Status: 'created', IsPlayable: false })
  }
})

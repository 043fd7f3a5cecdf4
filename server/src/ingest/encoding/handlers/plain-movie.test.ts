import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMedia, makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { contradictedIndex } from '../test-support/bad-media.ts'

let server: TestServer
let files: string

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Plain', DefaultReleaseStatus: 'published' },
  })
  files = `/projects/${project.body.Id}/files`
})

afterAll(() => server.stop())

const untilFinished = async (path: string) =>
  (
    await waitFor(
      () => server.call('GET', path),
      ({ body }) => body.IsFinished === true,
    )
  ).body

const upload = async (bytes: Buffer): Promise<string> => {
  const created = await server.call('POST', files, { body: { FileName: 'a.mp4' } })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  return `${files}/${created.body.Id}`
}

test('a plain MP4 plays with the properties that ffprobe confirms', async () => {
  const path = await upload(await makeSample({ seconds: 3, size: '320x180' }))
  const playable = await waitFor(
    () => server.call('GET', path),
    ({ body }) => body.IsPlayable === true,
  )
  const file = await untilFinished(path)
  expect(file).toMatchObject({ HasErrors: false, Properties: { VideoFormat: 'h264', VideoFPS: 30 } })
  expect(playable.body.Properties).toEqual(file.Properties)
})

test('a plain MP4 whose sound begins after more bytes than ffprobe reads is finished', async () => {
  const video = 'testsrc2=size=1280x720:rate=30:duration=2,noise=alls=100:allf=t,format=yuv420p'
  const rate = ['-b:v', '60M', '-minrate', '60M', '-maxrate', '60M', '-bufsize', '60M']
  const bytes = await makeMedia(
    [
      ...['-f', 'lavfi', '-i', video, '-itsoffset', '1.2', '-f', 'lavfi', '-i', 'sine=duration=0.8'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', ...rate, '-c:a', 'aac', '-movflags', '+faststart'],
    ],
    'mp4',
  )
  expect(bytes.length).toBeGreaterThan(10_000_000)
  const file = await untilFinished(await upload(bytes))
  expect(file).toMatchObject({ Status: 'finished', HasErrors: false })
  // The sound is not encoded either.
  const sound = file.Renditions.filter(({ Type }: { Type: string }) => Type === 'audio')
  expect(sound).toMatchObject([{ Name: 'source' }])
})

test('a file whose content contradicts its index is degraded, and a retry repairs it', async () => {
  const path = await upload(await contradictedIndex())
  expect(await untilFinished(path)).toMatchObject({
    IsPlayable: true,
    HasErrors: true,
    ErrorReason: 'file_index_contradicted',
  })
  await server.call('POST', `${path}/retry`)
  const repaired = await waitFor(
    () => server.call('GET', path),
    ({ body }) => body.HasErrors === false && body.IsFinished === true,
  )
  expect(repaired.body.IsPlayable).toBe(true)
})

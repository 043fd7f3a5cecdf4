import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample } from './support/media.ts'
import { startS3Server } from './support/s3-server.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let s3: Awaited<ReturnType<typeof startS3Server>>
let server: TestServer | undefined

beforeAll(async () => {
  s3 = await startS3Server()
  if ('unavailable' in s3) return
  server = await startTestServer({
    withWorker: true,
    environment: {
      ZOETROPE_STORAGE: 's3',
      ZOETROPE_RETENTION_DAYS: '0',
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  })
})

afterAll(async () => {
  await server?.stop()
  if (!('unavailable' in s3)) await s3.stop()
})

test.for([
  ['H.264 in MP4, cut from the source in the bucket', { seconds: 9, size: '854x480' }, 270],
  [
    'MPEG-4 part 2 in AVI, encoded',
    { seconds: 4, format: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' },
    120,
  ],
] as const)(
  'with media on S3, %s plays, and deleting it leaves nothing',
  async ([, sample, frames], context) => {
    if (server === undefined) return context.skip('unavailable' in s3 ? s3.unavailable : '')
    const { call, services, dataFolder } = server
    const project = await call('POST', '/projects', {
      body: { Name: 'S3', DefaultReleaseStatus: 'published' },
    })
    const path = `/projects/${project.body.Id}/files`
    const created = await call('POST', path, { body: { FileName: 'clip' } })
    await request(created.body.Upload.URI, 'PUT', { body: await makeSample(sample) })
    const { body: file } = await waitFor(
      () => call('GET', `${path}/${created.body.Id}`),
      ({ body }) => body.IsFinished === true,
    )
    expect(file).toMatchObject({ Status: 'finished', ErrorMessage: null })
    // AVI has no time for its first frame: the constant frame rate may begin with one more.
    expect([frames, frames + 1]).toContain(await countFrames(file.Playouts[0].HLS))
    expect((await request(file.Metadata.StandardFilePicture.ThumbURI, 'GET')).status).toBe(200)

    const source = `a1/p${project.body.Id}/f${file.Id}/source`
    expect(await services.blobs.stat(source)).not.toBeNull()
    await call('DELETE', `${path}/${file.Id}`)
    await waitFor(
      () => services.blobs.stat(source),
      (found) => found === null,
    )
    // A worker keeps its copy of a source for some seconds: the next job may want it too.
    await waitFor(
      () => readdir(join(dataFolder, 'scratch'), { recursive: true, withFileTypes: true }).catch(() => []),
      (scratch) => !scratch.some((entry) => entry.isFile()),
    )
    expect(await readdir(join(dataFolder, 'uploads'))).toEqual([])
  },
)

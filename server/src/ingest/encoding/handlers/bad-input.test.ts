import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { profileBomb, sampleBomb } from '../../../../../packages/ffmpeg/test-support/memory-bombs.ts'
import {
  encrypted,
  manyEdits,
  manyFrames,
  manyTracks,
  mediaElsewhere,
  missingEnd,
  oblongPixels,
  picturesOfYears,
  pictureOfAMillisecond,
  pixelBomb,
  subtitlesOnly,
  tenYears,
  unknownCodec,
} from '../test-support/bad-media.ts'

let server: TestServer
let projectId: number
let sample: Buffer

/** A video that no job may read, and a server in the internal network that no job may call. */
let canaryPath: string
let trap: Server
let trapUrl: string
let trapped = 0

const maxSeconds = 20

beforeAll(async () => {
  server = await startTestServer({
    withWorker: true,
    environment: { ZOETROPE_MAX_DURATION_SECONDS: String(maxSeconds) },
  })
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Bad input', DefaultReleaseStatus: 'published' },
  })
  projectId = project.body.Id
  sample = await makeSample({ seconds: 3, size: '160x90' })
  canaryPath = join(server.dataFolder, 'canary.mp4')
  await writeFile(canaryPath, sample)
  // An old access time, so that a file system that updates it once a day would update this one.
  await utimes(canaryPath, 0, 0)
  trap = createServer((_request, response) => {
    trapped += 1
    response.end(sample)
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/canary.mp4`
})

afterAll(async () => {
  trap.close()
  await server.stop()
})

const process = async (fileName: string, bytes: Buffer) => {
  const created = await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: fileName } })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  const { body } = await waitFor(
    () => server.call('GET', `/projects/${projectId}/files/${created.body.Id}`),
    (answer) => answer.body.IsFinished === true,
  )
  return body
}

/** Jobs remove their folders last, shortly after the state changes. */
const expectNoTemporaryFiles = () =>
  waitFor(
    async () =>
      (await readdir(join(server.dataFolder, 'work'), { recursive: true })).filter((path) =>
        path.includes('/'),
      ),
    (left) => left.length === 0,
  )

const expectFailed = async (file: Awaited<ReturnType<typeof process>>, message: string) => {
  expect(file).toMatchObject({
    Status: 'failed',
    IsFinished: true,
    IsEncoded: false,
    HasErrors: true,
    IsPlayable: false,
    ErrorMessage: message,
    ErrorReason: expect.stringMatching(/^[a-z_]+$/),
    ErrorParams: {},
  })
  expect(file.Playouts[0]).toMatchObject({ HLS: null, DASH: null, EmbedURI: null })
  await expectNoTemporaryFiles()
}

const withoutIndex = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 4))

const notMedia = 'The file is not a video or audio file.'
const noIndex =
  'The file is incomplete: its index is missing. The recording or export was probably interrupted.'
const notAccepted =
  'The file is not of an accepted video or audio format, such as MP4, MOV, MKV, WebM or MP3.'
const isEncrypted = 'The file is encrypted (DRM) and cannot be processed.'
const tooManyEdits = 'The file has more than 10,000 entries in its edit lists.'
const emptyAfterDecoding =
  'The file could not be packaged: its content is empty, too short or damaged. Export it again and upload the new version.'
const tooComplex =
  'The file is too complex to process: reading it takes more memory than is allowed. Export it again and upload the new version.'
const tooManyPixels = 'The picture is larger than 50 megapixels.'

test.each<[string, string, () => Buffer | Promise<Buffer>, string]>([
  ['text as mp4', 'notes.mp4', () => Buffer.from('Dear diary, today I was a video.\n'.repeat(50)), notMedia],
  ['a web page', 'page.mp4', () => Buffer.from('<!doctype html><title>404</title>'.repeat(50)), notMedia],
  ['a ZIP archive', 'film.zip', () => Buffer.from('504b0304140000000800'.repeat(99), 'hex'), notMedia],
  ['zeros', 'zeros.mov', () => Buffer.alloc(100_000), notMedia],
  ['one byte', 'byte.mp4', () => Buffer.from('a'), notMedia],
  ['a picture', 'picture.mp4', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), notAccepted],
  ['a truncated file without its index', 'cut.mp4', () => withoutIndex(sample), noIndex],
  ['a tiny picture that claims 900 megapixels', 'pixels.mov', pixelBomb, tooManyPixels],
  ['an encrypted film', 'drm.mp4', () => encrypted(), isEncrypted],
  [
    'an encrypted film in fragments',
    'drm.mp4',
    () => encrypted(['-movflags', '+frag_keyframe+empty_moov']),
    isEncrypted,
  ],
  ['an unknown codec', 'codec.mp4', unknownCodec, 'The file uses a codec that is not supported.'],
  ['a film of ten thousand cuts', 'edits.mp4', manyEdits, tooManyEdits],
  ['a picture of a millisecond', 'short.webm', pictureOfAMillisecond, emptyAfterDecoding],
  ['subtitles alone', 'text.mkv', subtitlesOnly, 'The file contains neither audio nor video.'],
])(
  'fails %s with a message for users and leaves no temporary files',
  async (_what, fileName, make, message) => {
    await expectFailed(await process(fileName, await make()), message)
  },
)

test.each([
  ['25 million samples in three tracks', 'three.mp4', () => sampleBomb({ tracks: 3, samples: 25_000_000 })],
  ['40 tracks of 5 million samples', 'forty.mp4', () => sampleBomb({ tracks: 40, samples: 5_000_000 })],
  ['pictures with a gigabyte of colour profile', 'profile.mov', profileBomb],
])('fails %s as too complex before long', async (_what, fileName, make) => {
  const file = await process(fileName, make())
  expect(file.ErrorReason).toBe('too_complex')
  await expectFailed(file, tooComplex)
})

test.each<[string, () => string]>([
  ['an HLS playlist', () => `#EXTM3U\n#EXTINF:1,\n${canaryPath}\n#EXTINF:1,\n${trapUrl}\n#EXT-X-ENDLIST\n`],
  ['a concat script', () => `ffconcat version 1.0\nfile '${canaryPath}'\nfile '${trapUrl}'\n`],
  [
    'a DASH manifest',
    () =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${trapUrl}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
  [
    'a session description',
    () => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n`,
  ],
  ['an index of subtitles', () => `# VobSub index file, v7\nsize: 720x576\nid: en, index: 0\n`],
  ['a SMIL list', () => `<smil><body><video src="${trapUrl}"/></body></smil>`],
])('reads no other file and calls no server for %s named like a video', async (_what, script) => {
  for (const fileName of ['film.mp4', 'film.m3u8']) {
    const file = await process(fileName, Buffer.from(script()))
    await expectFailed(file, [notAccepted, notMedia].find((message) => message === file.ErrorMessage) ?? '')
  }
  expect(trapped).toBe(0)
  expect((await stat(canaryPath)).atimeMs).toBe(0)
})

test('reads no other file for a video that references external media', async () => {
  const file = await process('elsewhere.mp4', await mediaElsewhere(canaryPath))
  expect(file.ErrorMessage ?? '').toMatch(/^$|^The file .+\.$/)
  expect((await stat(canaryPath)).atimeMs).toBe(0)
})

test('rejects an empty upload with a message', async () => {
  const created = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'empty.mp4' },
  })
  const answer = await request(created.body.Upload.URI, 'PUT', { body: Buffer.alloc(0) })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { message: 'The body is empty. Send the bytes of a video or audio file.' } },
  })
})

test('reports a file of one second that claims ten years as one second', async () => {
  expect(await process('years.mkv', await tenYears())).toMatchObject({
    Status: 'finished',
    ErrorMessage: null,
    Properties: { Length: 1 },
  })
})

test.each([
  ['an endless stream with a duration of one second', 'endless.mkv', manyFrames],
  ['pictures that stand for years', 'years.avi', picturesOfYears],
])('stops %s at the limit and plays them up to it', async (_name, fileName, make) => {
  expect(await process(fileName, await make())).toMatchObject({
    Status: 'degraded',
    IsPlayable: true,
    ErrorMessage: `The file is longer than ${maxSeconds} seconds, the limit of this server.`,
  })
  await expectNoTemporaryFiles()
})

test('processes a file with five hundred tracks and plays some of them', async () => {
  expect(await process('tracks.mp4', await manyTracks())).toMatchObject({ Status: 'finished' })
})

test('encodes pixels a thousand times as wide as high at a supported size', async () => {
  const file = await process('oblong.mkv', await oblongPixels())
  expect(file.Status).toBe('finished')
  const widths = file.Renditions.map(({ Width }: { Width: number }) => Width)
  expect(Math.max(...widths)).toBeLessThanOrEqual(3840)
})

test('plays the first third of a video without the rest and reports it as incomplete', async () => {
  const file = await process('missing-end.mp4', await missingEnd(9))
  expect(file).toMatchObject({ Status: 'degraded', IsPlayable: true })
  expect(file.ErrorMessage).toMatch(/^The file is incomplete: it says that it lasts 9 s.*\.$/)
  expect(file.Properties.Length).toBeLessThan(5)
})

test('plays a fragmented file without its end as far as it goes', async () => {
  const fragmented = await makeSample({
    seconds: 6,
    size: '160x90',
    extra: ['-movflags', '+frag_keyframe+empty_moov'],
  })
  const file = await process('cut-short.mp4', fragmented.subarray(0, Math.floor(fragmented.length * 0.7)))
  expect(file.IsPlayable).toBe(true)
})

test('makes a good file playable after all these inputs', async () => {
  expect(await process('good.mp4', sample)).toMatchObject({ Status: 'finished', HasErrors: false })
})
